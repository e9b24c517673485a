/** The tools of a worker. */
import { estimateTokens } from '../model/token-estimate.ts';
import type { RunCode } from '../ports/code.ts';
import type { AskGithub } from '../ports/github.ts';
import type { Memories } from '../ports/memories.ts';
import type { PageCache, ReadPage } from '../ports/pages.ts';
import type { Tool } from '../ports/tool.ts';
import { askUser } from '../tools/ask-user.ts';
import { codeExecutionTool } from '../tools/code-execution.ts';
import { type CronToolMeans, cronTool } from '../tools/cron.ts';
import { githubTool } from '../tools/github.ts';
import { readMemoryTool } from '../tools/read-memory.ts';
import { webFetchTool } from '../tools/web-fetch.ts';
import { writeMemoryTool } from '../tools/write-memory.ts';

export interface ToolMeans extends CronToolMeans {
  readonly memories: Memories;
  readonly readPage: ReadPage;
  readonly pageCache: PageCache;
  readonly askGithub: AskGithub;
  readonly runCode: RunCode;
}

export function workerTools({
  memories,
  readPage,
  pageCache: cache,
  askGithub,
  runCode,
  ...means
}: ToolMeans): Tool[] {
  const { clock } = means;
  return [
    askUser,
    cronTool(means),
    writeMemoryTool(memories),
    readMemoryTool({ memories, clock, estimateTokens }),
    webFetchTool({ readPage, cache }),
    githubTool(askGithub),
    codeExecutionTool(runCode),
  ];
}
