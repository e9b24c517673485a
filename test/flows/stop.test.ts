// A turn that is stopped, parked, or cut off from Redis, over two worker processes.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import type { Bot } from '../support/flows/bot.ts';
import { test } from '../support/flows/flow-test.ts';
import { call, say } from '../support/llm/reply.ts';

const endless = say('FINISH', 'Once upon a time', { hang: 'keepalive' });
const unanswered = '⏹ Stopped: there is no answer. Ask again any time.';
const stoppedText = 'Once upon a time\n\n⏹ Stopped.';
const kept = { redisArgs: ['--appendonly', 'yes', '--appendfsync', 'always'] };

async function startTwo(bot: Bot, env: Readonly<Record<string, string>> = {}): Promise<Bot> {
  await Promise.all([bot.startWorker({ env }), bot.startWorker({ env })]);
  return bot;
}

/** Milliseconds until the promise is settled. */
async function timeOf(done: Promise<unknown>): Promise<number> {
  const from = performance.now();
  await done;
  return performance.now() - from;
}

describe.concurrent('stop', () => {
  test('ends the turn within a second, keeps its text, and hangs up on the model', async ({ startBot }) => {
    const bot = await startTwo(await startBot([endless]));
    await bot.hears('tell me a story');
    await bot.untilShown('Once upon a time');
    expect(await bot.stops({ gateway: 1 })).toBe('stopping');
    expect(await timeOf(bot.untilThread(stoppedText))).toBeLessThan(1_000);
    await bot.llm.untilHangups(1);
    await bot.untilIdle();
    // On a slow machine a trace stands beside it.
    const answers = (await bot.messages()).filter(({ kind }) => kind === 'answer');
    expect(answers).toMatchObject([{ kind: 'answer', state: 'stopped' }]);
  });

  test('is heard when it was said while the workers had no connection to hear it on', async ({
    startBot,
  }) => {
    const bot = await startTwo(await startBot([endless]));
    await bot.hears('tell me a story');
    await bot.untilShown('Once upon a time');
    expect(await bot.redis.redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub')).toBe(2);
    await bot.stops();
    expect(await timeOf(bot.untilThread(stoppedText))).toBeLessThan(1_000);
  });

  test('of which only the store was told is seen at the next step', async ({ startBot }) => {
    const slowly = call('web_fetch', { url: 'http://sums', ms: 1_000 });
    const bot = await startTwo(await startBot([slowly, endless]));
    await bot.hears('read that page');
    await bot.untilAsked(1);
    await bot.until('the tool runs', async () => (await bot.effects()).length === 1);
    await bot.stopsAndDies();
    await bot.untilThread(unanswered);
    expect(bot.llm.requests).toHaveLength(1);
  });

  test('ends a tool that is running', async ({ startBot }) => {
    const bot = await startTwo(await startBot([call('web_fetch', { url: 'http://sums', ms: 25_000 })]));
    await bot.hears('read that page');
    await bot.until('the tool runs', async () => (await bot.effects()).length === 1);
    await bot.hears('Stop!');
    expect(await timeOf(bot.untilThread(unanswered))).toBeLessThan(1_000);
  });

  test('said while a wake waits for a worker ends the turn before it asks the model', async ({
    startBot,
  }) => {
    const bot = await startBot([say('FINISH', 'Hello.')]);
    await bot.hears('tell me a story');
    await bot.stops();
    await bot.startWorker();
    await bot.untilThread(unanswered);
    expect(bot.llm.requests).toHaveLength(0);
    await bot.untilIdle();
    await bot.hears('hello?');
    await bot.untilThread(unanswered, 'Hello.');
  });

  test('said while the card of a question is on its way closes the question', async ({ startBot }) => {
    const bot = await startTwo(
      await startBot([call('ask_user', { questions: [{ prompt: 'Which chapter?' }] })]),
    );
    await bot.platform.fault({ on: 'post', kind: 'question', how: 'slow', times: 1 });
    await bot.hears('help me revise');
    await bot.until('the question is stored', async () => (await bot.openQuestion()) !== undefined);
    expect(await bot.stops()).toBe('stopping');
    await bot.untilThread('❓ Which chapter?\nClosed.');
  });

  test('said to a bot at rest changes nothing', async ({ startBot }) => {
    const bot = await startBot([say('FINISH', 'Hello.')]);
    await bot.startWorker();
    expect(await bot.stops()).toBe('idle');
    await bot.hears('hello?');
    await bot.untilThread('Hello.');
  });
});

describe.concurrent('a worker that is told to end', () => {
  test('leaves its turn to another, which goes on in the same message', async ({ startBot }) => {
    const bot = await startTwo(
      await startBot([endless, say('FINISH', 'Once upon a time there was a sum.')]),
      {
        DRAIN_MS: '5500',
      },
    );
    await bot.hears('tell me a story');
    await bot.untilShown('Once upon a time');
    const writer = await bot.writerOf('Once upon a time');
    writer.signal('SIGTERM');
    expect(await writer.ended).toEqual({ code: 0, signal: null });
    await bot.untilThread('Once upon a time there was a sum.');
    await bot.untilIdle();
    expect(await bot.messages()).toMatchObject([{ kind: 'answer', state: 'final' }]);
  });

  test('lets a short turn end first, and takes no other', async ({ startBot }) => {
    const slowly = { chunk: (text: string) => text.split(/(?<= )/), delayMs: 200 };
    const bot = await startBot([say('FINISH', 'one two three four five', slowly), say('FINISH', 'Hello.')]);
    const first = await bot.startWorker();
    await bot.hears('count');
    await bot.untilShown('one');
    first.signal('SIGTERM');
    await bot.until('it takes no more work', () => first.output().includes('Stopping'));
    await sleep(100);
    await bot.hears('hello?', { room: 'other' });
    expect(await first.ended).toEqual({ code: 0, signal: null });
    expect(await bot.thread()).toEqual(['one two three four five']);
    expect(await bot.thread('other')).toEqual([]);
    await bot.startWorker();
    await bot.untilShown('Hello.', undefined, 'other');
  });

  test('does not lose the last text when the platform is slow to take it', async ({ startBot }) => {
    const bot = await startBot([say('FINISH', 'A whole answer.')]);
    await bot.platform.fault({ on: 'post', kind: 'answer', how: 'refused', times: 2 });
    const first = await bot.startWorker({ env: { DRAIN_MS: '0' } });
    await bot.hears('tell me');
    await bot.until('the answer is recorded', async () =>
      (await bot.journal()).some(({ type }) => type === 'assistant/message'),
    );
    first.signal('SIGTERM');
    expect(await first.ended).toEqual({ code: 0, signal: null });
    await bot.startWorker();
    await bot.untilThread('A whole answer.');
    await bot.untilIdle();
    expect(await bot.messages()).toMatchObject([{ kind: 'answer', state: 'final' }]);
    expect(bot.llm.requests).toHaveLength(1);
  });

  test('while a tool runs does not tell the model that a person stopped it', async ({ startBot }) => {
    const bot = await startBot([
      call('web_fetch', { url: 'http://sums', ms: 20_000 }),
      say('FINISH', 'I could not read it.'),
    ]);
    const first = await bot.startWorker({ env: { DRAIN_MS: '0' } });
    await bot.hears('read that page');
    await bot.until('the tool runs', async () => (await bot.effects()).length === 1);
    first.signal('SIGTERM');
    expect(await first.ended).toEqual({ code: 0, signal: null });
    await bot.startWorker();
    await bot.untilThread('I could not read it.');
    const result = bot.llm.requests.at(-1)?.messages.find(({ role }) => role === 'tool');
    expect(result?.content).toMatch(/interrupted while this call was running.*It is safe to repeat/);
  });

  test('three times during one answer is no reason to give the turn up', async ({ startBot }) => {
    const bot = await startBot([endless, endless, endless, say('FINISH', 'The end.')]);
    await bot.hears('tell me a story');
    for (let life = 1; life <= 3; life += 1) {
      const worker = await bot.startWorker({ env: { DRAIN_MS: '0' } });
      await bot.untilAsked(life);
      worker.signal('SIGTERM');
      await worker.ended;
    }
    await bot.startWorker();
    await bot.untilThread('The end.');
  });
});

describe.concurrent('a Redis', () => {
  test('that is gone for ten seconds loses nothing, and the turn goes on within fifteen', async ({
    startBot,
  }) => {
    const bot = await startTwo(
      await startBot((_request, n) => (n === 0 ? endless : say('FINISH', `Answer ${n}.`)), kept),
    );
    await bot.hears('tell me a story');
    await bot.untilShown('Once upon a time');
    await bot.redis.stop();
    await sleep(10_000);
    await bot.redis.start();
    await bot.hears('and then?');
    expect(await timeOf(bot.untilSaid('tell me a story', 'and then?'))).toBeLessThan(15_000);
    await bot.untilIdle();
    expect((await bot.messages()).every(({ state }) => state === 'final')).toBe(true);
  }, 60_000);

  test('that answers nothing for ten seconds loses nothing either', async ({ startBot }) => {
    const bot = await startTwo(
      await startBot(
        [
          call('web_fetch', { url: 'http://sums', ms: 2_000 }),
          say('FINISH', 'Read.'),
          say('FINISH', 'Read.'),
        ],
        kept,
      ),
    );
    await bot.hears('read that page');
    await bot.until('the tool runs', async () => (await bot.effects()).length === 1);
    bot.redis.signal('SIGSTOP');
    await sleep(10_000);
    bot.redis.signal('SIGCONT');
    expect(await timeOf(bot.untilShown('Read.'))).toBeLessThan(15_000);
    await bot.untilIdle();
    expect(await bot.effects()).toEqual(['http://sums']);
    expect(await bot.thread()).toEqual(['Read.']);
  }, 60_000);
});
