// Many conversations, few workers, and one of them dies every second.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { chance } from '../support/chance.ts';
import type { Bot } from '../support/flows/bot.ts';
import { test } from '../support/flows/flow-test.ts';
import { isFull } from '../support/flows/full.ts';
import { call, type ReceivedRequest, type Reply, say } from '../support/llm/reply.ts';
import type { Child } from '../support/processes.ts';

const rooms = Array.from({ length: 20 }, (_, at) => `room-${at + 1}`);
const messages = isFull ? 500 : 25;
const limitMs = isFull ? 600_000 : 90_000;
const workers = { env: { POISON_LIMIT: '100' } };

test(
  `${rooms.length} conversations of ${messages} messages survive a death every second`,
  async ({ startBot }) => {
    const bot = await startBot(answerTo);
    const living = [1, 2, 3].map(() => bot.startWorker(workers));
    await Promise.all(living);
    const over = new AbortController();
    const dying = killOneEverySecond(bot, living, over.signal);
    await Promise.all(rooms.map((room, at) => talk(bot, room, at)));
    for (const room of rooms) await bot.untilIdle(room, limitMs);
    over.abort();
    const deaths = await dying;

    const expected = Array.from({ length: messages }, (_, at) => at + 1);
    for (const room of rooms) {
      // What people read: every number once, in order, whatever happened to the processes in between.
      const answers = (await bot.messages(room)).filter(({ kind }) => kind === 'answer');
      expect(answers.flatMap(({ text }) => numbersIn(text))).toEqual(expected);
      expect(new Set(answers.map(({ state }) => state))).toEqual(new Set(['final']));
      // What the journal holds: no message lost, doubled or moved, and never two turns at once.
      expect((await bot.said(room)).flatMap(numbersIn)).toEqual(expected);
      const turns = (await bot.journal(room))
        .map(({ type }) => type)
        .filter((type) => /^turn\/(start|end)$/.test(type));
      expect(turns.every((type, at) => type === (at % 2 === 0 ? 'turn/start' : 'turn/end'))).toBe(true);
    }
    expect(await overlaps(bot)).toEqual([]);
    console.log(
      `${rooms.length * messages} messages, ${deaths} deaths, ${(await bot.effects()).length} tool calls`,
    );
  },
  limitMs + 30_000,
);

/** Repeats every number that has not been answered yet; remembers each fifth before it does. */
function answerTo(request: ReceivedRequest): Reply {
  let open: number[] = [];
  let hasCalled = false;
  for (const { role, content, tool_calls: made } of request.messages) {
    if (role === 'user') open.push(...numbersIn(String(content)));
    if (role === 'assistant') hasCalled = made !== undefined;
    if (role === 'assistant' && made === undefined) open = [];
  }
  const delayMs = 20;
  if (!hasCalled && open.some((number) => number % 5 === 0))
    return call('write_memory', { text: open.join(' ') }, { delayMs });
  return say('FINISH', open.map((number) => `#${number}`).join(' '), { delayMs });
}

function numbersIn(text: string): number[] {
  return [...text.matchAll(/#(\d+)/g)].map(([, number]) => Number(number));
}

async function talk(bot: Bot, room: string, seed: number): Promise<void> {
  const { upTo } = chance(seed);
  for (let number = 1; number <= messages; number += 1) {
    await bot.hears(`#${number}`, { room, gateway: number % 2 });
    await sleep(50 + upTo(500));
  }
}

/** Resolves with the number of deaths. */
async function killOneEverySecond(bot: Bot, living: Promise<Child>[], over: AbortSignal): Promise<number> {
  let deaths = 0;
  for (; !over.aborted; deaths += 1) {
    await sleep(1_000);
    living.push(bot.startWorker(workers));
    const oldest = await living.shift();
    await oldest?.kill();
  }
  await Promise.all(living);
  return deaths;
}

/** Messages to which a process wrote although another had taken the turn over. */
async function overlaps(bot: Bot): Promise<string[]> {
  const { messages: shown } = await bot.platform.state();
  return shown.flatMap(({ key, versions }) => {
    const writers = versions.map(({ by }) => by).filter((by, at, all) => by !== all[at - 1]);
    return new Set(writers).size === writers.length ? [] : [key];
  });
}
