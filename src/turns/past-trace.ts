/** The trace of a turn that is over, from its journal: what was thought and done, without the times. Pure. */
import type { JournalRecord } from '../domain/journal.ts';
import type { TurnEvent } from '../domain/turn.ts';
import { ThinkFilter } from '../loop/reading/think-tags.ts';
import { wordsFor } from '../render/notices.ts';
import { newTrace, traceAfter } from '../render/trace.ts';
import { wholeTrace } from '../render/trace-lines.ts';

/** Line by line, for the person who asks for it. `records` are those of one turn; `locale` is BCP 47. */
export function pastTraceLines(
  records: readonly JournalRecord[],
  locale: string | undefined,
): readonly string[] {
  const trace = records.flatMap(eventsOf).reduce((sum, event) => traceAfter(sum, event, 0), newTrace(0));
  return wholeTrace(trace, wordsFor(locale).trace);
}

function eventsOf(record: JournalRecord): readonly TurnEvent[] {
  switch (record.type) {
    case 'assistant/message':
      return thoughtsOf(record);
    case 'tool/call':
      return [{ type: 'tool.started', call: record.call }];
    case 'tool/result': {
      const { callId, name, status } = record;
      return [{ type: 'tool.finished', callId, name, status, ms: 0 }];
    }
    case 'user/message':
      return record.source === 'steer' ? [{ type: 'steer.used', count: 1 }] : [];
    default:
      return [];
  }
}

/** Everything of a reply but what was shown as the answer. */
function thoughtsOf(reply: Extract<JournalRecord, { type: 'assistant/message' }>): readonly TurnEvent[] {
  const filter = new ThinkFilter();
  const pieces = [...filter.feed(reply.content), ...filter.end()];
  const said = (kind: 'thinking' | 'visible') =>
    pieces
      .filter((piece) => piece.kind === kind)
      .map(({ text }) => text)
      .join('');
  const thoughts = [reply.reasoning?.text ?? '', said('thinking')];
  const visible = said('visible').replace(labelLine, '');
  const drafts: TurnEvent[] = [];
  switch (roleOf(reply)) {
    case 'narration':
      thoughts.push(visible);
      break;
    case 'draft':
      drafts.push({ type: 'answer.retracted', keep: 0, draft: visible, why: 'repair' });
      break;
    case 'answer':
      break;
  }
  const thinking = thoughts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text): TurnEvent => ({ type: 'thinking.delta', text: `${text}\n` }));
  return [...thinking, ...drafts];
}

function roleOf({
  fate,
  calls,
}: Pick<Extract<JournalRecord, { type: 'assistant/message' }>, 'fate' | 'calls'>):
  | 'answer'
  | 'narration'
  | 'draft' {
  if (fate === undefined) return calls.length > 0 ? 'narration' : 'answer';
  if (fate === 'thought') return 'narration';
  return fate.startsWith('repair:') ? 'draft' : 'answer';
}

/** As the journal writes it, alone on the first line. */
const labelLine = /^\s*``[^`\n]{1,40}``[ \t]*\n?/u;
