/**
 * What was said while nobody listened, or while nothing could be kept: read from each place where the bot was spoken with,
 * after the mark up to which everything is stored. What is said in a place meanwhile waits until the place is read.
 */
import { z } from 'zod';
import { RateLimitedError } from '../../domain/errors.ts';
import type { Inflow } from '../../gateway/inflow.ts';
import type { Progress } from '../../gateway/progress.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import { isRefused, meaningOf } from './failures.ts';
import type { HeardMessage } from './normalize.ts';
import { saidMessage } from './payloads.ts';
import { placeName, readPlace, type SlackPlace } from './place.ts';
import type { Arguments, WebFor } from './web.ts';

export interface GapMeans {
  readonly webFor: WebFor;
  /** The places where people spoke with the bot last, as `placeName` writes them; newest first. */
  readonly placesSpokenIn: () => Promise<readonly string[]>;
  /** The workspace of the token in the settings, as far as it is known. */
  readonly ownTeam: () => Promise<string | undefined>;
  /** Resolves when the message is stored, as far as it is for the bot. */
  readonly store: (message: HeardMessage) => Promise<void>;
  readonly inflow: Inflow;
  readonly progress: Progress;
  /** Messages that are older are left unanswered. */
  readonly catchUpMaxAgeMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Ends all reading. */
  readonly signal: AbortSignal;
}

/** Slack allows fifty of these calls a minute, and workers read, too. Unit: milliseconds. */
const restMs = 1_500;
const tryAgainMs = 5_000;
const pageSize = 100;
/** Events may overtake each other by so much: what is read again is stored once. Unit: microseconds. */
const overlapUs = 10_000_000n;

/** More than these are not read: it would take longer than Slack sends things again. */
const maxChannels = 500;
const channelTypes = 'public_channel,private_channel,mpim,im';

const listed = z.object({
  messages: z.array(z.unknown()).default([]),
  channels: z.array(z.object({ id: z.string() })).default([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

export class Gap {
  private readonly running = new Set<Promise<void>>();
  /** Places that are still to be read, each with how to have it read at once. */
  private readonly waiting = new Map<string, () => Promise<void>>();

  constructor(private readonly means: GapMeans) {}

  /** Reads everything after this mark. */
  read(after: string): void {
    const hold = this.means.progress.hold(after);
    const done = this.readAll(beginOf(after)).finally(() => {
      if (!this.means.signal.aborted) hold.release();
      this.running.delete(done);
    });
    this.running.add(done);
  }

  /** Resolves when what was said in this place before has been read, as far as any is to be. */
  async before(place: SlackPlace): Promise<void> {
    await this.waiting.get(placeName(place))?.();
  }

  /** Resolves when nothing is read any more. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  private async readAll(after: bigint): Promise<void> {
    const { placesSpokenIn, inflow, clock, log, signal, catchUpMaxAgeMs } = this.means;
    const oldest = BigInt(Math.floor(clock.now() - catchUpMaxAgeMs)) * 1_000n;
    if (after < oldest)
      log.warn({ catchUpMaxAgeMs }, 'messages that were missed before that are left unanswered');
    let places: readonly string[] = [];
    // The store may be away: it is asked as often as it takes.
    await inflow.take('places', async () => void (places = await placesSpokenIn()));
    places = [...new Set([...places, ...(await this.channelsOfTeams(places))])];
    const from = tsOf(after > oldest ? after : oldest);
    for (const name of places) {
      let reading: Promise<void> | undefined;
      this.waiting.set(
        name,
        () => (reading ??= this.readPlace(readPlace(name), from).finally(() => this.waiting.delete(name))),
      );
    }
    for (const name of places) {
      if (signal.aborted) return;
      const read = this.waiting.get(name);
      if (read === undefined) continue;
      await read();
      await clock.sleep(restMs, signal).catch(() => {}); // the process ends
    }
  }

  /** In these the bot may have been spoken to for the first time. */
  private async channelsOfTeams(places: readonly string[]): Promise<string[]> {
    const own = await this.means.ownTeam();
    const teams = new Set([
      ...places.map((name) => readPlace(name).team),
      ...(own === undefined ? [] : [own]),
    ]);
    const found: string[] = [];
    for (const team of teams) {
      let cursor: string | undefined;
      do {
        const args = { types: channelTypes, exclude_archived: true, limit: pageSize };
        const page = await this.page(team, 'users.conversations', { ...args, ...(cursor && { cursor }) });
        found.push(...(page?.channels ?? []).map(({ id }) => placeName({ team, channel: id })));
        cursor = page?.response_metadata?.next_cursor || undefined;
      } while (cursor !== undefined && found.length < maxChannels);
    }
    return found;
  }

  private async readPlace({ team, channel, thread }: SlackPlace, oldest: string): Promise<void> {
    const { log, store, signal } = this.means;
    const method = thread === undefined ? 'conversations.history' : 'conversations.replies';
    const args = { channel, oldest, limit: pageSize, ...(thread !== undefined && { ts: thread }) };
    const found: HeardMessage[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.page(team, method, { ...args, ...(cursor !== undefined && { cursor }) });
      for (const each of page?.messages ?? []) {
        const message = saidMessage.safeParse(each).data;
        // The root comes on every page, whatever is asked for.
        if (message !== undefined && Number(message.ts) > Number(oldest))
          found.push({ ...message, team, channel });
      }
      cursor = page?.response_metadata?.next_cursor || undefined;
    } while (cursor !== undefined);
    // Some of it was not read: the next process reads all of it, in order.
    if (signal.aborted) return;
    const inOrder = [...new Map(found.map((each) => [each.ts, each])).values()].toSorted((one, other) =>
      one.ts < other.ts ? -1 : 1,
    );
    if (inOrder.length > 0) log.debug({ channel, count: inOrder.length }, 'messages may have been missed');
    await Promise.all(inOrder.map(store));
  }

  /** Tried until Slack answers; undefined when the place may not be read. */
  private async page(
    team: string,
    method: string,
    args: Arguments,
  ): Promise<z.output<typeof listed> | undefined> {
    const { webFor, clock, log, signal } = this.means;
    while (!signal.aborted) {
      try {
        const web = await webFor(team);
        return listed.parse(await web(method, args, signal));
      } catch (error) {
        if (signal.aborted) return undefined;
        if (isRefused(error)) {
          log.debug({ error, channel: args['channel'] }, 'a place may not be read');
          return undefined;
        }
        log.warn({ error, channel: args['channel'] }, 'what was missed could not be read; it is tried again');
        const meaning = meaningOf(error);
        const askedMs = meaning instanceof RateLimitedError ? (meaning.retryAfterMs ?? 0) : 0;
        await clock.sleep(Math.max(askedMs, tryAgainMs), signal).catch(() => {}); // the process ends
      }
    }
    return undefined;
  }
}

/** `1700000000.000100` as a whole number of microseconds. */
export function markOf(ts: string): string {
  return ts.replace('.', '');
}

/** The mark of a moment. Unit: milliseconds since 1970. */
export function markAt(ms: number): string {
  return `${Math.floor(ms)}000`;
}

function tsOf(mark: bigint): string {
  const digits = mark.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

function beginOf(after: string): bigint {
  const mark = BigInt(after) - overlapUs;
  return mark > 0n ? mark : 0n;
}
