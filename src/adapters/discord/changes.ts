/** What people do to messages that were heard: they edit and delete them. Where it was never for the bot, the store says so. */
import type { Change } from '../../domain/inbound.ts';
import type { UserContent } from '../../domain/message.ts';
import { pastTurn, turnOpenedBy } from '../../domain/past-turn.ts';
import type { Recent } from '../../gateway/recent.ts';
import type { Heard } from '../../gateway/said.ts';
import { type OfferMeans, offerToAnswerAgain } from './changed-question.ts';
import type { MessageReader } from './message-reader.ts';
import { type HeardMessage, userOf } from './normalize.ts';

export interface ChangesMeans extends OfferMeans {
  readonly reader: Pick<MessageReader, 'read' | 'journalOf'>;
  /** The newest messages, by id: of a deleted one Discord tells nothing else. */
  readonly heard: Recent<Heard>;
  /** Rejects while the store is away. */
  readonly change: (change: Change) => Promise<unknown>;
}

export class Changes {
  constructor(private readonly means: ChangesMeans) {}

  async edited(message: HeardMessage): Promise<void> {
    const { reader, heard } = this.means;
    const said = await reader.read(message);
    if (said === undefined) return;
    const change = changeOf(said, said.item.content, message.edited_timestamp ?? '');
    if ((await this.means.change(change)) === 'told') await this.offerAgain(change);
    heard.set(message.id, said);
  }

  /** Who wrote what is older than the newest messages is not known any more. */
  async deleted(id: string): Promise<void> {
    const said = this.means.heard.get(id);
    if (said !== undefined) await this.means.change(changeOf(said, undefined, 'deleted'));
  }

  /** When it was the question of a turn that is over. */
  private async offerAgain(change: Change): Promise<void> {
    const journal = await this.means.reader.journalOf(change.conversation);
    const turn = turnOpenedBy(journal, change.id);
    const past = turn && pastTurn(journal, turn);
    if (turn !== undefined && past && !past.isOpen && past.asker === change.author)
      await offerToAnswerAgain(this.means, change, turn);
  }
}

function changeOf({ conversation, item }: Heard, content: UserContent | undefined, version: string): Change {
  const { id, author = userOf(''), name = '', address } = item;
  return { conversation, id, author, name, address, content, version };
}
