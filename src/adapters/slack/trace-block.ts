/** The trace of a turn that runs, as Slack's own cards: a plan with a task for each row. */
import type { types } from '@slack/bolt';
import { cut } from './cut.ts';

/** Source: what others have seen of Slack. Unit: characters. */
const maxTitle = 256;
/** So many fit beside other blocks; the newest are shown. */
const maxTasks = 20;

type Status = types.TaskCardBlock['status'];

/** The marks that rows of a trace begin with. */
const statuses: Readonly<Record<string, Status>> = {
  '⏳': 'in_progress',
  '✍': 'in_progress',
  '👀': 'in_progress',
  '❓': 'pending',
  '✗': 'error',
};

/** `text`: a line for each row, the last of which may tell what is going on. */
export function tracePlan(text: string): types.PlanBlock {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const title = cut(lines.at(-1) ?? '🧠', maxTitle);
  const rows = lines.length > 1 ? lines.slice(0, -1) : lines;
  return {
    type: 'plan',
    title,
    tasks: rows.slice(-maxTasks).map((row, at) => taskOf(row, at)),
  };
}

function taskOf(row: string, at: number): types.TaskCardBlock {
  const [, mark = '', words = row] = /^(\S{1,2}) (.*)$/u.exec(row) ?? [];
  const status = statuses[mark];
  const title = status === undefined && mark !== '✓' ? row : words;
  return {
    type: 'task_card',
    task_id: `row_${at}`,
    title: cut(title, maxTitle),
    status: status ?? 'complete',
  };
}
