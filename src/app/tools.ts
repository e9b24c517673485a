/** The tools of a worker. */
import type { Tool } from '../ports/tool.ts';
import { askUser } from '../tools/ask-user.ts';
import type { App } from './compose.ts';

export function workerTools(_app: App): Tool[] {
  return [askUser];
}
