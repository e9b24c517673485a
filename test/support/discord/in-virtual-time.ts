/**
 * The worker's side of Discord on the fake in virtual time: screen, delivery, shared budget, surface and the client library
 * with its headers. Only the network and the clock are not real.
 */
import { setImmediate as turnOfEvents } from 'node:timers/promises';
import type { RESTOptions } from 'discord.js';
import { vi } from 'vitest';
import { discordPlaces } from '../../../src/adapters/discord/places.ts';
import { discordRest, type Rest } from '../../../src/adapters/discord/rest.ts';
import { localRateBudgets } from '../../../src/delivery/local-rate-budgets.ts';
import { ConversationId, TurnId } from '../../../src/domain/ids.ts';
import type { RateBudgets } from '../../../src/ports/rate-budget.ts';
import type { Clock } from '../../../src/ports/runtime.ts';
import type { TurnPlace } from '../../../src/ports/surface.ts';
import { MessageScreen } from '../../../src/render/message-screen.ts';
import { wordsFor } from '../../../src/render/notices.ts';
import { memoryConversations } from '../../../src/store/memory.ts';
import { manualClock } from '../clock.ts';
import { callMs } from '../pace/goals.ts';
import { quietLog } from '../quiet-log.ts';
import type { Controls } from './controls/controls.ts';
import { inProcessDiscord } from './in-process.ts';
import type { RateKnobs } from './rest/rates.ts';

/** The library looks at the real clock. */
export const beginMs = Date.UTC(2030, 0, 1);

export interface VirtualDiscord {
  readonly controls: Controls;
  readonly clock: Clock;
  readonly rest: Rest;
  readonly budgets: RateBudgets;
  /** The screen of the turn that a message opened. */
  screenFor(question: { readonly id: string; readonly channelId: string }): MessageScreen;
  /** Lets time pass until it is done. */
  untilDone<Result>(work: Promise<Result>): Promise<Result>;
}

/** Everything that is done in `run` happens in virtual time, which begins at `beginMs`. */
export async function inVirtualTime<Result>(
  limits: Partial<RateKnobs>,
  run: (world: VirtualDiscord) => Promise<Result>,
): Promise<Result> {
  vi.useFakeTimers({ toFake: ['Date'], now: beginMs });
  try {
    const { clock, network, untilDone } = clockForAll();
    const { controls, api, makeRequest } = inProcessDiscord(network.clock);
    controls.rates(limits);
    controls.latency(callMs);
    const rest = discordRest({ token: controls.ids().token, apiUrl: api }, network.watched(makeRequest));
    const open = discordPlaces({ rest, clock, log: quietLog, placement: 'channel' });
    const conversations = memoryConversations(clock);
    const budgets = localRateBudgets(clock);
    const screenFor: VirtualDiscord['screenFor'] = ({ id, channelId }) => {
      const conversation = ConversationId(`discord:${id}`);
      const address = { surface: 'discord', place: channelId, replyTo: id, title: 'why?' };
      return new MessageScreen({
        ...(open(channelId, { conversation, address }) as TurnPlace),
        budgets,
        ledger: conversations.ledger(conversation, TurnId('t')),
        clock,
        log: quietLog,
        signal: new AbortController().signal,
        key: `${conversation}:t`,
        words: wordsFor('en'),
      });
    };
    return await run({ controls, clock, rest, budgets, screenFor, untilDone });
  } finally {
    vi.useRealTimers();
  }
}

/** Time goes on when nothing can happen without it; the library's clock goes with it. */
function clockForAll() {
  const base = manualClock(beginMs);
  const clock: Clock = {
    now: base.now,
    after: (ms, run) =>
      base.after(ms, () => {
        vi.setSystemTime(base.now());
        run();
      }),
    async sleep(ms, signal) {
      await base.sleep(ms, signal);
      vi.setSystemTime(base.now());
    },
  };
  /** Calls on their way, and those of them that are waiting for time to pass. */
  let calls = 0;
  let asleep = 0;
  const network = {
    clock: {
      ...clock,
      async sleep(ms: number) {
        asleep += 1;
        await clock.sleep(ms);
        asleep -= 1;
      },
    } satisfies Clock,
    watched:
      (make: RESTOptions['makeRequest']): RESTOptions['makeRequest'] =>
      async (url, init) => {
        calls += 1;
        try {
          return await make(url, init);
        } finally {
          calls -= 1;
        }
      },
  };
  /** Reading a body takes turns of the event loop, also when no time passes. */
  const untilStill = async () => {
    for (let still = 0; still < 3; still = calls === asleep ? still + 1 : 0) await turnOfEvents();
  };
  const untilDone = async <Result>(work: Promise<Result>): Promise<Result> => {
    const over = new AbortController();
    const watched = work.finally(() => over.abort());
    watched.catch(() => {}); // awaited below
    while (!over.signal.aborted) {
      await untilStill();
      await base.advance(base.pending()[0] ?? 0);
    }
    return watched;
  };
  return { clock, network, untilDone };
}
