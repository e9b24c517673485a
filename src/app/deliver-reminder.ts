/** A reminder whose time has come: shown as it is and noted for the model, or a turn of its own. */
import { EventId, TurnId } from '../domain/ids.ts';
import type { DueReminder } from '../domain/reminder.ts';
import type { Conversations } from '../ports/conversations.ts';
import type { Clock } from '../ports/runtime.ts';
import type { Screens } from '../ports/screen.ts';
import type { TurnQueue } from '../ports/turn-queue.ts';
import { spokenTime } from '../time/zone.ts';

export interface ReminderDelivery {
  readonly conversations: Conversations;
  readonly queue: TurnQueue;
  readonly screens: Screens;
  readonly clock: Clock;
}

/** Later than this, a reminder says when it was due. Unit: milliseconds. */
const lateMs = 60_000;

/** May be called again for the same due time: it is told by owner, id and time. Rejects when it could not be delivered. */
export async function deliverReminder(
  { conversations, queue, screens, clock }: ReminderDelivery,
  { reminder, dueAt }: DueReminder,
): Promise<void> {
  const { owner, id, conversation, address, kind, message, tz } = reminder;
  const name = `reminder:${owner}:${id}:${dueAt}`;
  const said = { id: EventId(name), author: owner, address } as const;
  if (kind === 'task') {
    const item = { ...said, kind: 'next', content: message, scheduled: true } as const;
    if ((await conversations.append({ conversation, item, wanted: 'always' })) === 'wake')
      await queue.wake(conversation);
    return;
  }
  const late = clock.now() - dueAt > lateMs ? ` (due ${spokenTime(dueAt, tz)})` : '';
  const turn = TurnId(name);
  const { signal } = new AbortController();
  const screen = screens.open({
    conversation,
    turn,
    address,
    ledger: conversations.ledger(conversation, turn),
    signal,
  });
  await screen.tell('reminder', `⏰ ${message}${late}`, { calls: owner });
  const content = `[A reminder was shown: ${message}]`;
  await conversations.append({ conversation, item: { ...said, kind: 'note', content }, wanted: 'always' });
}
