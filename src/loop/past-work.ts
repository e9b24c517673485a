/**
 * What a turn has thought and done so far, in the events that were shown then, as its journal tells it. Times and notices
 * are not journaled. Pure.
 */
import type { JournalRecord } from '../domain/journal.ts';
import type { TurnEvent } from '../domain/turn.ts';
import { ThinkFilter } from './reading/think-tags.ts';
import type { Strategy } from './strategy.ts';

/** `own`: the records of the turn. */
export function pastWork(own: readonly JournalRecord[], strategy: Strategy): readonly TurnEvent[] {
  return own.flatMap((record): TurnEvent[] => {
    switch (record.type) {
      case 'assistant/message': {
        const text = thoughtsIn(record, strategy);
        return text.trim() === '' ? [] : [{ type: 'thinking.delta', text }];
      }
      case 'tool/call':
        return [{ type: 'tool.started', call: record.call }];
      case 'tool/result': {
        const { callId, name, status, sources } = record;
        const found = sources === undefined ? {} : { sources };
        return [{ type: 'tool.finished', callId, name, status, ms: 0, ...found }];
      }
      default:
        return [];
    }
  });
}

/** The reasoning field, think blocks, and text that was no answer by its label. */
function thoughtsIn(
  { content, reasoning }: Extract<JournalRecord, { type: 'assistant/message' }>,
  strategy: Strategy,
): string {
  let thoughts = reasoning?.text ?? '';
  const think = (text: string) => {
    thoughts += text;
  };
  const filter = new ThinkFilter();
  const reader = strategy.reader({ kind: 'step' }, { answer: () => {}, thinking: think, label: () => {} });
  for (const { kind, text } of [...filter.feed(content), ...filter.end()]) {
    if (kind === 'thinking') think(text);
    else reader.feed(text);
  }
  reader.end();
  return thoughts;
}
