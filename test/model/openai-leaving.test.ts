/** How a response is left, as the loop does it: after the usage, which comes before the formal end of the body. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { httpFetch } from '../../src/model/http-fetch.ts';
import type { Model, ModelChunk } from '../../src/ports/model.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';
import type { Reply, Script } from '../support/llm/reply.ts';
import { type StrictLlm, startStrictLlm } from '../support/llm/strict-llm.ts';
import { asking, hear, modelAt } from './setup.ts';

let llm: StrictLlm;
/** The time of the connections. */
let clock: ManualClock;

async function serve(script: Script): Promise<Model> {
  llm = await startStrictLlm(script);
  return modelAt(llm.url, { fetch: httpFetch(clock) });
}

beforeEach(() => {
  clock = manualClock();
});

afterEach(async () => {
  await llm.close();
  expect(llm.violations).toEqual([]);
});

/** Listens until the first chunk of this type, waits for `onLast` and leaves. */
async function hearUntil(
  type: ModelChunk['type'],
  model: Model,
  signal: AbortSignal = new AbortController().signal,
  onLast: () => unknown = () => {},
): Promise<void> {
  for await (const chunk of model.stream(asking('hello'), signal)) {
    if (chunk.type !== type) continue;
    await onLast();
    return;
  }
  throw new Error(`the response has no ${type}`);
}

/** A gate, and the way to open it. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Resolves when no connection waits for the end of a response any more. */
async function allDrained(): Promise<void> {
  while (clock.pending().length > 0) await turns(1);
  await turns(1);
}

const kilobyte = '.'.repeat(1_020);
const never = new Promise<void>(() => {});
/** A finished response whose body goes on with so many comments. */
const rambling = (count: number, comment: string): Reply => ({
  raw: [
    'data: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n',
    'data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}\n\n',
    ...Array.from({ length: count }, () => `: ${comment}\n\n`),
  ],
});

describe('a finished response that is left before its [DONE]', () => {
  test('frees its connection: two hundred requests need one', async () => {
    let done = gate();
    const model = await serve(() => ({ text: 'hello', doneAfter: done.opened }));
    for (let i = 0; i < 200; i++) {
      done = gate();
      await hearUntil('usage', model);
      await turns(5);
      expect(clock.pending()).toEqual([1_000]);
      done.open();
      await allDrained();
    }
    expect([llm.requests.length, llm.connections(), llm.hangups()]).toEqual([200, 1, 0]);
  });

  test('does not hold up the next request, which takes another connection', async () => {
    const model = await serve([{ text: 'one', doneAfter: never }, { text: 'two' }]);
    await hearUntil('usage', model);
    expect((await hear(model)).text).toBe('two');
    expect([llm.connections(), llm.hangups()]).toEqual([2, 0]);
  });

  test('is cut off a second later when its end never comes, and the next request works', async () => {
    const model = await serve([{ text: 'one', doneAfter: never }, { text: 'two' }]);
    await hearUntil('usage', model);
    await clock.advance(999);
    await turns(20);
    expect(llm.hangups()).toBe(0);
    await clock.advance(1);
    await llm.untilHangups(1);
    expect(clock.pending()).toEqual([]);
    expect((await hear(model)).text).toBe('two');
    expect(llm.connections()).toBe(2);
  });

  test('is cut off after 64 KB more when its end never comes', async () => {
    const model = await serve([{ ...rambling(4_000, kilobyte), hang: 'silent' }, { text: 'two' }]);
    await hearUntil('usage', model);
    await llm.untilHangups(1);
    expect(clock.now()).toBe(0);
    expect((await hear(model)).text).toBe('two');
  });

  test('frees its connection as well when much of the rest has arrived but is unread', async () => {
    const model = await serve(() => rambling(200, 'still here'));
    for (let i = 0; i < 3; i++) {
      await hearUntil('usage', model, undefined, () => turns(500));
      await allDrained();
    }
    expect([llm.connections(), llm.hangups()]).toEqual([1, 0]);
  });

  test('may still send a little', async () => {
    const model = await serve([{ ...rambling(30, kilobyte), hang: 'silent' }]);
    await hearUntil('usage', model);
    await turns(100);
    expect([clock.pending(), llm.hangups()]).toEqual([[1_000], 0]);
  });
});

describe('the socket is closed at once, without any wait,', () => {
  test('when the response is left before its finish', async () => {
    const model = await serve([{ text: 'half an', hang: 'silent' }]);
    await hearUntil('text', model);
    await llm.untilHangups(1);
    expect(clock.pending()).toEqual([]);
  });

  test.each<ModelChunk['type']>(['text', 'finish', 'usage'])(
    'when the person stops at its %s',
    async (type) => {
      const stop = new AbortController();
      const model = await serve([{ text: 'one two three four five six', doneAfter: never }]);
      await hearUntil(type, model, stop.signal, () => stop.abort());
      await llm.untilHangups(1);
      expect(clock.pending()).toEqual([]);
    },
  );

  test('when the person stops while only [DONE] is awaited', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped by the person');
    const model = await serve([{ text: 'all', doneAfter: never }]);
    const items = model.stream(asking('hello'), stop.signal)[Symbol.asyncIterator]();
    for (let item = await items.next(); item.value?.type !== 'usage'; item = await items.next());
    const next = items.next();
    stop.abort(reason);
    await expect(next).rejects.toBe(reason);
    await llm.untilHangups(1);
    expect(clock.pending()).toEqual([]);
  });

  test('when it is left while only [DONE] is awaited', async () => {
    const model = await serve([{ text: 'all', doneAfter: never }]);
    const items = model.stream(asking('hello'), new AbortController().signal)[Symbol.asyncIterator]();
    for (let item = await items.next(); item.value?.type !== 'usage'; item = await items.next());
    const next = items.next();
    expect(await items.return?.()).toEqual({ done: true, value: undefined });
    expect(await next).toEqual({ done: true, value: undefined });
    await llm.untilHangups(1);
    expect(clock.pending()).toEqual([]);
  });
});
