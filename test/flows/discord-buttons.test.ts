// The buttons below an answer on Discord: the real client against the fake, real Redis, two gateways and a worker.
import { describe, expect, test } from 'vitest';
import { ConversationId, UserId } from '../../src/domain/ids.ts';
import { systemClock } from '../../src/observe/clock.ts';
import { boardKeys, conversationKeys, globalKeys } from '../../src/store/redis/keys.ts';
import { redisPageCache } from '../../src/store/redis/page-cache.ts';
import { redisVotes } from '../../src/store/redis/votes.ts';
import type { Docent } from '../support/discord/docent.ts';
import { docentForTests } from '../support/discord/docent-for-tests.ts';
import { call, type Reply, say } from '../support/llm/reply.ts';

let docent: Docent;
let discord: Docent['discord'];
let room = '';

docentForTests(async (started) => {
  docent = started;
  ({ discord } = docent);
  await Promise.all([
    docent.run('gateway', { DOCENT_ADMINS: await discord.idOf('ada') }),
    docent.run('gateway', { DOCENT_ADMINS: await discord.idOf('ada') }),
    docent.run('worker'),
  ]);
});

/** Mia asks in a channel of its own; the model says what is given. */
async function asks(text: string, ...replies: readonly Reply[]) {
  docent.willSay(...replies);
  room = await docent.newRoom();
  return discord.say('mia', `@Docent ${text}`, { in: room });
}
const told = (click: { readonly id: string }) => docent.untilToldPrivately(click);

const growing = Array.from({ length: 40 }, (_, at) => `Line ${at}.`);

describe('an answer that has ended', () => {
  async function answered(...more: readonly Reply[]) {
    const question = await asks('why?', say('FINISH', 'Because.'), ...more);
    await docent.untilSays(room, 'Because.');
    const answer = await docent.untilEnded(room);
    await docent.untilIdle();
    return { question, answer };
  }
  const votesOf = async (thread: string, who: string) =>
    redisVotes(docent.redis.redis, systemClock, 60).of(
      ConversationId(`discord:${thread}`),
      UserId(`discord:${await discord.idOf(who)}`),
    );

  test('has its buttons', async () => {
    const { answer } = await answered();
    expect(answer.buttons.map(({ label }) => label)).toEqual(['Regenerate', '👍', '👎', '🗑️']);
    expect(answer.buttons.every(({ customId }) => customId.length <= 100)).toBe(true);
  });

  test('is given anew, in the same message', async () => {
    const { answer } = await answered(say('FINISH', 'Because it is.'));
    await discord.press('mia', answer.id, 'Regenerate');
    const [second] = await docent.untilSays(room, 'Because it is.');
    expect(second?.id).toBe(answer.id);
    expect(JSON.stringify(docent.llm.requests.at(-1)?.messages)).not.toContain('Because.');
  });

  test('is not given anew for somebody else, but for who looks after the channel', async () => {
    const { answer } = await answered(say('FINISH', 'For an admin.'));
    expect(await told(await discord.press('ben', answer.id, 'Regenerate'))).toEqual([
      'Only the person who asked can do this, or somebody who looks after this channel.',
    ]);
    await discord.press('ada', answer.id, 'Regenerate');
    await docent.untilSays(room, 'For an admin.');
  });

  test('is given anew once, however fast its button is pressed', async () => {
    const slow = say('FINISH', 'Anew, slowly.', { delayMs: 200 });
    const { answer } = await answered(slow, say('FINISH', 'Twice.'));
    const first = await discord.press('mia', answer.id, 'Regenerate');
    const second = await discord.press('mia', answer.id, 'Regenerate');
    // Which of the two came second is for the gateways to say.
    expect(await docent.untilToldPrivately(first, second)).toEqual([
      'I am still at work here. Please wait for the end, or stop me first.',
    ]);
    await docent.untilSays(room, 'Anew, slowly.');
  });

  test('is given anew or goes, when both are pressed at once, and one of the two is told', async () => {
    const { answer } = await answered(say('FINISH', 'Anew.'));
    const [again, removal] = await Promise.all([
      discord.press('mia', answer.id, 'Regenerate'),
      discord.press('mia', answer.id, '🗑️'),
    ]);
    const [why] = await docent.untilToldPrivately(again, removal);
    expect([
      'This answer was taken away.',
      'I am still at work here. Please wait for the end, or stop me first.',
    ]).toContain(why);
    await docent.untilSays(room, ...(why === 'This answer was taken away.' ? [] : ['Anew.']));
  });

  test('is not given anew when something newer was said', async () => {
    const { question, answer } = await answered(say('FINISH', 'Newer.'));
    await discord.say('mia', 'and?', { in: question.id });
    await docent.untilSays(question.id, 'Newer.');
    await docent.untilEnded(question.id);
    expect(await told(await discord.press('mia', answer.id, 'Regenerate'))).toEqual([
      'Something newer was said since. Only the newest answer can be given anew.',
    ]);
  });

  test('takes a vote of each person, the last one counts', async () => {
    const { question, answer } = await answered();
    expect(await told(await discord.press('mia', answer.id, '👍'))).toEqual(['Noted, thank you.']);
    await told(await discord.press('mia', answer.id, '👍'));
    expect([...(await votesOf(question.id, 'mia')).values()]).toEqual(['up']);
    await told(await discord.press('ben', answer.id, '👍'));
    await told(await discord.press('mia', answer.id, '👎'));
    expect([...(await votesOf(question.id, 'mia')).values()]).toEqual(['down']);
    expect([...(await votesOf(question.id, 'ben')).values()]).toEqual(['up']);
  });

  test('takes a reason with a bad vote', async () => {
    const { question, answer } = await answered();
    const vote = await discord.press('mia', answer.id, '👎');
    expect(await told(vote)).toEqual(['Noted, thank you. If you like, say what was wrong.']);
    const [hint] = (await discord.interaction(vote.id)).followUps;
    const opened = await discord.press('mia', hint?.id ?? '', 'Say why…');
    await docent.until(
      'the form is open',
      async () => (await discord.interaction(opened.id)).modal !== undefined,
    );
    expect(await told(await discord.submit('mia', opened.id, { reason: 'Too short.' }))).toEqual([
      'Thank you.',
    ]);
    const { votes } = boardKeys(ConversationId(`discord:${question.id}`));
    expect(Object.values(await docent.redis.redis.hgetall(votes)).join()).toContain('Too short.');
  });

  test('goes when its asker wants that, and the model is told; others are told why not', async () => {
    const { question, answer } = await answered(say('FINISH', 'Never mind.'));
    expect(await told(await discord.press('ben', answer.id, '🗑️'))).toEqual([
      'Only the person who asked can do this, or somebody who looks after this channel.',
    ]);
    await discord.press('mia', answer.id, '🗑️');
    await docent.untilSays(room);
    await discord.say('mia', 'sorry', { in: question.id });
    await docent.untilSays(question.id, 'Never mind.');
    expect(JSON.stringify(docent.llm.requests.at(-1)?.messages)).toContain(
      '[mia removed an answer of yours.]',
    );
  });

  test('goes when an admin wants that', async () => {
    const { answer } = await answered();
    await discord.press('ada', answer.id, '🗑️');
    expect(await docent.untilSays(room)).toEqual([]);
  });

  test('can be pressed after everything was started anew', async () => {
    const { question, answer } = await answered(say('FINISH', 'After a restart.'));
    const { state } = conversationKeys(ConversationId(`discord:${question.id}`));
    // What is shown is recorded a moment later.
    await docent.until('the turn is over', async () => !(await docent.redis.redis.hexists(state, 'wake')));
    const before = docent.processes.splice(0);
    await Promise.all(before.map((process) => process.kill()));
    await Promise.all([docent.run('gateway'), docent.run('gateway'), docent.run('worker')]);
    await discord.press('mia', answer.id, 'Regenerate');
    expect((await docent.untilSays(room, 'After a restart.'))[0]?.id).toBe(answer.id);
  });
});

test('a question that was changed after its answer is answered again at one press, and once', async () => {
  const question = await asks('what is 1 + 1?', say('FINISH', 'Two.'), say('FINISH', 'Four.'));
  await docent.untilSays(room, 'Two.');
  await docent.untilEnded(room);
  await discord.edit('mia', question.id, '@Docent what is 2 + 2?');
  const offer = await docent.untilShown(question.id, 'The question was changed after my answer.');
  expect(offer.pings.users).toEqual([]);
  expect(await told(await discord.press('ben', offer.id, 'Answer again'))).toEqual([
    'Only the person who asked can do this, or somebody who looks after this channel.',
  ]);
  await discord.press('mia', offer.id, 'Answer again');
  const [, second] = await docent.untilSays(room, 'Two.', 'Four.');
  expect(second?.replyTo).toBe(question.id);
  expect(JSON.stringify(docent.llm.requests.at(-1)?.messages.at(-1))).toContain('what is 2 + 2?');
  expect(await docent.untilSays(question.id)).toEqual([]);
});

describe('an answer that grows', () => {
  test('goes with its question, also while it is given anew', async () => {
    const slowly = say('FINISH', growing.join('\n'), { delayMs: 100 });
    const question = await asks('count', say('FINISH', 'One.'), slowly);
    await discord.press('mia', (await docent.untilEnded(room)).id, 'Regenerate');
    await docent.untilShown(room, 'Line 1.');
    await discord.deleteMessage(question.id);
    expect(await docent.untilSays(room)).toEqual([]);
  });

  test('is whole in the end when the bot did not see its channel for a while', async () => {
    await asks('count', say('FINISH', growing.join('\n'), { delayMs: 100 }));
    await docent.untilShown(room, 'Line 2.');
    await discord.revokePermission(room, 'ViewChannel');
    const refusals = async () => (await discord.refused()).filter(({ rule }) => rule === 'missing_access');
    await docent.until('an edit was refused', async () => (await refusals()).length > 0);
    await discord.grantPermission(room, 'ViewChannel');
    await docent.untilShown(room, 'Line 39.');
    expect((await docent.untilEnded(room)).content).toContain('Line 0.');
  });

  test('is whole in the end when the bot was kicked meanwhile and is invited again', async () => {
    await asks('count', say('FINISH', growing.join('\n'), { delayMs: 100 }));
    const growingAnswer = await docent.untilShown(room, 'Line 2.');
    await discord.kickBot();
    const left = () => docent.redis.redis.zcard(globalKeys.directs('discord-left'));
    await docent.until('the answer is left', async () => (await left()) === 1);
    await discord.inviteBot();
    const whole = await docent.untilShown(room, 'Line 39.');
    expect(whole.id).toBe(growingAnswer.id);
    expect((await docent.untilEnded(room)).buttons.map(({ label }) => label)).not.toContain('Stop');
    expect(await docent.says(room)).toHaveLength(1);
  });

  test('is stopped by whoever takes part, and by nobody else', async () => {
    await asks('count', say('FINISH', growing.join('\n'), { delayMs: 100 }));
    const answer = await docent.untilShown(room, 'Line 2.');
    expect(await told(await discord.press('ben', answer.id, 'Stop'))).toEqual([
      'Only the person who asked can do this, or somebody who looks after this channel.',
    ]);
    await discord.press('mia', answer.id, 'Stop');
    await docent.untilShown(room, '⏹ Stopped.');
  });

  test('never leaves a bare note behind when it is stopped while Redis is away', async () => {
    await asks('count', say('FINISH', growing.join('\n'), { delayMs: 100 }));
    const answer = await docent.untilShown(room, 'Line 2.');
    await docent.redis.stop();
    await discord.press('mia', answer.id, 'Stop');
    await docent.redis.start();
    const { content } = await docent.untilEnded(room);
    expect(content).toMatch(/^Line 0\.|there is no answer/);
    expect(await docent.says(room)).toHaveLength(1);
  });

  test('leaves the turn alone that runs now when its old button is pressed', async () => {
    const question = await asks(
      'count',
      say('FINISH', 'One.'),
      say('FINISH', growing.join('\n'), { delayMs: 100 }),
    );
    const [answer] = await docent.untilSays(room, 'One.');
    const handle = (await docent.untilEnded(room)).buttons[0]?.customId.split('/') ?? [];
    await discord.say('mia', 'on', { in: question.id });
    await docent.untilShown(question.id, 'Line 2.');
    const stale = ['stop', ...handle.slice(1)].join('/');
    expect(await told(await discord.pressStale('mia', answer?.id ?? '', stale))).toEqual([
      'Nothing is running.',
    ]);
    const running = await docent.untilShown(question.id, 'Line 4.');
    await discord.press('mia', running.id, 'Stop');
    await docent.untilShown(question.id, '⏹ Stopped.');
  });
});

describe('what was thought', () => {
  const recall = call('read_memory', { query: 'maths' });

  test('is shown in private to whoever asks, and stays out of the channel', async () => {
    const question = await asks('why?', recall, say('FINISH', 'Because.'));
    await docent.untilEnded(room);
    const trace = await docent.untilTrace(question.id, 'Thought for');
    expect(trace.buttons.map(({ label }) => label)).toEqual(['Show thinking']);
    const [thoughts] = await told(await discord.press('ben', trace.id, 'Show thinking'));
    expect(thoughts).toContain('✓ recalling');
  });

  test('comes as a file when it is long', async () => {
    const long = Array.from({ length: 300 }, (_, at) => `Thought number ${at}.`).join('\n');
    const question = await asks('why?', say('THINK', long), say('FINISH', 'Because.'));
    await docent.untilEnded(room);
    const trace = await docent.untilTrace(question.id, 'Thought for');
    const click = await discord.press('mia', trace.id, 'Show thinking');
    expect(await told(click)).toEqual(['This is long, so it comes as a file.']);
    const { answer } = await discord.interaction(click.id);
    expect(answer?.files.map(({ filename }) => filename)).toEqual(['thinking.md']);
    const text = await (await fetch(answer?.files[0]?.url ?? '')).text();
    expect(text).toContain('Thought number 299.');
  });
});

describe('sources', () => {
  test('of an answer are counted below it, and shown to whoever asks', async () => {
    const question = await asks('what is voltage?', say('FINISH', 'Ask me more.'));
    await docent.untilEnded(room);
    const url = 'https://example.org/ohm';
    // As if the page had been read before in this conversation: nothing is fetched here.
    const page = { url, title: "Ohm's law", text: 'The current is voltage over resistance.' };
    await redisPageCache(docent.redis.redis).put(ConversationId(`discord:${question.id}`), url, page);
    docent.willSay(call('web_fetch', { url }), say('FINISH', 'Voltage drives the current.'));
    await discord.say('mia', 'look it up', { in: question.id });
    await docent.untilSays(question.id, 'Voltage drives the current.');
    const answer = await docent.untilEnded(question.id);
    expect(answer.buttons.map(({ label }) => label)).toEqual(['Regenerate', 'Sources (1)', '👍', '👎', '🗑️']);
    const [sources] = await told(await discord.press('ben', answer.id, 'Sources (1)'));
    expect(sources).toBe("1. [Ohm's law](<https://example.org/ohm>)");
  });
});

test('a vote is taken also when it is not heard that Discord took the first answer to it', async () => {
  await asks('why?', say('FINISH', 'Because.'));
  const { id } = await docent.untilEnded(room);
  await discord.fault({ on: 'respond', how: 'lost' });
  expect(await told(await discord.press('mia', id, '👍'))).toEqual(['Noted, thank you.']);
});

test.each(['refused', 'unclear', 'lost'] as const)(
  'what a person is told in private behind a click comes once, also when the first tries were %s',
  async (how) => {
    await asks('why?', say('FINISH', 'Because.'));
    const { id } = await docent.untilEnded(room);
    await discord.fault({ on: 'follow_up', how, times: 2 });
    const click = await discord.press('mia', id, '👍');
    await docent.until('Discord has answered', async () =>
      (await discord.calls('follow_up')).some(({ status }) => status === 200),
    );
    expect(await told(click)).toEqual(['Noted, thank you.']);
  },
);

// The last one: what is read anew behind it would be stored as if nobody had answered it.
test('the buttons of an answer that is not known any more explain themselves', async () => {
  await asks('why?', say('FINISH', 'Because.'));
  const { id } = await docent.untilEnded(room);
  await docent.untilIdle();
  await docent.redis.redis.flushdb();
  for (const button of ['Regenerate', '👍', '🗑️'])
    expect(await told(await discord.press('mia', id, button))).toEqual([
      'This is too old: I do not remember it any more.',
    ]);
});
