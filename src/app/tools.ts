/** The tools of a worker. */
import { estimateTokens } from '../model/token-estimate.ts';
import type { Memories } from '../ports/memories.ts';
import type { Tool } from '../ports/tool.ts';
import { askUser } from '../tools/ask-user.ts';
import { type CronToolMeans, cronTool } from '../tools/cron.ts';
import { readMemoryTool } from '../tools/read-memory.ts';
import { writeMemoryTool } from '../tools/write-memory.ts';

export interface ToolMeans extends CronToolMeans {
  readonly memories: Memories;
}

export function workerTools({ memories, ...means }: ToolMeans): Tool[] {
  const { clock } = means;
  return [
    askUser,
    cronTool(means),
    writeMemoryTool(memories),
    readMemoryTool({ memories, clock, estimateTokens }),
  ];
}
