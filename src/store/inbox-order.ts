/** Which waiting items a claim opens with, and which a running turn may take. Pure; every store uses it. */
import type { InboxItem } from '../domain/inbound.ts';
import type { ArrivedItem } from '../ports/journal.ts';

/**
 * All items up to the first `next` when one of them is more than a note; otherwise up to and with that `next`. What
 * closes a question (answer, timeout, supersede, stop) always comes along, wherever it stands. While a question is open,
 * a `next` waits for its end and holds nobody up.
 */
export function openingItems(inbox: readonly InboxItem[], isQuestionOpen: boolean): InboxItem[] {
  if (isQuestionOpen) return inbox.filter((item) => item.kind !== 'next');
  const firstNext = inbox.findIndex((item) => item.kind === 'next');
  const before = firstNext < 0 ? [...inbox] : inbox.slice(0, firstNext);
  const asks = before.some((item) => item.kind !== 'note');
  const opening = firstNext < 0 || asks ? before : inbox.slice(0, firstNext + 1);
  const closings = inbox.slice(opening.length).filter((item) => !('content' in item));
  return [...opening, ...closings];
}

/** What a step of a running turn takes: at most `maxMessages` messages, and every note. */
export function arrivedItems(untaken: readonly InboxItem[], maxMessages: number): ArrivedItem[] {
  let left = maxMessages;
  return untaken.flatMap((item): ArrivedItem[] => {
    if (item.kind !== 'message' && item.kind !== 'note') return [];
    if (item.kind === 'message' && left-- <= 0) return [];
    const source = item.kind === 'message' ? 'steer' : 'inject';
    const author = item.author === undefined ? {} : { author: item.author };
    const record = { type: 'user/message', source, content: item.content, item: item.id, ...author } as const;
    return [
      {
        kind: item.kind,
        record,
        address: item.address,
        ...(item.files === undefined ? {} : { withFiles: item }),
      },
    ];
  });
}

/** What waits for a running turn. */
export function waitingKinds(untaken: readonly InboxItem[]): { messages: boolean; notes: boolean } {
  return {
    messages: untaken.some((item) => item.kind === 'message'),
    notes: untaken.some((item) => item.kind === 'note'),
  };
}
