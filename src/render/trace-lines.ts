/** A trace as lines of text: the live status, the row of a call, the one line it folds to, and the whole of it. */
import { cutText } from '../domain/cut-text.ts';
import { assertNever } from '../domain/errors.ts';
import { harmless } from './harmless.ts';
import { argumentsInShort, toolVerb } from './tool-words.ts';
import { type ToolRow, type Trace, type TraceItem, thoughtMs, toolRows } from './trace.ts';
import type { TraceWords } from './words.ts';

const marks: Record<ToolRow['state'], string> = {
  running: '⏳',
  waiting: '❓',
  done: '✓',
  failed: '✗',
  skipped: '⏭',
};

/** What is going on, in one line; `undefined` when nothing is. */
export function statusLine(trace: Trace, now: number, words: TraceWords): string | undefined {
  const { activity } = trace;
  const time = seconds(now - trace.since, words);
  switch (activity.kind) {
    case 'reading':
      return `👀 ${words.reading}… ${time}`;
    case 'thinking':
      return `🧠 ${words.thinking}… ${time}`;
    case 'using':
      return `⏳ ${activity.tool === undefined ? words.working : oneLine(toolVerb(activity.tool, words))}… ${time}`;
    case 'writing':
      return `✍ ${words.writing}… ${time}`;
    case 'waiting':
    case 'ended':
      return undefined;
    default:
      return assertNever(activity, 'statusLine');
  }
}

/** "🧠 Thought for 9 s · 2 tools"; `undefined` when there is nothing worth a line. */
export function foldedLine(trace: Trace, now: number, words: TraceWords): string | undefined {
  const ms = thoughtMs(trace, now);
  const tools = toolRows(trace).filter((row) => row.state !== 'skipped').length;
  const isQuick = ms < 1000 && tools === 0 && !trace.items.some((item) => item.kind === 'thinking');
  if (isQuick) return undefined;
  return `🧠 ${words.thoughtFor(seconds(ms, words), tools)}`;
}

/** The newest rows of calls and notices, for the time the turn runs. */
export function recentRows(trace: Trace, count: number, words: TraceWords): string[] {
  return allRows(trace, words).slice(-count);
}

/** Every call and notice. */
export function allRows(trace: Trace, words: TraceWords): string[] {
  return trace.items.flatMap((item) => rowOf(item, words) ?? []);
}

/** What was thought, called and told so far, each in one line of at most `maxChars`; of a longer thought its end. */
export function liveRows(trace: Trace, words: TraceWords, maxChars: number): string[] {
  return trace.items.flatMap((item) => {
    if (item.kind === 'thinking') return thoughtLine(item.text, maxChars);
    const row = rowOf(item, words);
    return row === undefined ? [] : cutText(row, maxChars);
  });
}

/** Everything, for the person who asks for it. */
export function wholeTrace(trace: Trace, words: TraceWords): string[] {
  const lines = trace.items.flatMap((item) => {
    if (item.kind === 'thinking') return block('🧠', item.text);
    if (item.kind === 'draft') return block('↩', item.text);
    return rowOf(item, words) ?? [];
  });
  return lines.length === 0 ? [words.nothing] : lines;
}

/** Unit of the input: milliseconds. At least one second, since "0 s" says nothing. */
export function seconds(ms: number, { minute, second }: TraceWords): string {
  const whole = Math.max(1, Math.round(ms / 1000));
  return whole < 60 ? `${whole} ${second}` : `${Math.floor(whole / 60)} ${minute} ${whole % 60} ${second}`;
}

function rowOf(item: TraceItem, words: TraceWords): string | undefined {
  switch (item.kind) {
    case 'tool':
      return toolLine(item, words);
    case 'notice':
      return `· ${words.notices[item.notice]}${item.detail === undefined ? '' : ` (${oneLine(item.detail)})`}`;
    case 'steer':
      return `✅ ${words.tookIn(item.count)}`;
    case 'thinking':
    case 'draft':
      return undefined;
    default:
      return assertNever(item, 'rowOf');
  }
}

function toolLine(row: ToolRow, words: TraceWords): string {
  const about = argumentsInShort(row.name, row.args);
  const time =
    row.ms === undefined || row.state === 'skipped' || row.ms < 50 ? '' : ` · ${tenths(row.ms, words)}`;
  return `${marks[row.state]} ${oneLine(`${toolVerb(row.name, words)} ${about}`)}${time}`;
}

function thoughtLine(text: string, maxChars: number): string[] {
  const thought = oneLine(text);
  if (thought === '') return [];
  const room = maxChars - '🧠 …'.length;
  return [`🧠 ${thought.length <= room ? thought : `…${oneLine(thought.slice(-room))}`}`];
}

function tenths(ms: number, words: TraceWords): string {
  if (ms >= 9_950) return seconds(ms, words);
  return `${(ms / 1000).toFixed(1).replace('.', words.decimalPoint)} ${words.second}`;
}

function block(mark: string, text: string): string[] {
  const lines = harmless(text).trim().split('\n');
  return lines[0] === '' ? [] : lines.map((line, at) => `${at === 0 ? mark : '  '} ${line.trimEnd()}`);
}

function oneLine(text: string): string {
  return harmless(text).replaceAll(/\s+/gu, ' ').trim();
}
