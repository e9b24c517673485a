/** A person edits or deletes what they wrote. Before a turn takes it, the inbox changes; afterwards the model is told. */
import { UnreadableJournalError } from '../domain/errors.ts';
import { EventId } from '../domain/ids.ts';
import type { Change } from '../domain/inbound.ts';
import { textOf } from '../domain/message.ts';
import { isOnlyQuestion } from '../domain/past-turn.ts';
import type { Conversations } from '../ports/conversations.ts';
import type { TurnQueue } from '../ports/turn-queue.ts';

export interface ChangeServices {
  readonly conversations: Pick<Conversations, 'append' | 'edit' | 'inboxOf' | 'journalOf'>;
  readonly queue: TurnQueue;
}

/**
 * `changed`: the turn will read the new text. `told`: it was read already, and a note says what changed. `unknown`: it
 * never was for the bot. A turn whose question is deleted ends, and its answer goes.
 */
export async function changeInbound(
  services: ChangeServices,
  change: Change,
): Promise<'changed' | 'told' | 'duplicate' | 'unknown'> {
  const { conversations } = services;
  const { conversation, id, author, name, address, content, version } = change;
  const edited = await conversations.edit(conversation, id, content);
  if (edited !== 'late') return edited;
  if (content === undefined) await endTurnOf(services, change);
  const text =
    content === undefined
      ? `[${name} deleted their message.]`
      : `[${name} changed their message to: ${textOf(content)}]`;
  const note = { kind: 'note', id: EventId(`${id}/${version}`), author, address, content: text } as const;
  const appended = await conversations.append({ conversation, item: note, wanted: 'always' });
  return appended === 'duplicate' ? 'duplicate' : 'told';
}

async function endTurnOf(
  { conversations, queue }: ChangeServices,
  { conversation, id, author, address, version }: Change,
): Promise<void> {
  const journal = await conversations.journalOf(conversation).catch((error: unknown) => {
    if (error instanceof UnreadableJournalError) return []; // no turn of this version runs on it
    throw error;
  });
  if (!isOnlyQuestion(journal, id, author)) return;
  // What others said has perhaps not come to the turn yet.
  const waiting = await conversations.inboxOf(conversation);
  if (waiting.some((item) => item.author !== undefined && item.author !== author)) return;
  const stop = {
    kind: 'stop',
    takesBack: true,
    id: EventId(`${id}/${version}/stop`),
    author,
    address,
  } as const;
  const appended = await conversations.append({ conversation, item: stop, wanted: 'always' });
  if (appended === 'stopping') await queue.stop(conversation);
  if (appended === 'wake') await queue.wake(conversation);
}
