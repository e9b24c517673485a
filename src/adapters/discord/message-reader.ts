/** What a message of Discord says to the bot: of whom, where, in which conversation, in which language. */
import { ChannelType, type Client, Routes } from 'discord.js';
import { z } from 'zod';
import type { MessageRef } from '../../domain/address.ts';
import { UnreadableJournalError } from '../../domain/errors.ts';
import type { ConversationId } from '../../domain/ids.ts';
import type { JournalRecord } from '../../domain/journal.ts';
import { pastTurn } from '../../domain/past-turn.ts';
import type { MessageOwner } from '../../ports/conversations.ts';
import type { Logger } from '../../ports/runtime.ts';
import { isRefused } from './failures.ts';
import { isMessage } from './gap.ts';
import { conversationAt, type Heard, type HeardMessage, heard, isThread } from './normalize.ts';
import { managingPermissions } from './permissions.ts';
import type { Rest } from './rest.ts';

export interface MessageReaderMeans {
  /** For what it knows of servers, channels and the bot itself. */
  readonly client: Pick<Client, 'user' | 'guilds' | 'channels'>;
  readonly rest: Rest;
  readonly followAllThreads: boolean;
  /** The language of a person, where it is known. */
  readonly localeOf: (person: string) => string | undefined;
  readonly ownerOf: (message: MessageRef) => Promise<MessageOwner | undefined>;
  readonly journalOf: (conversation: ConversationId) => Promise<readonly JournalRecord[]>;
  readonly log: Logger;
}

/** What is read of a thread. */
const child = z.object({ parent_id: z.string().nullish() });

export class MessageReader {
  constructor(private readonly means: MessageReaderMeans) {}

  /** Undefined: the bot wrote it itself, or nothing in it is for the bot. */
  async read(message: HeardMessage): Promise<Heard | undefined> {
    const { client, followAllThreads, localeOf } = this.means;
    const botId = client.user?.id ?? '';
    if (message.author.id === botId) return undefined;
    const guild = client.guilds.cache.get(message.guild_id ?? '');
    const ownRole = guild?.roles.botRoleFor(botId);
    const said = heard(message, {
      botId,
      botRoles: ownRole ? [ownRole.id] : [],
      parent: await this.parentOf(message),
      followAllThreads,
      locale: localeOf(message.author.id) ?? guild?.preferredLocale,
      isManager: this.isManager(message),
    });
    return said && this.asReply(said, conversationAt(message.channel_id));
  }

  /**
   * At the root of a channel a reply belongs to the conversation of what it replies to. A reply to an answer that is not the
   * newest is a matter of its own.
   */
  private async asReply(said: Heard, here: ConversationId): Promise<Heard> {
    const owner = said.repliesTo && (await this.means.ownerOf(said.repliesTo));
    if (owner === undefined) return said;
    const conversation = said.conversation === here ? here : owner.conversation;
    if (owner.conversation !== conversation) return said;
    const journal = await this.journalOf(conversation);
    const isOlder = pastTurn(journal, owner.turn)?.isNewest === false;
    return { ...said, conversation, item: isOlder ? { ...said.item, kind: 'next' } : said.item };
  }

  /** As far as the library knows the person, which it does of whoever has just written. */
  private isManager({ channel_id: id, author }: HeardMessage): boolean {
    const channel = this.means.client.channels.cache.get(id);
    if (channel === undefined || channel.isDMBased()) return false;
    return channel.permissionsFor(author.id)?.any(managingPermissions) === true;
  }

  /** Of a thread; lists of channels count there, too. */
  private async parentOf({
    channel_id: id,
    channel_type: type = ChannelType.GuildText,
  }: HeardMessage): Promise<string | undefined> {
    if (!isThread(type)) return undefined;
    const known = this.means.client.channels.cache.get(id);
    if (known?.isThread() === true && known.parentId !== null) return known.parentId;
    try {
      const { body } = await this.means.rest({ method: 'GET', route: Routes.channel(id) });
      return child.parse(body).parent_id ?? undefined;
    } catch (error) {
      this.means.log.warn({ error, channel: id }, 'the channel of a thread could not be read');
      return undefined;
    }
  }

  async journalOf(conversation: ConversationId): Promise<readonly JournalRecord[]> {
    try {
      return await this.means.journalOf(conversation);
    } catch (error) {
      if (!(error instanceof UnreadableJournalError)) throw error;
      return []; // whoever takes the next message says so
    }
  }

  /** A message as it reads now, as if it had just been written; undefined when it is gone. */
  async reread(channel: string, message: string, known: Partial<HeardMessage>): Promise<Heard | undefined> {
    try {
      const { body } = await this.means.rest({
        method: 'GET',
        route: Routes.channelMessage(channel, message),
      });
      return isMessage(body) ? await this.read({ ...body, ...known }) : undefined;
    } catch (error) {
      if (!isRefused(error)) throw error;
      return undefined;
    }
  }
}
