/** What was said in a server while no gateway listened, read as pages of each channel and thread. */
import { ChannelType, type GatewayGuildCreateDispatchData, Routes } from 'discord.js';
import type { Clock, Logger } from '../../ports/runtime.ts';
import { isRefused } from './failures.ts';
import type { Inflow } from './inflow.ts';
import { isNewer, timeOf } from './missed.ts';
import type { HeardMessage } from './normalize.ts';
import type { Rest } from './rest.ts';

export interface GapMeans {
  readonly rest: Rest;
  readonly inflow: Inflow;
  /** Takes a message as if it had just been heard. */
  readonly take: (message: HeardMessage) => void;
  /** Messages that are older are left unanswered. */
  readonly catchUpMaxAgeMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Messages in one answer: the most that Discord gives. */
const pageSize = 100;
/** Channels whose messages can be read as a list. */
const readable: ReadonlySet<ChannelType> = new Set([
  ChannelType.GuildText,
  ChannelType.GuildVoice,
  ChannelType.GuildAnnouncement,
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
]);

export class Gap {
  constructor(private readonly means: GapMeans) {}

  /** What was said in a server while nobody listened. Asked for only where the newest message is not known. */
  read({ id: guild, channels, threads }: GatewayGuildCreateDispatchData, from: string | undefined): void {
    if (from === undefined) return;
    for (const channel of [...channels, ...threads]) {
      const { id, type } = channel;
      if (!readable.has(type) || !('last_message_id' in channel) || !isNewer(channel.last_message_id, from))
        continue;
      this.means.inflow.take(`gap:${id}`, () => this.readFrom(from, { id, type, guild }));
    }
  }

  private async readFrom(
    from: string,
    where: { id: string; type: ChannelType; guild: string },
  ): Promise<void> {
    const { clock, log, catchUpMaxAgeMs, take } = this.means;
    for (let after = from; ; ) {
      const query = new URLSearchParams({ after, limit: String(pageSize) });
      const page = await this.messagesOf(where.id, query);
      const missed = page.toSorted((a, b) => (isNewer(a.id, b.id) ? 1 : -1));
      const fresh = missed.filter(({ id }) => timeOf(id) > clock.now() - catchUpMaxAgeMs);
      if (fresh.length < missed.length)
        log.warn(
          { channel: where.id, count: missed.length - fresh.length },
          'messages that were missed are too old to be answered',
        );
      for (const message of fresh) take({ ...message, guild_id: where.guild, channel_type: where.type });
      const last = missed.at(-1);
      if (last === undefined || page.length < pageSize) return;
      after = last.id;
    }
  }

  private async messagesOf(channel: string, query: URLSearchParams): Promise<readonly HeardMessage[]> {
    try {
      const { body } = await this.means.rest({
        method: 'GET',
        route: Routes.channelMessages(channel),
        query,
      });
      return Array.isArray(body) ? body.filter(isMessage) : [];
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.means.log.debug({ error, channel }, 'a channel may not be read');
      return [];
    }
  }
}

/** As far as it is looked at. */
export function isMessage(value: unknown): value is HeardMessage {
  return typeof value === 'object' && value !== null && 'author' in value && 'mentions' in value;
}
