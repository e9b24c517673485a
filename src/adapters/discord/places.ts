/** Where a turn on Discord shows what: the answer where it was asked, everything else in the thread under the question. */
import { Routes } from 'discord.js';
import { Recent } from '../../gateway/recent.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import type { OpenPlace } from '../../ports/surface.ts';
import type { Rest } from './rest.ts';
import { fixedSpot, threadSpot } from './spot.ts';
import { discordSurface } from './surface.ts';

export interface PlacesMeans {
  readonly rest: Rest;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether the answer to a message of a channel stands there too, or in its thread. */
  readonly placement: 'channel' | 'thread';
}

/** "… is typing" is shown for 10 s. Unit: milliseconds. */
const typingMs = 8_000;
/** Turns that follow each other closely share it: Discord takes five in 5 s. Unit: milliseconds. */
const typingGapMs = 1_250;
const typingPlaces = 1_000;

export function discordPlaces({ rest, clock, log, placement }: PlacesMeans): OpenPlace {
  const typedAt = new Recent<number>(typingPlaces);
  return (place, { conversation, address: { replyTo, title, noThreads, locale } }) => {
    const talk = { conversation, locale };
    const thread = conversation.slice('discord:'.length);
    if (thread === place || replyTo === undefined) {
      const answer = discordSurface(rest, fixedSpot({ channel: place }), talk);
      return { answer, side: answer, work: () => typeIn(place) };
    }
    const inChannel = fixedSpot({ channel: place, replyTo });
    if (noThreads) {
      const answer = discordSurface(rest, inChannel, talk);
      const side = discordSurface(rest, fixedSpot({ channel: place, replyTo, isSubstitute: true }), talk);
      return { answer, side, work: () => typeIn(place) };
    }
    const inThread = threadSpot({ rest, log, parent: place, message: thread, replyTo, title });
    const side = discordSurface(rest, inThread, talk);
    // Where the channel takes no more messages, its thread may.
    const openChannel = { ...inChannel, instead: (signal: AbortSignal) => inThread.open(signal) };
    return {
      answer: placement === 'thread' ? side : discordSurface(rest, openChannel, talk),
      side,
      work() {
        // Also when nothing is to be said there: it is where people go on. Whoever writes there opens it if this fails.
        inThread.open(new AbortController().signal).catch((error: unknown) => {
          log.warn({ error, channel: place }, 'the thread of a question could not be opened yet');
        });
        return typeIn(placement === 'thread' ? thread : place);
      },
    };
  };

  function typeIn(channel: string): () => void {
    let cancel = () => {};
    const type = () => {
      cancel = clock.after(typingMs, type);
      if (clock.now() < (typedAt.get(channel) ?? Number.NEGATIVE_INFINITY) + typingGapMs) return;
      typedAt.set(channel, clock.now());
      rest({ method: 'POST', route: Routes.channelTyping(channel) }).catch(() => {}); // only for show
    };
    type();
    return () => cancel();
  }
}
