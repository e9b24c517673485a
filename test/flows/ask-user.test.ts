// A question to the person, over two worker processes and two gateways: whoever is alive goes on with the turn.
import { describe, expect } from 'vitest';
import type { Bot } from '../support/flows/bot.ts';
import { test } from '../support/flows/flow-test.ts';
import { call, calls, type Reply, say } from '../support/llm/reply.ts';

const chapters = { prompt: 'Which chapter?', options: [{ label: 'One' }, { label: 'Two' }] };
const ask = (more: object = {}, ...questions: readonly object[]) =>
  call('ask_user', { questions: [chapters, ...questions], ...more });
const goOn = say('FINISH', 'Let us begin.');
const openCard = '❓ Which chapter?\n1. One\n2. Two';

/** What the model was told as the answer, in its last request. */
function answerToModel(bot: Bot): unknown {
  const result = bot.llm.requests.at(-1)?.messages.findLast(({ role }) => role === 'tool');
  return JSON.parse(String(result?.content));
}

type StartBot = (script: readonly Reply[]) => Promise<Bot>;

/** A bot that has asked, by one of two workers where it matters which of them goes on. */
async function askedBy(startBot: StartBot, question = ask(), workers = 1): Promise<Bot> {
  const bot = await startBot([question, goOn]);
  await Promise.all(Array.from({ length: workers }, () => bot.startWorker()));
  await bot.hears('help me revise');
  await bot.untilShown('Which chapter?');
  await bot.untilIdle();
  return bot;
}

describe.concurrent('an open question', () => {
  test('is answered by a reply, and the same turn goes on', async ({ startBot }) => {
    const bot = await askedBy(startBot, ask(), 2);
    await bot.hears('the second one');
    await bot.untilThread('❓ Which chapter?\n✓ the second one', 'Let us begin.');
    expect(answerToModel(bot)).toEqual({
      answers: [{ id: 'q1', selected: [], text: 'the second one', status: 'answered' }],
      by: 'fake:mia',
      at: expect.stringMatching(/^\d{4}-/),
    });
    expect((await bot.journal()).filter(({ type }) => type === 'turn/start')).toHaveLength(1);
  });

  test('is answered by a button; a second press of it is too late', async ({ startBot }) => {
    const bot = await askedBy(startBot, ask(), 2);
    const question = await bot.shownQuestion();
    expect(await bot.clicksOn(question, 'Two')).toBe('queued');
    await bot.untilThread('❓ Which chapter?\n✓ Two', 'Let us begin.');
    expect(await bot.clicksOn(question, 'One')).toBe('late');
    expect(answerToModel(bot)).toMatchObject({ answers: [{ selected: ['Two'] }] });
  });

  test('with several parts is answered by one form, or part by part', async ({ startBot }) => {
    const exercise = { prompt: 'Which exercise?' };
    const script = [ask({}, exercise), goOn, ask({}, exercise), goOn];
    const bot = await startBot(script);
    await bot.startWorker();
    await bot.hears('help me revise');
    await bot.untilShown('Which exercise?');
    await bot.untilIdle();
    await bot.clicks(['Two', 'seven']);
    await bot.untilShown('Let us begin.');
    await bot.untilIdle();

    await bot.hears('once more');
    await bot.untilAsked(3);
    await bot.untilShown(`${openCard}\n\n❓ Which exercise?`);
    await bot.untilIdle();
    await bot.hears('1');
    await bot.untilShown('❓ Which chapter?\n✓ One\n\n❓ Which exercise?');
    await bot.untilIdle();
    await bot.hears('number eight');
    await bot.untilAsked(4);
    await bot.untilIdle();
    expect(await bot.thread()).toEqual([
      '❓ Which chapter?\n✓ Two\n\n❓ Which exercise?\n✓ seven',
      'Let us begin.',
      '❓ Which chapter?\n✓ One\n\n❓ Which exercise?\n✓ number eight',
      'Let us begin.',
    ]);
  });

  test('that takes no free text asks again when the reply is no option', async ({ startBot }) => {
    const strict = call('ask_user', { questions: [{ ...chapters, allow_free_text: false }] });
    const bot = await askedBy(startBot, strict);
    await bot.hears('the blue one');
    await bot.untilThread(openCard, 'Please choose one of the options.');
    await bot.untilIdle();
    await bot.hears('two');
    await bot.untilThread('❓ Which chapter?\n✓ Two', 'Please choose one of the options.', 'Let us begin.');
  });

  test('waits for its asker: others are heard, told once, and their words reach the model', async ({
    startBot,
  }) => {
    const bot = await askedBy(startBot, ask(), 2);
    await bot.hears('what is this about?', { as: 'ben' });
    await bot.hears('@docent answer me instead', { as: 'ben', mentioned: true });
    await bot.untilThread(openCard, 'I am waiting for mia to answer first.');
    await bot.untilIdle();
    await bot.hears('@docent hello?', { as: 'ben', mentioned: true });
    await bot.untilIdle();
    await bot.hears('One', { gateway: 1 });
    await bot.untilThread(
      '❓ Which chapter?\n✓ One',
      'I am waiting for mia to answer first.',
      'Let us begin.',
    );
    const told = JSON.stringify(bot.llm.requests.at(-1)?.messages);
    for (const words of ['what is this about?', '@docent answer me instead', '@docent hello?'])
      expect(told).toContain(words);
  });

  test('is not answered by a button of somebody who was not asked', async ({ startBot }) => {
    const bot = await askedBy(startBot);
    expect(await bot.clicks('One', { as: 'ben' })).toBe('not_yours');
    expect(await bot.clicks('Two', { as: 'mia' })).toBe('queued');
    await bot.untilThread('❓ Which chapter?\n✓ Two', 'Let us begin.');
  });

  test('for anyone is answered by whoever comes first', async ({ startBot }) => {
    const bot = await askedBy(startBot, ask({ answerers: 'anyone' }));
    await bot.clicks('One', { as: 'ben' });
    await bot.untilThread('❓ Which chapter?\n✓ One', 'Let us begin.');
    expect(answerToModel(bot)).toMatchObject({ by: 'fake:ben' });
  });

  test('has one winner among five hundred presses through two gateways', async ({ startBot }) => {
    const bot = await askedBy(startBot, ask({ answerers: 'anyone' }), 2);
    const question = await bot.shownQuestion();
    const presses = Array.from({ length: 500 }, (_, at) =>
      bot.clicksOn(question, at % 2 === 0 ? 'One' : 'Two', { as: `p${at}`, gateway: at % 2 }),
    );
    const results = await Promise.all(presses);
    const winner = results.indexOf('queued');
    expect(results.filter((result) => result !== 'late')).toEqual(['queued']);
    await bot.untilThread(`❓ Which chapter?\n✓ ${winner % 2 === 0 ? 'One' : 'Two'}`, 'Let us begin.');
    expect(answerToModel(bot)).toMatchObject({ by: `fake:p${winner}` });
    expect(bot.llm.requests).toHaveLength(2);
  });

  test('answered in words and by a button at the same moment takes the first and loses neither', async ({
    startBot,
  }) => {
    const bot = await askedBy(startBot, ask(), 2);
    const question = await bot.shownQuestion();
    await Promise.all([bot.hears('Two'), bot.clicksOn(question, 'One', { gateway: 1 })]);
    await bot.untilShown('Let us begin.');
    await bot.untilIdle();
    expect(bot.llm.requests).toHaveLength(2);
    expect(await bot.openQuestion()).toBeUndefined();
    const [card] = await bot.thread();
    expect(card).toMatch(/✓ (One|Two)$/);
  });

  test('pressed before its card is there counts', async ({ startBot }) => {
    const bot = await startBot([ask(), goOn]);
    await bot.platform.fault({ on: 'post', kind: 'question', how: 'slow', times: 1 });
    await bot.startWorker();
    await bot.hears('help me revise');
    await bot.until('the question is stored', async () => (await bot.openQuestion()) !== undefined);
    expect(await bot.clicks('Two')).toBe('queued');
    await bot.untilThread('❓ Which chapter?\n✓ Two', 'Let us begin.');
  });

  test('whose card somebody deleted is still answered by a reply', async ({ startBot }) => {
    const bot = await askedBy(startBot);
    await bot.deletes('Which chapter?');
    await bot.hears('Two');
    await bot.untilThread('Let us begin.');
  });

  test('closed by "ask anyway" goes on with the words of the other person', async ({ startBot }) => {
    const bot = await askedBy(startBot);
    await bot.hears('@docent what is a sum?', { as: 'ben', mentioned: true });
    await bot.untilIdle();
    await bot.asksAnyway({ as: 'ben' });
    await bot.untilShown('Let us begin.');
    const [, , ...messages] = bot.llm.requests.at(-1)?.messages ?? [];
    expect(messages.filter(({ role }) => role === 'tool')).toMatchObject([
      { content: 'The question was closed because somebody else wrote; go on with their message.' },
    ]);
    expect(JSON.stringify(messages)).toContain('what is a sum?');
    expect((await bot.thread())[0]).toBe('❓ Which chapter?\nClosed.');
  });

  test('nobody answers in time says so, and the model is not asked', async ({ startBot }) => {
    const bot = await askedBy(startBot, ask({ expires_in: 10 }));
    await bot.untilThread('❓ Which chapter?\nNot answered. Ask again any time.');
    await bot.untilIdle();
    expect(bot.llm.requests).toHaveLength(1);
    expect((await bot.journal()).at(-1)).toMatchObject({ type: 'turn/end', outcome: 'no_reply' });
  });

  test('is closed by stop', async ({ startBot }) => {
    const bot = await askedBy(startBot);
    await bot.hears('stop');
    await bot.untilThread('❓ Which chapter?\nClosed.');
    expect(bot.llm.requests).toHaveLength(1);
  });

  test('is one even when the model asks twice, beside another tool', async ({ startBot }) => {
    const question = { questions: [chapters] };
    const bot = await startBot([
      calls([
        { name: 'ask_user', args: question },
        { name: 'write_memory', args: { text: 'revises' } },
        { name: 'ask_user', args: question },
      ]),
      goOn,
    ]);
    await bot.startWorker();
    await bot.hears('help me revise');
    await bot.untilThread(openCard);
    await bot.untilIdle();
    await bot.clicks('One');
    await bot.untilThread('❓ Which chapter?\n✓ One', 'Let us begin.');
    expect(await bot.effects()).toEqual(['revises']);
  });

  test('waits for days without any process, and its answer waits for one', async ({ startBot }) => {
    const bot = await askedBy(startBot);
    await Promise.all(bot.workers.map((worker) => worker.kill()));
    expect(await bot.clicks('Two')).toBe('queued');
    await bot.startWorker();
    await bot.untilThread('❓ Which chapter?\n✓ Two', 'Let us begin.');
  });
});
