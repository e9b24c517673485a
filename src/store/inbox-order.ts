/** Which waiting items a claim opens with, and which a running turn may take. Pure; every store uses it. */
import type { InboxItem } from '../domain/inbound.ts';
import type { ArrivedItem } from '../ports/journal.ts';

/** Waits for its own claim, and what is behind it waits as well. */
const isBarrier = ({ kind }: InboxItem): boolean => kind === 'next' || kind === 'new';

/**
 * All items up to the first `next` or `new` when one of them is more than a note; otherwise up to and with that one. What
 * closes a question (answer, timeout, supersede, stop) always comes along, wherever it stands. While a question is open,
 * both wait for its end and hold nobody up.
 */
export function openingItems(inbox: readonly InboxItem[], isQuestionOpen: boolean): InboxItem[] {
  if (isQuestionOpen) return inbox.filter((item) => !isBarrier(item));
  const firstNext = inbox.findIndex(isBarrier);
  const before = firstNext < 0 ? [...inbox] : inbox.slice(0, firstNext);
  const asks = before.some((item) => item.kind !== 'note');
  const opening = firstNext < 0 || asks ? before : inbox.slice(0, firstNext + 1);
  const closings = inbox.slice(opening.length).filter((item) => !('content' in item) && !isBarrier(item));
  return [...opening, ...closings];
}

/** What a step of a running turn takes: at most `maxMessages` messages, and every note, up to a `new`. */
export function arrivedItems(untaken: readonly InboxItem[], maxMessages: number): ArrivedItem[] {
  let left = maxMessages;
  return beforeNew(untaken).flatMap((item): ArrivedItem[] => {
    if (item.kind !== 'message' && item.kind !== 'note') return [];
    if (item.kind === 'message' && left-- <= 0) return [];
    const source = item.kind === 'message' ? 'steer' : 'inject';
    const { content, author, name } = item;
    const record = {
      type: 'user/message',
      source,
      content,
      item: item.id,
      ...(author !== undefined && { author }),
      ...(name !== undefined && { name }),
    } as const;
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
    messages: beforeNew(untaken).some((item) => item.kind === 'message'),
    notes: beforeNew(untaken).some((item) => item.kind === 'note'),
  };
}

function beforeNew(items: readonly InboxItem[]): readonly InboxItem[] {
  const at = items.findIndex((item) => item.kind === 'new');
  return at < 0 ? items : items.slice(0, at);
}
