/** A reminder that the model made is confirmed by the bot itself: with the time as it was resolved, Change and Cancel. */
import { TurnId } from '../domain/ids.ts';
import type { Reminder } from '../domain/reminder.ts';
import type { Conversations } from '../ports/conversations.ts';
import type { People } from '../ports/people.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import type { Screens } from '../ports/screen.ts';
import { confirmation } from '../reminders/shown.ts';
import { viewFor } from './reminder-view.ts';

export interface ConfirmationMeans {
  readonly people: Pick<People, 'preferences' | 'mayAskZone'>;
  readonly conversations: Pick<Conversations, 'ledger'>;
  readonly screens: Screens;
  readonly times: ReadonlyMap<string, (at: number) => string>;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Once for each reminder, however often it is called. Never rejects: the reminder is made, and the model tells of it,
 * too.
 */
export function confirmReminder({ people, conversations, screens, times, clock, log }: ConfirmationMeans) {
  return async (reminder: Reminder, isZoneGuessed: boolean, signal: AbortSignal): Promise<void> => {
    const { owner, id, conversation, address } = reminder;
    try {
      const view = await viewFor({ people }, times, reminder);
      const asks = isZoneGuessed && (await people.mayAskZone(owner));
      const { text, controls } = confirmation(reminder, view, asks ? { now: clock.now() } : undefined);
      // Of no turn: the same call, made again by the next worker, finds what was shown.
      const turn = TurnId(`reminder:${owner}:${id}`);
      const ledger = conversations.ledger(conversation, turn);
      const screen = screens.open({ conversation, turn, address, ledger, signal });
      await screen.tell('confirmed', text, controls === undefined ? {} : { controls });
    } catch (error) {
      log.warn(
        { error, owner, reminder: id },
        'a reminder was made, but its confirmation could not be shown',
      );
    }
  };
}
