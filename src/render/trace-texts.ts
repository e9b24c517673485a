/** A running trace as the texts of its messages: one, and a second one when that is full. */
import { fits, type PageLimit } from './markdown/limit.ts';
import type { Trace } from './trace.ts';
import { liveRows, statusLine } from './trace-lines.ts';
import type { TraceWords } from './words.ts';

/** A row may take this part of a message. */
const rowShare = 8;

/** None while there is no row. The second one shows the newest rows, and what does not fit is left out between them. */
export function traceTexts(
  trace: Trace,
  now: number,
  limit: PageLimit,
  words: TraceWords,
): readonly [first?: string, second?: string] {
  const rows = liveRows(trace, words, Math.floor(limit.maxChars / rowShare));
  if (rows.length === 0) return [];
  const status = statusLine(trace, now, words);
  const lines = status === undefined ? rows : [...rows, status];
  const isFull = (some: readonly string[]) => !fits(some.join('\n'), limit);
  if (!isFull(lines)) return [lines.join('\n')];
  const count = lines.findIndex((_, at) => isFull(lines.slice(0, at + 1)));
  const rest = lines.slice(count);
  const from = rest.findIndex((_, at) => !isFull(rest.slice(at)));
  return [lines.slice(0, count).join('\n'), rest.slice(from).join('\n')];
}
