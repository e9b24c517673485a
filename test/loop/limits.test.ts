// How long a stream may be silent, on a clock that the test moves.
import { expect, test } from 'vitest';
import type { ModelChunk } from '../../src/ports/model.ts';
import { manualClock } from '../support/clock.ts';
import { call, calling, Dialogue, plain, say, tool } from '../support/dialogue.ts';

const text = (part: string): ModelChunk => ({ type: 'text', text: part });

/** Sends the chunks, then says nothing until it is aborted. */
function silentAfter(...chunks: readonly ModelChunk[]) {
  return async function* (signal: AbortSignal): AsyncGenerator<ModelChunk> {
    yield* chunks;
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
}

test('no first chunk within 120 s is an error that may be tried again', async () => {
  const clock = manualClock();
  const bot = new Dialogue([silentAfter()], { clock });
  const running = bot.hears();
  await clock.untilWaiting();
  await clock.advance(119_999);
  expect(bot.events.some((event) => event.type === 'turn.ended')).toBe(false);
  await clock.advance(1);
  expect((await running).outcome).toMatchObject({
    kind: 'error',
    retryable: true,
    failure: { code: 'model.idle' },
  });
});

test('60 s of silence before any final text fails the step', async () => {
  const clock = manualClock();
  const bot = new Dialogue([silentAfter(text('``THINK``\nLet me'))], { clock });
  const running = bot.hears();
  await clock.untilWaiting();
  await clock.advance(60_000);
  expect((await running).outcome).toMatchObject({ kind: 'error', failure: { code: 'model.idle' } });
});

test('8 s of silence after final text cut the reply: the text stays and the answer is continued', async () => {
  const clock = manualClock();
  const bot = new Dialogue([silentAfter(text('``FINISH``\nOne, ')), say('FINISH', 'two.')], { clock });
  const running = bot.hears();
  await clock.untilWaiting();
  await clock.advance(8_000);
  expect((await running).outcome).toEqual({ kind: 'finish', answer: 'One, two.' });
  expect(bot.log()).toContain('user/message(continue)');
});

test('a slow but living answer is not cut', async () => {
  const clock = manualClock();
  async function* slow(): AsyncGenerator<ModelChunk> {
    for (const part of ['``FINISH``\n', 'a', 'b', 'c', 'd']) {
      yield text(part);
      await clock.sleep(7_000);
    }
    yield { type: 'finish', reason: 'stop' };
    yield { type: 'usage', usage: { prompt: 1, completion: 1 } };
  }
  const bot = new Dialogue([slow], { clock });
  const running = bot.hears();
  await clock.untilWaiting();
  await clock.advance(60_000);
  expect((await running).outcome).toEqual({ kind: 'finish', answer: 'abcd' });
  expect(bot.requests).toHaveLength(1);
});

test('after the finish reason the usage frame is awaited for one second, then estimated', async () => {
  const clock = manualClock();
  const bot = new Dialogue([silentAfter(text('``FINISH``\nHi.'), { type: 'finish', reason: 'stop' })], {
    clock,
  });
  const running = bot.hears();
  await clock.untilWaiting();
  await clock.advance(1_000);
  expect((await running).outcome).toEqual({ kind: 'finish', answer: 'Hi.' });
  expect(bot.records.find((record) => record.type === 'step/end')).toMatchObject({
    usage: { estimated: true },
  });
});

test('the wait that an adapter announces before it asks again does not count as silence', async () => {
  const clock = manualClock();
  async function* retried(): AsyncGenerator<ModelChunk> {
    yield { type: 'retrying', attempt: 1, afterMs: 20_000, why: '429' };
    await clock.sleep(130_000);
    yield* plain('``FINISH``\nHi.');
  }
  const bot = new Dialogue([retried], { clock });
  const running = bot.hears();
  await clock.untilWaiting();
  await clock.advance(130_000);
  expect((await running).outcome).toEqual({ kind: 'finish', answer: 'Hi.' });
  expect(bot.events).toContainEqual({ type: 'notice', notice: 'retrying', detail: '429' });
});

test('a tool that hangs is answered after its time-out and the turn goes on', async () => {
  const clock = manualClock();
  const hangs = tool('hangs', () => new Promise(() => {}), { timeoutMs: 15_000 });
  const bot = new Dialogue(
    [calling('``TOOL``\nhm', call('hangs', {}, 'a')), say('FINISH', 'It did not answer.')],
    { clock, tools: [hangs] },
  );
  const running = bot.hears();
  await clock.untilWaiting();
  await clock.advance(15_000);
  expect((await running).outcome).toMatchObject({ kind: 'finish' });
  expect(bot.records).toContainEqual(
    expect.objectContaining({
      type: 'tool/result',
      status: 'error',
      content: 'hangs did not answer within 15 s.',
    }),
  );
});
