/** What people do to messages that were heard: they edit and delete them. Where it was never for the bot, the store says so. */
import { type ConversationId, type TurnId, UserId } from '../domain/ids.ts';
import type { Change } from '../domain/inbound.ts';
import type { JournalRecord } from '../domain/journal.ts';
import type { UserContent } from '../domain/message.ts';
import { pastTurn, turnOpenedBy } from '../domain/past-turn.ts';
import type { Recent } from './recent.ts';
import type { Heard } from './said.ts';

export interface ChangesMeans<Message> {
  readonly reader: {
    /** Undefined: it is none of the bot's business. */
    readonly read: (message: Message) => Promise<Heard | undefined>;
    readonly journalOf: (conversation: ConversationId) => Promise<readonly JournalRecord[]>;
  };
  /** The newest messages, by id: of a deleted one a platform may tell nothing else. */
  readonly heard: Recent<Heard>;
  /** Rejects while the store is away. */
  readonly change: (change: Change) => Promise<unknown>;
  /** Says that the question of a turn was changed, with a button to have it answered again. Never rejects. */
  readonly offerAgain: (change: Change, turn: TurnId) => Promise<void>;
}

/** `Message` is one as the platform tells it. */
export class Changes<Message extends { readonly id: string }> {
  constructor(private readonly means: ChangesMeans<Message>) {}

  /** `version` tells one edit from another. */
  async edited(message: Message, version: string): Promise<void> {
    const { reader, heard } = this.means;
    const said = await reader.read(message);
    if (said === undefined) return;
    const change = changeOf(said, said.item.content, version);
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
      await this.means.offerAgain(change, turn);
  }
}

function changeOf({ conversation, item }: Heard, content: UserContent | undefined, version: string): Change {
  const { id, author = UserId(''), name = '', address } = item;
  return { conversation, id, author, name, address, content, version };
}
