/** A trace as lines of text: the live status, the row of a call, the one line it folds to, and the whole of it. */
import { assertNever } from '../domain/errors.ts';
import type { Notice } from '../domain/turn.ts';
import { harmless } from './harmless.ts';
import { argumentsInShort, toolVerb } from './tool-words.ts';
import { type ToolRow, type Trace, type TraceItem, thoughtMs, toolRows } from './trace.ts';

const marks: Record<ToolRow['state'], string> = {
  running: '⏳',
  waiting: '❓',
  done: '✓',
  failed: '✗',
  skipped: '⏭',
};

const notices: Record<Notice, string> = {
  settling: 'coming to an end',
  closing: 'putting the answer together from what there is',
  stuck: 'going round in circles, putting the answer together',
  retrying: 'asking the model again',
  repairing: 'the reply had no usable form, asking again',
  continuing: 'the answer was cut off, going on',
  context_cut: 'older messages were left out to make room',
};

/** What is going on, in one line; `undefined` when nothing is. */
export function statusLine(trace: Trace, now: number): string | undefined {
  const { activity } = trace;
  const time = seconds(now - trace.since);
  switch (activity.kind) {
    case 'reading':
      return `👀 reading… ${time}`;
    case 'thinking':
      return `🧠 thinking… ${time}`;
    case 'using':
      return `⏳ ${activity.tool === undefined ? 'working' : oneLine(toolVerb(activity.tool))}… ${time}`;
    case 'writing':
      return `✍ writing… ${time}`;
    case 'waiting':
    case 'ended':
      return undefined;
    default:
      return assertNever(activity, 'statusLine');
  }
}

/** "🧠 Thought for 9 s · 2 tools"; `undefined` when there is nothing worth a line. */
export function foldedLine(trace: Trace, now: number): string | undefined {
  const ms = thoughtMs(trace, now);
  const tools = toolRows(trace).filter((row) => row.state !== 'skipped').length;
  const isQuick = ms < 1000 && tools === 0 && !trace.items.some((item) => item.kind === 'thinking');
  if (isQuick) return undefined;
  const counted = tools === 0 ? '' : ` · ${tools} ${tools === 1 ? 'tool' : 'tools'}`;
  return `🧠 Thought for ${seconds(ms)}${counted}`;
}

/** The newest rows of calls and notices, for the time the turn runs. */
export function recentRows(trace: Trace, count: number): string[] {
  return trace.items.flatMap((item) => rowOf(item) ?? []).slice(-count);
}

/** Everything, for the person who asks for it. */
export function wholeTrace(trace: Trace): string[] {
  const lines = trace.items.flatMap((item) => {
    if (item.kind === 'thinking') return block('🧠', item.text);
    if (item.kind === 'draft') return block('↩', item.text);
    return rowOf(item) ?? [];
  });
  return lines.length === 0 ? ['Nothing but the answer itself.'] : lines;
}

/** Unit of the input: milliseconds. At least one second, since "0 s" says nothing. */
export function seconds(ms: number): string {
  const whole = Math.max(1, Math.round(ms / 1000));
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

function rowOf(item: TraceItem): string | undefined {
  switch (item.kind) {
    case 'tool':
      return toolLine(item);
    case 'notice':
      return `· ${notices[item.notice]}${item.detail === undefined ? '' : ` (${oneLine(item.detail)})`}`;
    case 'steer':
      return `✅ ${item.count === 1 ? 'took in your message' : `took in ${item.count} messages`}`;
    case 'thinking':
    case 'draft':
      return undefined;
    default:
      return assertNever(item, 'rowOf');
  }
}

function toolLine(row: ToolRow): string {
  const about = argumentsInShort(row.name, row.args);
  const time = row.ms === undefined || row.state === 'skipped' || row.ms < 50 ? '' : ` · ${tenths(row.ms)}`;
  return `${marks[row.state]} ${oneLine(`${toolVerb(row.name)} ${about}`)}${time}`;
}

function tenths(ms: number): string {
  return ms < 9_950 ? `${(ms / 1000).toFixed(1)} s` : seconds(ms);
}

function block(mark: string, text: string): string[] {
  const lines = harmless(text).trim().split('\n');
  return lines[0] === '' ? [] : lines.map((line, at) => `${at === 0 ? mark : '  '} ${line.trimEnd()}`);
}

function oneLine(text: string): string {
  return harmless(text).replaceAll(/\s+/gu, ' ').trim();
}
