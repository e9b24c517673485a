// Messages that come while a turn waits or runs, over two worker processes and two gateways.
import { describe, expect } from 'vitest';
import type { Bot } from '../support/flows/bot.ts';
import { test } from '../support/flows/flow-test.ts';
import { held } from '../support/llm/held.ts';
import { call, type ReceivedRequest, say } from '../support/llm/reply.ts';

async function startTwo(bot: Bot): Promise<Bot> {
  await Promise.all([bot.startWorker(), bot.startWorker()]);
  return bot;
}

/** The words of people in a request, in order. */
function wordsIn(request: ReceivedRequest | undefined): unknown[] {
  return (request?.messages ?? []).filter(({ role }) => role === 'user').map(({ content }) => content);
}

describe.concurrent('a message', () => {
  test('that comes while a tool runs is used in the same turn', async ({ startBot }) => {
    const reading = call('web_fetch', { url: 'http://sums', ms: 800 });
    const bot = await startTwo(await startBot([reading, say('FINISH', 'Equations, then.')]));
    await bot.hears('explain sums');
    await bot.until('the tool runs', async () => (await bot.effects()).length === 1);
    expect(await bot.hears('no, equations', { gateway: 1, as: 'mia' })).toBe('queued');
    await bot.untilThread('Equations, then.');
    await bot.untilIdle();
    expect(wordsIn(bot.llm.requests[1])).toEqual(['explain sums', 'no, equations']);
    expect((await bot.journal()).filter(({ type }) => type === 'turn/start')).toHaveLength(1);
  });

  test('that comes while the answer is written gets an answer of its own in the same turn', async ({
    startBot,
  }) => {
    const first = held(say('FINISH', 'Sums are easy.'));
    const bot = await startTwo(
      await startBot((_request, n) => (n === 0 ? first.reply() : say('FINISH', 'So are equations.'))),
    );
    await bot.hears('explain sums');
    await bot.untilAsked(1);
    await bot.hears('and equations?');
    first.release();
    await bot.untilThread('Sums are easy.', 'So are equations.');
    await bot.untilIdle();
    expect((await bot.journal()).filter(({ type }) => type === 'turn/start')).toHaveLength(1);
    const answers = (await bot.messages()).filter(({ kind }) => kind === 'answer');
    expect(answers.map(({ state }) => state)).toEqual(['final', 'final']);
  });

  test('one of seven that come at once is not lost: five join the next step, the rest the one after', async ({
    startBot,
  }) => {
    const first = held(say('THINK', 'Hm.'));
    const second = held(say('THINK', 'Hm, hm.'));
    const bot = await startTwo(
      await startBot((_request, n) => [first.reply(), second.reply(), say('FINISH', 'All seven.')][n] ?? {}),
    );
    await bot.hears('listen');
    await bot.untilAsked(1);
    const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
    for (const word of words) await bot.hears(word);
    first.release();
    await bot.untilAsked(2);
    second.release();
    await bot.untilThread('All seven.');
    expect(wordsIn(bot.llm.requests[1])).toEqual(['listen', ...words.slice(0, 5)]);
    expect(wordsIn(bot.llm.requests[2])).toEqual(['listen', ...words]);
  });

  test('of kind next waits for a turn of its own, and those after it too', async ({ startBot }) => {
    const first = held(say('FINISH', 'First.'));
    const bot = await startTwo(
      await startBot((_request, n) => (n === 0 ? first.reply() : say('FINISH', `Answer ${n + 1}.`))),
    );
    await bot.hears('one');
    await bot.untilAsked(1);
    await bot.hears('/next two');
    await bot.hears('/next three');
    first.release();
    await bot.untilThread('First.', 'Answer 2.', 'Answer 3.');
    expect(await bot.said()).toEqual(['one', 'two', 'three']);
    expect(bot.llm.requests.map((request) => wordsIn(request).at(-1))).toEqual(['one', 'two', 'three']);
  });

  test('of kind next that comes while a question is open is no answer to it', async ({ startBot }) => {
    const ask = call('ask_user', { questions: [{ prompt: 'Which chapter?' }] });
    const bot = await startTwo(
      await startBot([ask, say('FINISH', 'Chapter three.'), say('FINISH', 'A sum is …')]),
    );
    await bot.hears('help me revise');
    await bot.untilShown('Which chapter?');
    await bot.untilIdle();
    await bot.hears('/next what is a sum?');
    await bot.untilIdle();
    expect(await bot.thread()).toEqual(['❓ Which chapter?']);
    await bot.hears('three');
    await bot.untilThread('❓ Which chapter?\n✓ three', 'Chapter three.', 'A sum is …');
  });

  test('that is only a note opens no turn and joins the next', async ({ startBot }) => {
    const bot = await startTwo(await startBot([say('FINISH', 'Hello.')]));
    expect(await bot.hears('the lesson begins at nine', { kind: 'note' })).toBe('queued');
    await bot.hears('hello');
    await bot.untilThread('Hello.');
    expect(wordsIn(bot.llm.requests[0])).toEqual(['the lesson begins at nine', 'hello']);
  });

  test('changed or deleted before anybody took it is what it became', async ({ startBot }) => {
    const bot = await startBot([say('FINISH', 'Hello.')]);
    await bot.hears('explain smus', { id: 'first' });
    await bot.hears('forget it', { id: 'second' });
    expect(await bot.changes('first', 'explain sums')).toBe('changed');
    expect(await bot.changes('second', undefined)).toBe('changed');
    await bot.startWorker();
    await bot.untilThread('Hello.');
    expect(wordsIn(bot.llm.requests[0])).toEqual(['explain sums']);
    expect(await bot.changes('first', 'explain products')).toBe('told');
  });

  test('that was the only one and is deleted before anybody took it leads to nothing', async ({
    startBot,
  }) => {
    const bot = await startBot([say('FINISH', 'Hello.')]);
    await bot.hears('oops', { id: 'first' });
    await bot.changes('first', undefined);
    await bot.startWorker();
    await bot.untilIdle();
    expect(bot.llm.requests).toHaveLength(0);
    await bot.hears('hello');
    await bot.untilThread('Hello.');
  });

  test('delivered ten times by two gateways, out of order, is heard once', async ({ startBot }) => {
    const bot = await startTwo(await startBot((_request, n) => say('FINISH', `Answer ${n + 1}.`)));
    const copies = Array.from({ length: 10 }, (_, at) => bot.hears('hello', { id: 'one', gateway: at % 2 }));
    const results = await Promise.all(copies);
    expect(results.filter((result) => result !== 'duplicate')).toEqual(['queued']);
    await bot.untilThread('Answer 1.');
    await bot.untilIdle();
    expect(await bot.hears('hello', { id: 'one' })).toBe('duplicate');
    expect(await bot.hears('hello', { id: 'two' })).toBe('queued');
    await bot.untilThread('Answer 1.', 'Answer 2.');
  });

  test('of two people in one room, and of two rooms at once, each gets its answer', async ({ startBot }) => {
    const bot = await startTwo(
      await startBot((request) =>
        say('FINISH', `You said ${String(wordsIn(request).at(-1)).split('\n').at(-1)}.`),
      ),
    );
    await bot.hears('red', { as: 'mia' });
    await bot.hears('blue', { as: 'ben', room: 'other' });
    await bot.untilShown('red');
    await bot.untilShown('blue', undefined, 'other');
    await bot.untilIdle();
    await bot.hears('green', { as: 'ben' });
    await bot.untilShown('green');
    expect(await bot.thread()).toEqual(['You said red.', 'You said green.']);
    expect(await bot.thread('other')).toEqual(['You said blue.']);
  });
});
