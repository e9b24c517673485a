/** What people do to messages that were heard: they edit and delete them. Where it was never for the bot, the store says so. */
import { type ConversationId, type TurnId, UserId } from '../domain/ids.ts';
import type { Change } from '../domain/inbound.ts';
import type { JournalRecord } from '../domain/journal.ts';
import type { UserContent } from '../domain/message.ts';
import { pastTurn, turnOpenedBy } from '../domain/past-turn.ts';
import { Recent } from './recent.ts';
import type { Heard } from './said.ts';
import { type TurnOverMeans, untilTurnOver } from './turn-over.ts';

export interface ChangesMeans<Message> extends TurnOverMeans {
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

/** Of so many messages it is remembered what was done to them before they came themselves. */
const rememberedEarly = 10_000;

/** `Message` is one as the platform tells it. */
export class Changes<Message extends { readonly id: string }> {
  /** Events overtake each other: what was done to messages that had not been heard then. */
  private readonly early = new Recent<Message | 'deleted'>(rememberedEarly);

  constructor(private readonly means: ChangesMeans<Message>) {}

  /** At once, before anything is stored. `change`: how it reads now. */
  note(id: string, change: Message | 'deleted'): void {
    const isKnown = this.means.heard.get(id) !== undefined || this.early.get(id) === 'deleted';
    if (!isKnown) this.early.set(id, change);
  }

  /** A message that was heard, as it reads by now; undefined when it is deleted. */
  newest(message: Message): Message | undefined {
    const early = this.early.get(message.id) ?? message;
    return early === 'deleted' ? undefined : early;
  }

  /** `version` tells one edit from another. */
  async edited(message: Message, version: string): Promise<void> {
    const { reader, heard } = this.means;
    const said = await reader.read(message);
    if (said === undefined) return;
    // It was heard as it reads now.
    if (heard.get(message.id)?.item.content === said.item.content) return;
    const change = changeOf(said, said.item.content, version);
    const changed = await this.means.change(change);
    if (changed === 'told') await this.offerAgain(change);
    // What was never for the bot may still come: this overtook it.
    if (changed !== 'unknown') heard.set(message.id, said);
  }

  /** Who wrote what is older than the newest messages is not known any more. */
  async deleted(id: string): Promise<void> {
    const said = this.means.heard.get(id);
    if (said !== undefined) await this.means.change(changeOf(said, undefined, 'deleted'));
  }

  /** When it was the question of a turn that is over. */
  private async offerAgain(change: Change): Promise<void> {
    await untilTurnOver(this.means, change.conversation);
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
