/**
 * Answers as a model sends them, shown by the real adapter on the fake in virtual time: screen, delivery, shared budget,
 * surface and the client library with its headers. Only the network and the clock are not real.
 */
import { setImmediate as turnOfEvents } from 'node:timers/promises';
import type { RESTOptions } from 'discord.js';
import { vi } from 'vitest';
import { discordPlaces } from '../../../src/adapters/discord/places.ts';
import { discordRest } from '../../../src/adapters/discord/rest.ts';
import { localRateBudgets } from '../../../src/delivery/local-rate-budgets.ts';
import { ConversationId, TurnId } from '../../../src/domain/ids.ts';
import type { Clock } from '../../../src/ports/runtime.ts';
import type { TurnPlace } from '../../../src/ports/surface.ts';
import { MessageScreen } from '../../../src/render/message-screen.ts';
import { wordsFor } from '../../../src/render/notices.ts';
import { memoryConversations } from '../../../src/store/memory.ts';
import { manualClock } from '../clock.ts';
import type { SentAnswer } from '../pace/answers.ts';
import { callMs } from '../pace/goals.ts';
import type { ShownAnswer, Write } from '../pace/run-answers.ts';
import { quietLog } from '../quiet-log.ts';
import type { ShownMessage } from './controls/views.ts';
import { inProcessDiscord } from './in-process.ts';
import type { RateKnobs } from './rest/rates.ts';

export interface AnswersAtOnce {
  readonly answers: readonly SentAnswer[];
  /** Answers are shared out among so many channels. */
  readonly rooms: number;
  readonly limits: Partial<RateKnobs>;
}

export interface OnDiscord {
  readonly shown: readonly ShownAnswer[];
  /** All calls, and those of them that were answered by 429. */
  readonly calls: number;
  readonly refused: number;
}

/** The library looks at the real clock. */
const beginMs = Date.UTC(2030, 0, 1);

export async function answersOnDiscord({ answers, rooms, limits }: AnswersAtOnce): Promise<OnDiscord> {
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
    const channels = Array.from({ length: rooms }, (_, room) => controls.addChannel(`room-${room}`));

    const show = async (answer: SentAnswer, index: number): Promise<void> => {
      const channel = channels[index % rooms] ?? '';
      await clock.sleep(answer.tokens[0] ?? 0);
      const question = controls.say('mia', `@Docent question ${index}`, { in: channel });
      const conversation = ConversationId(`discord:${question.id}`);
      const address = { surface: 'discord', place: channel, replyTo: question.id, title: 'why?' };
      const place = open(channel, { conversation, address }) as TurnPlace;
      const screen = new MessageScreen({
        ...place,
        budgets,
        ledger: conversations.ledger(conversation, TurnId('t')),
        clock,
        log: quietLog,
        signal: new AbortController().signal,
        key: `${conversation}:t`,
        words: wordsFor('en'),
      });
      screen.show({ type: 'thinking.delta', text: 'Let me see.' });
      for (const [at, time] of answer.tokens.entries()) {
        const waitMs = beginMs + time - clock.now();
        if (waitMs > 0) await clock.sleep(waitMs);
        screen.show({ type: 'answer.delta', text: `${letterOf(index, rooms)}${at % 20 === 19 ? ' ' : ''}` });
      }
      await clock.sleep(Math.max(0, beginMs + answer.endsAt - clock.now()));
      await screen.finish({ kind: 'finish', answer: '' });
    };

    await untilDone(Promise.all(answers.map(show)));
    const calls = controls.calls();
    const said = controls.botMessages();
    const shown = answers.map((answer, index): ShownAnswer => {
      const pages = said.filter(
        ({ channelId, content }) =>
          channelId === channels[index % rooms] && content.startsWith(letterOf(index, rooms)),
      );
      return { answer, writes: writesOf(pages, answer), refused: 0 };
    });
    return { shown, calls: calls.length, refused: calls.filter(({ status }) => status === 429).length };
  } finally {
    vi.useRealTimers();
  }
}

/** Each answer of a channel has a letter of its own. */
const letterOf = (index: number, rooms: number): string =>
  String.fromCharCode('a'.charCodeAt(0) + Math.floor(index / rooms));

/** Tokens are letters, so that text tells how many of them it shows. */
const lettersIn = (text: string): number => text.match(/[a-z]/g)?.length ?? 0;

function writesOf(pages: readonly ShownMessage[], { tokens }: SentAnswer): readonly Write[] {
  const visible = pages.map(() => 0);
  const versions = pages
    .flatMap(({ texts, times }, page) => texts.map((text, at) => ({ page, text, at: times[at] ?? 0 })))
    .toSorted((one, other) => one.at - other.at);
  return versions.map(({ page, text, at }, index) => {
    visible[page] = lettersIn(text);
    const shown = visible.reduce((sum, count) => sum + count, 0);
    const isFinal = index === versions.length - 1 && shown === tokens.length;
    return { at: at - beginMs, tokens: shown, isFinal };
  });
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
