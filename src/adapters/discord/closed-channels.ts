/** Channels where the bot reads and may write nowhere: who mentions it there is told so in a direct message. */
import { createHash } from 'node:crypto';
import { type Client, PermissionFlagsBits, Routes } from 'discord.js';
import { z } from 'zod';
import type { Logger } from '../../ports/runtime.ts';
import { clickWords } from './click-words.ts';
import type { Heard, HeardMessage } from './normalize.ts';
import type { Rest } from './rest.ts';

export interface ClosedChannelsMeans {
  /** For what it knows of channels and of what the bot may do there. */
  readonly client: Pick<Client, 'channels' | 'user'>;
  readonly rest: Rest;
  /** True for one caller within so many seconds, whoever asks. */
  readonly isFirst: (thing: string, rememberedS: number) => Promise<boolean>;
  /** One sentence for the operator. */
  readonly tell: (sentence: string) => void;
  readonly log: Logger;
}

const { CreatePublicThreads, SendMessages, SendMessagesInThreads } = PermissionFlagsBits;
/** A person is told of a channel this often. */
const rememberedS = 3_600;
const direct = z.object({ id: z.string() });

export class ClosedChannels {
  /** Those the operator knows of. */
  private readonly told = new Set<string>();

  constructor(private readonly means: ClosedChannelsMeans) {}

  /** Whether no answer to this message could be written, neither beside it nor in a thread below it. */
  isClosed({ channel_id: id }: Pick<HeardMessage, 'channel_id'>): boolean {
    const { channels, user } = this.means.client;
    const channel = channels.cache.get(id);
    if (user === null || channel === undefined || channel.isDMBased()) return false;
    const allowed = channel.permissionsFor(user);
    if (allowed === null) return false;
    if (channel.isThread()) return !allowed.has(SendMessagesInThreads);
    const mayStartThread =
      !channel.isVoiceBased() && allowed.has([CreatePublicThreads, SendMessagesInThreads]);
    return !allowed.has(SendMessages) && !mayStartThread;
  }

  /** Once an hour to each person, and once to the operator. A failure is only logged. */
  async explain({ channel_id: channel, author }: HeardMessage, { item }: Heard): Promise<void> {
    const { rest, isFirst, tell, log } = this.means;
    if (!this.told.has(channel)) {
      this.told.add(channel);
      tell(
        `${this.nameOf(channel)}: the bot is asked there and may not write. In Discord open the channel's settings, Permissions, and turn on Send Messages for the role of the bot.`,
      );
    }
    const thing = `closed:${channel}:${author.id}`;
    if (!(await isFirst(thing, rememberedS))) return;
    try {
      const body = { recipient_id: author.id };
      const opened = await rest({ method: 'POST', route: Routes.userChannels(), body });
      const { id } = direct.parse(opened.body);
      const words = {
        content: clickWords(item.address.locale).closedChannel(`<#${channel}>`),
        allowed_mentions: { parse: [], users: [], roles: [], replied_user: false },
        nonce: createHash('sha256').update(`${thing}:${item.id}`).digest('base64url').slice(0, 25),
        enforce_nonce: true,
      };
      await rest({ method: 'POST', route: Routes.channelMessages(id), body: words });
    } catch (error) {
      log.warn({ error, channel }, 'a person could not be told that the bot may not write in a channel');
    }
  }

  /** `Server, #channel`, as far as the library knows them. */
  private nameOf(id: string): string {
    const channel = this.means.client.channels.cache.get(id);
    return channel === undefined || channel.isDMBased() ? id : `${channel.guild.name}, #${channel.name}`;
  }
}
