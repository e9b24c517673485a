/** The tools of a worker. */
import type { UserId } from '../domain/ids.ts';
import { estimateTokens } from '../model/token-estimate.ts';
import type { RunCode } from '../ports/code.ts';
import type { AskGithub } from '../ports/github.ts';
import type { Memories } from '../ports/memories.ts';
import type { PageCache, ReadPage } from '../ports/pages.ts';
import type { Reminders } from '../ports/reminders.ts';
import type { Clock } from '../ports/runtime.ts';
import type { Tool } from '../ports/tool.ts';
import { askUser } from '../tools/ask-user.ts';
import { codeExecutionTool } from '../tools/code-execution.ts';
import { cronTool } from '../tools/cron.ts';
import { githubTool } from '../tools/github.ts';
import { readMemoryTool } from '../tools/read-memory.ts';
import { webFetchTool } from '../tools/web-fetch.ts';
import { writeMemoryTool } from '../tools/write-memory.ts';

export interface ToolMeans {
  readonly reminders: Reminders;
  readonly memories: Memories;
  readonly clock: Clock;
  /** The IANA zone of a person. */
  readonly zoneOf: (user: UserId) => Promise<string>;
  readonly readPage: ReadPage;
  readonly pageCache: PageCache;
  readonly askGithub: AskGithub;
  readonly runCode: RunCode;
}

export function workerTools({
  reminders,
  memories,
  clock,
  zoneOf,
  readPage,
  pageCache: cache,
  askGithub,
  runCode,
}: ToolMeans): Tool[] {
  return [
    askUser,
    cronTool({ reminders, clock, zoneOf }),
    writeMemoryTool(memories),
    readMemoryTool({ memories, clock, estimateTokens }),
    webFetchTool({ readPage, cache }),
    githubTool(askGithub),
    codeExecutionTool(runCode),
  ];
}
