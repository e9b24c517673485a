/** A person edits or deletes what they wrote. Before a turn takes it, the inbox changes; afterwards the model is told. */
import { EventId } from '../domain/ids.ts';
import type { Change } from '../domain/inbound.ts';
import { textOf } from '../domain/message.ts';
import type { Conversations } from '../ports/conversations.ts';

/** `changed`: the turn will read the new text. `told`: it was read already, and a note says what changed. `unknown`: it
 * never was for the bot. */
export async function changeInbound(
  conversations: Pick<Conversations, 'append' | 'edit'>,
  { conversation, id, author, name, address, content, version }: Change,
): Promise<'changed' | 'told' | 'duplicate' | 'unknown'> {
  const edited = await conversations.edit(conversation, id, content);
  if (edited !== 'late') return edited;
  const text =
    content === undefined
      ? `[${name} deleted their message.]`
      : `[${name} changed their message to: ${textOf(content)}]`;
  const note = { kind: 'note', id: EventId(`${id}/${version}`), author, address, content: text } as const;
  const appended = await conversations.append({ conversation, item: note, wanted: 'always' });
  return appended === 'duplicate' ? 'duplicate' : 'told';
}
