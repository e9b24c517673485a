/** A reminder whose time has come: shown as it is and noted for the model, or a turn of its own. */
import { EventId, TurnId } from '../domain/ids.ts';
import { type DueReminder, missedMs } from '../domain/reminder.ts';
import type { Conversations } from '../ports/conversations.ts';
import type { Clock } from '../ports/runtime.ts';
import type { Screens, ToldWith, TurnScreen } from '../ports/screen.ts';
import type { TurnQueue } from '../ports/turn-queue.ts';
import { delivered, type View } from '../reminders/shown.ts';

export interface ReminderDelivery {
  readonly conversations: Conversations;
  readonly queue: TurnQueue;
  readonly screens: Screens;
  readonly clock: Clock;
  /** How its owner reads it. */
  readonly viewFor: (due: DueReminder) => Promise<View>;
}

/**
 * May be called again for the same due time: it is told by owner, id and time. Rejects when it could not be delivered yet;
 * `unreachable`: it never can be.
 */
export async function deliverReminder(
  means: ReminderDelivery,
  due: DueReminder,
): Promise<'told' | 'unreachable'> {
  const { conversations, queue, clock } = means;
  const { owner, id, conversation, address, kind, message, deliverTo } = due.reminder;
  const name = `reminder:${owner}:${id}:${due.dueAt}`;
  const said = { id: EventId(name), author: owner, address } as const;
  const screen = screenFor(means, due, TurnId(name));
  const view = await means.viewFor(due);
  const { text, controls } = delivered(due, clock.now(), view);
  const isTask = kind === 'task';
  const isMissed = clock.now() - due.dueAt > missedMs;
  const reach: Pick<ToldWith, 'reach'> =
    deliverTo === 'dm' ? { reach: 'direct' } : isTask && !isMissed ? { reach: 'here' } : {};
  const more = { calls: owner, ...(controls && { controls }), ...reach };
  const isShown = await screen.tell('reminder', text, more);
  if (isTask && !isMissed) {
    if (!isShown) {
      // What it would answer could be read by nobody.
      await screen.tell('gone', view.words.placeGone(message), { calls: owner, reach: 'direct' });
      return 'unreachable';
    }
    const item = { ...said, kind: 'next', content: message, scheduled: true } as const;
    if ((await conversations.append({ conversation, item, wanted: 'always' })) === 'wake')
      await queue.wake(conversation);
    return 'told';
  }
  if (!isShown) return 'unreachable';
  // What was said to its owner alone stays between them.
  if (deliverTo === 'dm') return 'told';
  const content = isTask
    ? `[A task was missed, and the person was told that it is not done: ${message}]`
    : `[A reminder was shown: ${message}]`;
  await conversations.append({ conversation, item: { ...said, kind: 'note', content }, wanted: 'always' });
  return 'told';
}

function screenFor(
  { screens, conversations }: ReminderDelivery,
  { reminder: { conversation, address } }: DueReminder,
  turn: TurnId,
): TurnScreen {
  const ledger = conversations.ledger(conversation, turn);
  return screens.open({ conversation, turn, address, ledger, signal: new AbortController().signal });
}
