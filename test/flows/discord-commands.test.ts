// Commands on Discord: the real client against the fake, real Redis, two gateways and a worker in processes of their own.
import { describe, expect, test } from 'vitest';
import { commandList } from '../../src/adapters/discord/command-list.ts';
import { peopleKeys } from '../../src/store/redis/keys.ts';
import type { Docent } from '../support/discord/docent.ts';
import { docentForTests } from '../support/discord/docent-for-tests.ts';
import { docentChat } from '../support/docent-chat.ts';
import { call, type Reply, say } from '../support/llm/reply.ts';

let docent: Docent;
let discord: Docent['discord'];
let room = '';

docentForTests(async (started) => {
  docent = started;
  ({ discord } = docent);
  await Promise.all([docent.run('gateway'), docent.run('gateway'), docent.run('worker')]);
  await docent.until('the commands are in place', async () => (await discord.commands()).length > 0);
});

type Values = Readonly<Record<string, unknown>>;

/** What the answer to a command says when it no longer says that the bot is thinking. */
async function answered(id: string): Promise<string> {
  const now = async () => (await discord.interaction(id)).answer?.content ?? '';
  await docent.until('the command is answered', async () => (await now()) !== '');
  return now();
}

/** A command that is answered in private. */
async function uses(who: string, name: string, values: Values = {}, where?: string): Promise<string> {
  const { id } = await discord.command(who, name, values, where === undefined ? {} : { in: where });
  const text = await answered(id);
  const { isEphemeral, acknowledgedAfterMs = 9_999 } = await discord.interaction(id);
  expect({ isEphemeral, isInTime: acknowledgedAfterMs < 3_000 }).toEqual({
    isEphemeral: true,
    isInTime: true,
  });
  return text;
}

/** Mia asks by a command in a channel of its own; the model says what is given. Returns the message that is the question. */
async function asks(question: string, ...replies: readonly Reply[]): Promise<string> {
  docent.willSay(...replies);
  room = await docent.newRoom();
  const { id } = await discord.command('mia', 'ask', { question }, { in: room });
  await answered(id);
  return (await discord.interaction(id)).answer?.id ?? '';
}

const seen = () => docent.llm.requests.at(-1)?.messages ?? [];
const systemText = () => String(seen()[0]?.content);
const openedBy = (question: string) => `> ${question}`;

test('all commands are registered by both gateways together', async () => {
  expect((await discord.commands()).map(({ name }) => name)).toEqual(commandList.map(({ name }) => name));
});

describe('what is said in a conversation', () => {
  test('a question is answered below itself, and goes on in its thread', async () => {
    const question = await asks('why is *ln x* so?', say('FINISH', 'Because.'), say('FINISH', 'Take x = 2.'));
    const [asked, answer] = await docent.untilSays(room, String.raw`> why is \*ln x\* so?`, 'Because.');
    expect([asked?.id, asked?.onlyFor, answer?.replyTo]).toEqual([question, undefined, question]);
    expect((await discord.threads()).find(({ id }) => id === question)?.name).toBe('why is ln x so?');
    await discord.say('mia', 'an example please', { in: question });
    await docent.untilSays(question, 'Take x = 2.');
  });

  test('a question in a thread is answered there', async () => {
    const thread = await asks('what is a sum?', say('FINISH', 'This.'), say('FINISH', 'That.'));
    await docent.untilSays(room, openedBy('what is a sum?'), 'This.');
    await discord.command('ben', 'ask', { question: 'and a product?' }, { in: thread });
    await docent.untilSays(thread, openedBy('and a product?'), 'That.');
    expect(JSON.stringify(seen())).toContain('what is a sum?');
  });

  test('a question for later gets a turn of its own', async () => {
    const slowly = say('FINISH', Array.from({ length: 20 }, (_, at) => `Line ${at}.`).join('\n'), {
      delayMs: 80,
    });
    const thread = await asks('count', slowly, say('FINISH', 'Later.'));
    await docent.untilShown(room, 'Line 2.');
    await discord.command('mia', 'next', { question: 'and then?' }, { in: thread });
    await docent.untilShown(thread, 'Later.');
    expect((await docent.untilShown(room, 'Line 19.')).content).toContain('Line 0.');
  });

  test('a message is explained', async () => {
    docent.willSay(say('FINISH', 'It says that mass is energy.'));
    room = await docent.newRoom();
    const { id: target } = await discord.say('ben', 'E = mc²', { in: room });
    const { id } = await discord.menuCommand('mia', 'Explain this', target);
    expect(await answered(id)).toMatch(/^https:\/\/discord\.com\/channels\/\d+\/\d+\/\d+\n> E = mc²$/);
    await docent.untilShown(room, 'It says that mass is energy.');
    expect(String(seen().at(-1)?.content)).toBe(
      'Explain this message of ben:\n\nE = mc²\n[End of that message.]',
    );
  });

  test('a running answer is stopped from its thread, and from its channel', async () => {
    const lines = Array.from({ length: 60 }, (_, at) => `Line ${at}.`);
    for (const isInThread of [true, false]) {
      const thread = await asks('count', say('FINISH', lines.join('\n'), { delayMs: 100 }));
      await docent.untilShown(room, 'Line 2.');
      expect(await uses('mia', 'stop', {}, isInThread ? thread : room)).toBe('⏹ I stop.');
      await docent.untilShown(room, '⏹ Stopped.');
      await docent.until('the turn is over', async () => {
        const answer = await uses('mia', 'stop', {}, isInThread ? thread : room);
        return answer === 'Nothing is running.';
      });
    }
    expect(await uses('ben', 'stop', {}, room)).toBe('Nothing is running.');
  });

  test('who takes no part in a thread neither stops there nor begins anew, and reads why; a manager does', async () => {
    await discord.addRole('Tutors', ['tom'], { permissions: ['ManageThreads'] });
    const lines = Array.from({ length: 60 }, (_, at) => `Line ${at}.`);
    const only =
      'Only people who take part in this conversation can do this, or somebody who looks after this channel.';
    const thread = await asks(
      'count',
      say('FINISH', lines.join('\n'), { delayMs: 100 }),
      say('FINISH', 'On.'),
    );
    await docent.untilShown(room, 'Line 2.');
    expect(await uses('ben', 'stop', {}, thread)).toBe(only);
    expect(await uses('ben', 'new', {}, thread)).toBe(only);
    await discord.say('ben', 'stop', { in: thread });
    await docent.untilShown(thread, only);
    const shown = await docent.untilShown(room, 'Line 6.');
    expect(shown.content).not.toContain('Stopped');
    await discord.say('tom', 'stop', { in: thread });
    await docent.untilShown(room, '⏹ Stopped.');
    await discord.command('tom', 'new', {}, { in: thread });
    await docent.untilShown(thread, 'We begin anew');
  });

  test('an open question is closed by a stop', async () => {
    const chapters = { prompt: 'Which chapter?', options: [{ label: 'One' }, { label: 'Two' }] };
    const thread = await asks('revise', call('ask_user', { questions: [chapters] }), say('FINISH', 'Fine.'));
    const card = await docent.untilShown(thread, 'Which chapter?');
    expect(await uses('mia', 'stop', {}, thread)).toMatch(/^⏹ /);
    await docent.until('its buttons go', async () => (await discord.message(card.id))?.buttons.length === 0);
  });

  test('beginning anew hides what was said before', async () => {
    const thread = await asks(
      'my number is forty-two',
      say('FINISH', 'Noted.'),
      say('FINISH', 'Which number?'),
    );
    await docent.untilSays(room, openedBy('my number is forty-two'), 'Noted.');
    const { id } = await discord.command('mia', 'new', {}, { in: thread });
    expect(await answered(id)).toBe('We begin anew: I do not see any more what was said before.');
    await discord.say('mia', 'which was it?', { in: thread });
    await docent.untilShown(thread, 'Which number?');
    expect(JSON.stringify(seen())).not.toContain('forty-two');
    expect(await uses('mia', 'new', {}, room)).toMatch(/^In a channel every question begins anew/);
  });

  test('where the bot cannot write it says so, in private', async () => {
    room = await docent.newRoom();
    await discord.revokePermission(room, 'SendMessages');
    expect(await uses('mia', 'ask', { question: 'why?' }, room)).toBe(
      'I cannot answer here: I lack Send Messages.',
    );
  });
});

describe('in a direct message', () => {
  const dmOf = (who: string) => discord.messages('dm', { onlyFor: who });
  const untilDm = (who: string, text: string) =>
    docent.until(`${who} reads "${text}"`, async () =>
      (await dmOf(who)).some(({ author, content }) => author === 'Docent' && content === text),
    );

  test('everything said is for the bot, commands work, and the conversation can begin anew', async () => {
    docent.willSay(say('FINISH', 'Hello Ada.'), say('FINISH', 'Four.'), say('FINISH', 'Who are you?'));
    await discord.say('ada', 'my name is Ada', { in: 'dm' });
    await untilDm('ada', 'Hello Ada.');
    await discord.command('ada', 'ask', { question: '2 + 2, please?' }, { in: 'dm' });
    await untilDm('ada', 'Four.');
    expect(JSON.stringify(seen())).toContain('my name is Ada');
    expect(await uses('ada', 'reminders', {}, 'dm')).toMatch(/^You have no reminders/);
    const { id } = await discord.command('ada', 'new', {}, { in: 'dm' });
    expect(await answered(id)).toMatch(/^We begin anew/);
    await discord.say('ada', 'what is my name?', { in: 'dm' });
    await untilDm('ada', 'Who are you?');
    expect(JSON.stringify(seen())).not.toContain('my name is Ada');
  });
});

describe('what is answered in private', () => {
  test('help, in the language of the program', async () => {
    expect(await uses('mia', 'help')).toMatch(/^Mention me in a channel[\s\S]*`\/memory forget`/);
    await discord.setLocale('greta', 'de');
    expect(await uses('greta', 'help')).toMatch(/^Erwähne mich[\s\S]*`\/gedächtnis vergiss`/);
  });

  test('settings change the answers, and the words of the bot', async () => {
    expect(await uses('lena', 'settings')).toMatch(
      /^Language: the one you write in\nTime zone: .*\(not set\)/,
    );
    const changed = await uses('lena', 'settings', { language: 'de', zone: 'Asia/Tokyo', style: 'short' });
    expect(changed).toBe('✓ Gespeichert.\nSprache: Deutsch\nZeitzone: Asia/Tokyo\nAntworten: kurz');
    docent.willSay(say('FINISH', 'Zwei.', { delayMs: 500 }));
    room = await docent.newRoom();
    await discord.say('lena', '@Docent 1 + 1, in words?', { in: room });
    await docent.untilSays(room, 'Zwei.');
    expect(systemText()).toMatch(/Answer in German[\s\S]*Keep every answer short[\s\S]*zone is Asia\/Tokyo/);
    expect(await uses('lena', 'settings', { zone: 'Atlantis' })).toBe(
      '„Atlantis“ ist keine Zeitzone. Schreib eine wie Europe/Berlin.',
    );
  });

  test('zones are suggested while they are typed', async () => {
    const { id } = await discord.typeOption('mia', 'settings', 'zone', 'new yo');
    const now = async () => (await discord.interaction(id)).suggestions;
    await docent.until('they are there', async () => (await now()) !== undefined);
    expect(await now()).toEqual([{ name: 'America/New_York', value: 'America/New_York' }]);
  });

  test('the language that the program told is kept for what is written later', async () => {
    await discord.setLocale('hans', 'de');
    await uses('hans', 'help');
    const chapters = { prompt: 'Welches Kapitel?', options: [{ label: 'Eins' }] };
    docent.willSay(call('ask_user', { questions: [{ ...chapters, expires_in: 1 }] }));
    room = await docent.newRoom();
    const { id: thread } = await discord.say('hans', '@Docent hilf mir', { in: room });
    const card = await docent.untilShown(thread, 'Welches Kapitel?');
    await uses('hans', 'stop', {}, thread);
    const now = async () => (await discord.message(card.id))?.content ?? '';
    await docent.until('the card is closed', async () => (await now()) !== card.content);
    expect(await now()).toContain('Geschlossen.');
  });

  test('a memory is listed, and forgotten once, though two gateways hear of it', async () => {
    const remember = (text: string) => call('write_memory', { op: 'add', text });
    docent.willSay(
      remember('studies maths'),
      say('FINISH', 'Noted.'),
      remember('likes proofs'),
      say('FINISH', 'Noted, too.'),
    );
    room = await docent.newRoom();
    await discord.say('paul', '@Docent I study maths', { in: room });
    await docent.untilSays(room, 'Noted.');
    await discord.say('paul', '@Docent and I like proofs', { in: room });
    await docent.untilSays(room, 'Noted.', 'Noted, too.');
    expect(await uses('paul', 'memory list')).toBe(
      '1. likes proofs\n2. studies maths\n\n`/memory forget` and a number: I forget it.',
    );
    expect(await uses('paul', 'memory forget', { number: 1 })).toBe('Forgotten: likes proofs');
    expect(await uses('paul', 'memory list')).toMatch(/^1\. studies maths\n\n/);
    expect(await uses('mia', 'memory list')).toBe('I remember nothing about you.');
  });

  test('two accounts become one person by a code, and two again', async () => {
    docent.willSay(call('write_memory', { op: 'add', text: 'plays chess' }), say('FINISH', 'Noted.'));
    room = await docent.newRoom();
    await discord.say('otto', '@Docent I play chess', { in: room });
    await docent.untilSays(room, 'Noted.');
    const [code = ''] = /(?<=`)[A-Z0-9]{8}(?=`)/.exec(await uses('otto', 'link')) ?? [];
    expect(await uses('otto2', 'link', { code })).toMatch(/^✓ This account and Discord are one person now/);
    expect(await uses('otto3', 'link', { code })).toMatch(/^This code is not valid/);
    expect(await uses('otto2', 'memory list')).toMatch(/^1\. plays chess\n/);
    expect(await uses('otto2', 'unlink')).toMatch(/^✓ This account is on its own again/);
    expect(await uses('otto2', 'memory list')).toBe('I remember nothing about you.');
  });

  test('a code that has expired makes nobody one, and the person is told how to get another', async () => {
    const [code = ''] = /(?<=`)[A-Z0-9]{8}(?=`)/.exec(await uses('kim', 'link')) ?? [];
    // As after ten minutes.
    expect(await docent.redis.redis.del(peopleKeys.code(code))).toBe(1);
    expect(await uses('kim2', 'link', { code })).toMatch(/^This code is not valid.*`\/link`/);
    expect(await uses('kim', 'unlink')).toBe('This account is not linked with another one.');
  });

  test('an account and a person at the terminal become one: they are remembered in both places', async () => {
    docent.willSay(call('write_memory', { op: 'add', text: 'plays the oboe' }), say('FINISH', 'Noted.'));
    room = await docent.newRoom();
    await discord.say('olga2', '@Docent I play the oboe', { in: room });
    await docent.untilSays(room, 'Noted.');
    await uses('olga2', 'settings', { style: 'thorough' });
    const [code = ''] = /(?<=`)[A-Z0-9]{8}(?=`)/.exec(await uses('olga2', 'link')) ?? [];
    const typed = await docentChat([`/link ${code}`, '/memory list', '/settings'], {
      REDIS_URL: docent.redis.url,
    });
    expect(typed.out).toMatch(/✓ This account and Discord are one person now[\s\S]*1\. plays the oboe/);
    expect(typed.out).toMatch(/Answers: thorough\s+Linked with: Discord/);
  });

  test('a reminder is made, listed, and comes where it was made, to its owner alone', async () => {
    room = await docent.newRoom();
    expect(await uses('rosa', 'remind', { when: 'in 5 seconds', what: 'redo this @everyone' }, room)).toMatch(
      /^⏰ <t:\d+:f> \(.+\)\. redo this @\u200beveryone/,
    );
    expect(await uses('rosa', 'reminders')).toMatch(/^- <t:\d+:f> redo this .* \(`r1`\)$/);
    const shown = await docent.untilShown(room, '⏰');
    expect(shown.pings).toMatchObject({ users: ['rosa'], everyone: false });
    await docent.until('it is over', async () =>
      (await uses('rosa', 'reminders')).startsWith('You have no reminders'),
    );
  });
});

test.each(['lost', 'unclear'] as const)(
  'a command is carried out when its acknowledgement was %s',
  async (how) => {
    await discord.fault({ on: 'respond', how });
    docent.willSay(say('FINISH', 'Here.'));
    room = await docent.newRoom();
    await discord.command('mia', 'ask', { question: 'are you there?' }, { in: room });
    const [, answer] = await docent.untilSays(room, openedBy('are you there?'), 'Here.');
    expect(answer?.replyTo).toBeDefined();
  },
);
