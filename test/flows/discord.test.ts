// Docent on Discord: the real client against the fake, real Redis, two gateways and three workers in processes of their own.
import { describe, expect, test } from 'vitest';
import { globalKeys } from '../../src/store/redis/keys.ts';
import type { Docent } from '../support/discord/docent.ts';
import { docentForTests } from '../support/discord/docent-for-tests.ts';
import { call, type Reply, say } from '../support/llm/reply.ts';
import type { Child } from '../support/processes.ts';

let docent: Docent;
let discord: Docent['discord'];
let room = '';
let gateways: readonly Child[];
let workers: readonly Child[];

docentForTests(async (started) => {
  docent = started;
  ({ discord } = docent);
  [workers, gateways] = await Promise.all([
    startWorkers(),
    Promise.all([docent.run('gateway'), docent.run('gateway')]),
  ]);
});

function startWorkers(): Promise<readonly Child[]> {
  return Promise.all(Array.from({ length: 3 }, () => docent.run('worker')));
}

/** Mia asks in a channel of its own; the model says what is given. */
async function asks(text: string, ...replies: readonly Reply[]) {
  docent.willSay(...replies);
  room = await docent.newRoom();
  return discord.say('mia', `@Docent ${text}`, { in: room });
}

test('a mention is answered by a reply, and people go on in the thread under it', async () => {
  const question = await asks(
    'why is the **derivative** of ln x equal to 1/x?',
    say('FINISH', 'Because ln is the inverse of exp.'),
    say('FINISH', 'Take x = 2.'),
  );
  const [answer] = await docent.untilSays(room, 'Because ln is the inverse of exp.');
  expect(answer).toMatchObject({ replyTo: question.id, pings: { users: ['mia'], everyone: false } });
  const thread = async () => (await discord.threads()).find(({ id }) => id === question.id);
  await docent.until('the thread is there', async () => (await thread()) !== undefined);
  expect(await thread()).toMatchObject({ name: 'why is the derivative of ln x equal to 1/x?', parent: room });

  await discord.say('mia', 'an example please', { in: question.id });
  await docent.untilSays(question.id, 'Take x = 2.');
  expect(await docent.says(room)).toHaveLength(1);
});

const chapters = { prompt: 'Which chapter?', options: [{ label: 'One' }, { label: 'Two' }] };
const ask = call('ask_user', { questions: [chapters] });

describe('a question of the bot', () => {
  async function asked() {
    const question = await asks('help me revise', ask, say('FINISH', 'Let us begin.'));
    const card = await docent.untilShown(question.id, 'Which chapter?');
    const now = async () => discord.message(card.id);
    return { thread: question.id, card, now };
  }
  const privately = async (click: string) =>
    (await discord.interaction(click)).followUps.map(({ content }) => content);

  test('stands in the thread, calls the asker, and is answered by a button', async () => {
    const { thread, card, now } = await asked();
    expect(card.pings.users).toEqual(['mia']);
    expect(card.buttons.map(({ label }) => label)).toEqual(['One', 'Two', 'Other…']);
    const click = await discord.press('mia', card.id, 'Two');
    await docent.untilSays(room, 'Let us begin.');
    await docent.until('the card is closed', async () => (await now())?.buttons.length === 0);
    expect((await now())?.content).toContain('✓ Two');
    expect((await discord.interaction(click.id)).acknowledged).toBe(6);
    expect(await docent.says(thread)).toHaveLength(1);
  });

  test('is answered by a reply in the thread', async () => {
    const { thread, now } = await asked();
    await discord.say('mia', 'two', { in: thread });
    await docent.untilSays(room, 'Let us begin.');
    await docent.until('the card is closed', async () => (await now())?.buttons.length === 0);
    expect((await now())?.content).toContain('✓ Two');
  });

  test('is answered by a form', async () => {
    const { card } = await asked();
    const opened = await discord.press('mia', card.id, 'Other…');
    const form = async () => (await discord.interaction(opened.id)).modal;
    await docent.until('the form is open', async () => (await form()) !== undefined);
    expect(await form()).toMatchObject({ components: [{ component: { custom_id: 't0' } }] });
    await discord.submit('mia', opened.id, { t0: 'the one about logarithms' });
    await docent.untilSays(room, 'Let us begin.');
    expect(JSON.stringify(docent.llm.requests.at(-1)?.messages)).toContain('the one about logarithms');
  });

  test('is closed for somebody else by who looks after the channel, at once; by others later', async () => {
    const { thread, now } = await asked();
    docent.willSay(say('FINISH', 'Then for you, Ben.'));
    await discord.say('ben', '@Docent and me?', { in: thread });
    const line = await docent.untilShown(thread, 'I am waiting for');
    expect(line.content).toBe(`I am waiting for <@${await discord.idOf('mia')}> to answer first.`);
    expect(line.pings.users).toEqual([]);
    const early = await discord.press('ben', line.id, 'Ask anyway');
    expect((await docent.untilToldPrivately(early)).join()).toMatch(
      /^The person who was asked may still answer\./,
    );
    await discord.press('Olga', line.id, 'Ask anyway');
    await docent.untilSays(room, 'Then for you, Ben.');
    await docent.until('the card is closed', async () => (await now())?.buttons.length === 0);
    expect(JSON.stringify(docent.llm.requests.at(-1)?.messages)).toContain('and me?');
    const late = await discord.press('Olga', line.id, 'Ask anyway');
    expect(await docent.untilToldPrivately(late)).toEqual(['This question is closed already.']);
  });

  test('is for its asker; who comes too late is told in private', async () => {
    const { card } = await asked();
    const wrong = await discord.press('ben', card.id, 'One');
    await docent.until('ben is told', async () => (await privately(wrong.id)).length > 0);
    expect(await privately(wrong.id)).toEqual(['This question is for somebody else.']);
    await discord.press('mia', card.id, 'Two');
    const late = await discord.press('mia', card.id, 'One');
    await docent.until('mia is told', async () => (await privately(late.id)).length > 0);
    expect(await privately(late.id)).toEqual(['This question is closed already.']);
    await docent.untilSays(room, 'Let us begin.');
  });
});

describe('an answer that grows', () => {
  const lines = Array.from({ length: 40 }, (_, at) => `Line ${at}.`);
  const slowly = say('FINISH', lines.join('\n'), { delayMs: 100 });

  async function growing() {
    const question = await asks('count', slowly, slowly);
    return { thread: question.id, answer: await docent.untilShown(room, 'Line 3.') };
  }

  test('is stopped by its button and keeps what was shown', async () => {
    const { answer } = await growing();
    await discord.press('mia', answer.id, 'Stop');
    await docent.untilShown(room, '⏹ Stopped.');
    const [only, ...more] = await docent.says(room);
    expect(more).toEqual([]);
    expect(only?.content).toMatch(/^Line 0\.\nLine 1\./);
    expect(only?.buttons.map(({ label }) => label)).toEqual(['Regenerate', '🗑️']);
  });

  test('is stopped by a word in its thread', async () => {
    const { thread } = await growing();
    await discord.say('mia', 'Stop!', { in: thread });
    expect((await docent.untilShown(room, '⏹ Stopped.')).content).toContain('Line 3.');
  });

  test('is finished in the same message when its worker dies', async () => {
    const { answer } = await growing();
    const died = Date.now();
    await Promise.all(workers.map((worker) => worker.kill()));
    workers = await startWorkers();
    const last = await docent.untilShown(room, 'Line 39.');
    expect(last.id).toBe(answer.id);
    expect(Date.now() - died).toBeLessThanOrEqual(45_000);
    expect(await docent.says(room)).toHaveLength(1);
  });
});

describe('a question that is deleted while it is answered', () => {
  const lines = Array.from({ length: 40 }, (_, at) => `Line ${at}.`).join('\n');
  const long = Array.from({ length: 400 }, (_, at) => `Line ${at} of a long answer.`).join('\n');
  const slowly = say('FINISH', long, { delayMs: 30 });

  test('takes its answer with it, all messages of it', async () => {
    const question = await asks('count', slowly, say('FINISH', 'Again.'));
    await docent.until('a second message is there', async () => (await docent.says(room)).length > 1);
    await discord.deleteMessage(question.id);
    await docent.untilSays(room);
    await discord.say('mia', 'sorry, go on', { in: question.id });
    await docent.untilSays(question.id, 'Again.');
    expect(JSON.stringify(docent.llm.requests.at(-1)?.messages)).toContain('[mia deleted their message.]');
  });

  test('is answered all the same when others spoke', async () => {
    const question = await asks(
      'count',
      say('FINISH', lines, { delayMs: 50 }),
      say('FINISH', 'For ben, too.'),
    );
    await docent.untilShown(room, 'Line 1.');
    await discord.say('ben', 'me too', { in: question.id });
    await docent.until('it is stored', async () => (await docent.inboxOf(question.id)).length > 0);
    await discord.deleteMessage(question.id);
    expect((await docent.untilShown(room, 'Line 39.')).content).toContain('Line 0.');
    await docent.untilShown(room, 'For ben, too.');
  });

  test('closes its open card', async () => {
    const question = await asks('help me revise', ask);
    const card = await docent.untilShown(question.id, 'Which chapter?');
    await discord.deleteMessage(question.id);
    await docent.until(
      'the card is closed',
      async () => (await discord.message(card.id))?.buttons.length === 0,
    );
    expect((await discord.message(card.id))?.content).toContain('Closed.');
  });
});

describe('nothing is said twice', () => {
  test('when two gateways hear the same message', async () => {
    const before = docent.llm.requests.length;
    await asks('how often?', say('FINISH', 'Once.'), say('FINISH', 'Once more.'));
    await docent.untilSays(room, 'Once.');
    await discord.say('mia', '@Docent and now?', { in: room });
    await docent.untilSays(room, 'Once.', 'Once more.');
    expect(docent.llm.requests.length - before).toBe(2);
  });

  test.each(['lost', 'unclear'] as const)('when a post was done and its answer was %s', async (how) => {
    await discord.fault({ on: 'create_message', how });
    await asks('are you there?', say('FINISH', 'Here I am.'));
    await docent.untilSays(room, 'Here I am.');
    await docent.untilEnded(room);
    expect(await docent.says(room)).toHaveLength(1);
  });
});

test('what is edited or deleted after the model read it is told to the model', async () => {
  const question = await asks(
    'what is 1 + 1?',
    say('FINISH', 'Two.'),
    say('FINISH', 'Four.'),
    say('FINISH', 'Five.'),
  );
  await docent.untilSays(room, 'Two.');
  const told = () => JSON.stringify(docent.llm.requests.at(-1)?.messages);
  await discord.edit('mia', question.id, '@Docent what is 2 + 2?');
  await discord.say('mia', 'look again', { in: question.id });
  await docent.untilShown(question.id, 'Four.');
  expect(told()).toContain('[mia changed their message to: what is 2 + 2?]');
  await discord.deleteMessage(question.id);
  await discord.say('mia', 'and now?', { in: question.id });
  await docent.untilShown(question.id, 'Five.');
  expect(told()).toContain('[mia deleted their message.]');
});

test('a reply to an answer in the channel belongs to its conversation and is answered there', async () => {
  await asks('name a number', say('FINISH', 'Seven.'), say('FINISH', 'Eight.'));
  const [answer] = await docent.untilSays(room, 'Seven.');
  await docent.untilEnded(room);
  const reply = await discord.say('mia', 'and the next?', { in: room, replyTo: answer?.id ?? '' });
  const [, second] = await docent.untilSays(room, 'Seven.', 'Eight.');
  expect(second?.replyTo).toBe(reply.id);
  expect(JSON.stringify(docent.llm.requests.at(-1)?.messages)).toContain('name a number');
});

test('what joins a running turn is marked as noted, then as used', async () => {
  const lines = Array.from({ length: 40 }, (_, at) => `Line ${at}.`).join('\n');
  const question = await asks('count', say('FINISH', lines, { delayMs: 50 }), say('FINISH', 'Backwards.'));
  await docent.untilShown(room, 'Line 1.');
  const more = await discord.say('mia', 'now backwards', { in: question.id });
  const marks = async () =>
    Object.entries((await discord.message(more.id))?.reactions ?? {}).flatMap(([mark, by]) =>
      by.length > 0 ? [mark] : [],
    );
  await docent.until('it is noted', async () => (await marks()).join() === '👀');
  await docent.untilShown(room, 'Backwards.');
  await docent.until('it is used', async () => (await marks()).join() === '✅');
  expect(Object.keys((await discord.message(question.id))?.reactions ?? {})).toEqual([]);
});

test('a reply to an older answer is a matter of its own', async () => {
  const lines = Array.from({ length: 30 }, (_, at) => `Line ${at}.`).join('\n');
  const question = await asks(
    'name a number',
    say('FINISH', 'Seven.'),
    say('FINISH', lines, { delayMs: 50 }),
    say('FINISH', 'It is prime.'),
  );
  await docent.untilSays(room, 'Seven.');
  const older = await docent.untilEnded(room);
  await discord.say('mia', 'now count', { in: question.id });
  await docent.untilShown(question.id, 'Line 2.');
  const reply = await discord.say('mia', 'why this one?', { in: room, replyTo: older.id });
  const [, second] = await docent.untilSays(room, 'Seven.', 'It is prime.');
  expect(second?.replyTo).toBe(reply.id);
  expect(await docent.untilShown(question.id, 'Line 29.')).toBeDefined();
  const asked = docent.llm.requests.slice(-2).map(({ messages }) => JSON.stringify(messages.at(-1)));
  expect(asked[0]).toContain('now count');
  expect(asked[1]).toContain('why this one?');
});

describe('what is said while nobody listens is answered once', () => {
  test('when the connection is lost and its session with it', async () => {
    const question = await asks('are you there?', say('FINISH', 'Yes.'), say('FINISH', 'Still.'));
    await docent.untilSays(room, 'Yes.');
    await discord.say('mia', 'still?', { in: question.id, event: false });
    await discord.invalidateSessions(false);
    const [answer] = await docent.untilSays(question.id, 'Still.');
    expect(answer?.replyTo).toBeUndefined();
  });

  test('when every gateway was dead', async () => {
    const question = await asks(
      'are you there?',
      say('FINISH', 'Yes.'),
      say('FINISH', 'A.'),
      say('FINISH', 'B.'),
    );
    await docent.untilSays(room, 'Yes.');
    await docent.until('the gateways have noted how far they are', async () => {
      const cursor = await docent.redis.redis.get(globalKeys.cursor('discord'));
      return BigInt(cursor ?? 0) >= BigInt(question.id);
    });
    await Promise.all(gateways.map((gateway) => gateway.kill()));
    await discord.say('mia', '@Docent and in the channel?', { in: room });
    await docent.run('gateway');
    await docent.untilSays(room, 'Yes.', 'A.');
    await discord.say('mia', 'and in the thread?', { in: question.id });
    await docent.untilSays(question.id, 'B.');
    expect(await docent.says(room)).toHaveLength(2);
  });
});
