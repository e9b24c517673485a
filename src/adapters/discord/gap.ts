/**
 * What was said while nobody listened or nothing could be kept, read as pages of each channel and thread. What is said there
 * meanwhile waits behind it, so that a conversation stays in order.
 */
import { ChannelType, type GatewayGuildCreateDispatchData, RateLimitError, Routes } from 'discord.js';
import { z } from 'zod';
import type { Clock, Logger } from '../../ports/runtime.ts';
import { isRefused } from './failures.ts';
import type { Inflow } from './inflow.ts';
import { type Hold, isNewer, type Progress, timeOf } from './missed.ts';
import type { HeardMessage } from './normalize.ts';
import type { Call, Rest } from './rest.ts';
import { Slots } from './slots.ts';

export interface GapMeans {
  readonly rest: Rest;
  readonly inflow: Inflow;
  readonly progress: Progress;
  /** Resolves when the message is stored. */
  readonly store: (message: HeardMessage) => Promise<void>;
  /** Messages that are older are left unanswered. */
  readonly catchUpMaxAgeMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Ends all reading. */
  readonly signal: AbortSignal;
}

/** A channel, a thread or direct messages. */
export interface Place {
  readonly id: string;
  readonly type: ChannelType;
  readonly guild?: string | undefined;
}

/** A message that came, or a change to one. */
export interface Event {
  readonly place: Place;
  readonly message: string;
  readonly isNew: boolean;
  readonly run: () => void;
}

interface Reading {
  /** Read up to this message. */
  after: string;
  readonly behind: (() => void)[];
  /** Something came that was not kept: it is read, too. */
  isCut: boolean;
  readonly hold: Hold;
}

/** Messages in one answer: the most that Discord gives. */
const pageSize = 100;
/** Channels that are read at the same time, and what each reader rests: three gateways may take 50 calls a second. */
const atOnce = 4;
const restMs = 300;
const tryAgainMs = 1_000;
/** Channels whose messages can be read as a list. */
const readable: ReadonlySet<ChannelType> = new Set([
  ChannelType.GuildText,
  ChannelType.GuildVoice,
  ChannelType.GuildStageVoice,
  ChannelType.GuildAnnouncement,
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
]);

/** Channels that have threads. */
const parents: ReadonlySet<ChannelType> = new Set([
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildForum,
]);
/** What is read of a list of archived threads. */
const archived = z.object({
  threads: z.array(
    z.object({
      id: z.string(),
      type: z.enum(ChannelType),
      last_message_id: z.string().nullish(),
      thread_metadata: z.object({ archive_timestamp: z.string() }),
    }),
  ),
  has_more: z.boolean(),
});

export class Gap {
  private readonly readings = new Map<string, Reading>();
  private readonly running = new Set<Promise<void>>();
  private readonly slots = new Slots(atOnce);

  constructor(private readonly means: GapMeans) {}

  /** What was said in a server after a message. Asked for only where the newest message is not known. */
  readServer({ id: guild, channels, threads }: GatewayGuildCreateDispatchData, after: string): void {
    for (const channel of [...channels, ...threads]) {
      const { id, type } = channel;
      if (!readable.has(type) || !('last_message_id' in channel)) continue;
      if (isNewer(channel.last_message_id, after)) this.read({ id, type, guild }, after);
    }
    for (const { id, type } of channels) if (parents.has(type)) this.readArchived(id, guild, after);
  }

  read(place: Place, after: string): void {
    const known = this.readings.get(place.id);
    if (known !== undefined) {
      if (isNewer(known.after, after)) known.after = after;
      known.isCut = true;
      return;
    }
    const hold = this.means.progress.hold(after);
    const reading: Reading = { after, behind: [], isCut: false, hold };
    this.readings.set(place.id, reading);
    const read = async () => {
      await this.readAll(place, reading);
      await this.rest();
    };
    const done = this.slots.run(read).finally(() => this.running.delete(done));
    this.running.add(done);
  }

  /** Lets an event go on: now, or behind what is read of its channel. Without room for it, it is read later. */
  pass({ place, message, isNew, run }: Event): void {
    const { inflow, log } = this.means;
    const reading = this.readings.get(place.id);
    if (inflow.hasRoom) {
      if (reading === undefined) return run();
      inflow.keep();
      reading.behind.push(() => {
        inflow.leave();
        run();
      });
    } else if (reading !== undefined) reading.isCut = true;
    else if (isNew) this.read(place, (BigInt(message) - 1n).toString());
    else
      log.warn({ message }, 'a change to a message is lost: there is no room for it while nothing is stored');
  }

  /** Resolves when nothing is read any more. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  /** Threads that were archived meanwhile come with no server: each channel is asked for its own. */
  private readArchived(channel: string, guild: string, after: string): void {
    const hold = this.means.progress.hold(after);
    const find = async () => {
      for (const { id, type } of await this.archivedIn(channel, after)) this.read({ id, type, guild }, after);
      if (!this.means.signal.aborted) hold.release();
      await this.rest();
    };
    const done = this.slots.run(find).finally(() => this.running.delete(done));
    this.running.add(done);
  }

  /** Those where something may have been said after a message. */
  private async archivedIn(channel: string, after: string): Promise<readonly Omit<Place, 'guild'>[]> {
    const { clock, catchUpMaxAgeMs, signal } = this.means;
    const since = Math.max(timeOf(after), clock.now() - catchUpMaxAgeMs);
    const found: Omit<Place, 'guild'>[] = [];
    const query = new URLSearchParams({ limit: String(pageSize) });
    while (!signal.aborted) {
      const route = Routes.channelThreads(channel, 'public');
      const body = await this.answerTo(channel, { method: 'GET', route, query });
      const page = archived.safeParse(body).data;
      const fresh =
        page?.threads.filter(({ thread_metadata: at }) => Date.parse(at.archive_timestamp) > since) ?? [];
      found.push(...fresh.filter(({ last_message_id: last }) => isNewer(last, after)));
      const oldest = fresh.at(-1)?.thread_metadata.archive_timestamp;
      // The newest come first.
      if (page?.has_more !== true || oldest === undefined || fresh.length < page.threads.length) break;
      query.set('before', oldest);
      await this.rest();
    }
    return found;
  }

  private async readAll(place: Place, reading: Reading): Promise<void> {
    const { inflow, signal } = this.means;
    do {
      reading.isCut = false;
      await inflow.room();
      await this.readPages(place, reading);
    } while (reading.isCut && !signal.aborted);
    // What is not read is read by the next process.
    if (signal.aborted) return;
    this.readings.delete(place.id);
    for (const run of reading.behind) run();
    reading.hold.release();
  }

  private async readPages(place: Place, reading: Reading): Promise<void> {
    const { clock, log, catchUpMaxAgeMs, store, signal } = this.means;
    while (!signal.aborted) {
      const page = await this.messagesOf(place.id, reading.after);
      const missed = page.toSorted((a, b) => (isNewer(a.id, b.id) ? 1 : -1));
      const fresh = missed.filter(({ id }) => timeOf(id) > clock.now() - catchUpMaxAgeMs);
      if (fresh.length < missed.length)
        log.warn(
          { channel: place.id, count: missed.length - fresh.length },
          'messages that were missed are too old to be answered',
        );
      const more = { channel_type: place.type, ...(place.guild !== undefined && { guild_id: place.guild }) };
      await Promise.all(fresh.map((message) => store({ ...message, ...more })));
      const last = missed.at(-1);
      if (last === undefined || signal.aborted) return;
      reading.after = last.id;
      if (page.length < pageSize) return;
      await this.rest();
    }
  }

  private async rest(): Promise<void> {
    const { clock, signal } = this.means;
    await clock.sleep(restMs, signal).catch(() => {}); // the process ends
  }

  private async messagesOf(channel: string, after: string): Promise<readonly HeardMessage[]> {
    const query = new URLSearchParams({ after, limit: String(pageSize) });
    const body = await this.answerTo(channel, {
      method: 'GET',
      route: Routes.channelMessages(channel),
      query,
    });
    return Array.isArray(body) ? body.filter(isMessage) : [];
  }

  /** Tried until Discord answers; undefined when the channel may not be read, or all reading ends. */
  private async answerTo(channel: string, call: Call): Promise<unknown> {
    const { rest, clock, log, signal } = this.means;
    while (!signal.aborted) {
      try {
        return (await rest(call)).body;
      } catch (error) {
        if (isRefused(error)) {
          log.debug({ error, channel }, 'a channel may not be read');
          return undefined;
        }
        log.warn({ error, channel }, 'what was missed in a channel could not be read; it is tried again');
        const askedMs = error instanceof RateLimitError ? error.retryAfter : 0;
        await clock.sleep(Math.max(askedMs, tryAgainMs), signal).catch(() => {}); // the process ends
      }
    }
    return undefined;
  }
}

/** As far as it is looked at. */
export function isMessage(value: unknown): value is HeardMessage {
  return typeof value === 'object' && value !== null && 'author' in value && 'mentions' in value;
}
