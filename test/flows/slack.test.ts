// Docent on Slack: Slack's own libraries against the fake, real Redis, two gateways and three workers in processes of their
// own; all of it once over sockets and once over HTTP. What writes alone decide is tried over HTTP only with `TEST_FULL=1`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isFull } from '../support/flows/full.ts';
import { call, type Reply, say } from '../support/llm/reply.ts';
import type { Child } from '../support/processes.ts';
import type { Docent, Way } from '../support/slack/docent.ts';
import { docentForTests } from '../support/slack/docent-for-tests.ts';

let docent: Docent;
let slack: Docent['slack'];
let room = '';
let gateways: readonly Child[];
let workers: readonly Child[];

docentForTests(async (started) => {
  docent = started;
  ({ slack } = docent);
  workers = await Promise.all([docent.run('worker'), docent.run('worker'), docent.run('worker')]);
});

/** Mia asks in a channel of its own; the model says what is given. */
async function asks(text: string, ...replies: readonly Reply[]) {
  docent.willSay(...replies);
  room = await docent.newRoom();
  return slack.say('mia', `@Docent ${text}`, { in: room });
}
const lastRequest = () => JSON.stringify(docent.llm.requests.at(-1)?.messages);
const lines = Array.from({ length: 40 }, (_, at) => `Line ${at}.`);
const slowly = say('FINISH', lines.join('\n'), { delayMs: 100 });

describe.each<Way>(['sockets', 'HTTP'])('over %s', (way) => {
  beforeAll(async () => {
    gateways = await docent.listen(way, 2, {
      DOCENT_ADMINS: await slack.idOf('ada'),
      DENY_USERS: await slack.idOf('eve'),
    });
  });
  afterAll(() => Promise.all(gateways.map((gateway) => gateway.kill())));

  test('a mention is answered in its thread, and people go on there without one', async () => {
    const question = await asks(
      'why is the *derivative* of ln x equal to 1/x?',
      say('FINISH', 'Because ln is the inverse of exp.'),
      say('FINISH', 'Take x = 2.'),
    );
    await docent.untilSays(room, undefined, 'Because ln is the inverse of exp.');
    const answer = await docent.untilEnded(room);
    expect(answer).toMatchObject({ thread: question.ts, isBroadcast: false });
    expect(answer.stream?.state).toBe('stopped');
    const { lines: shown } = await slack.session(room, question.ts);
    expect(shown.length).toBeGreaterThan(0); // a sign of life
    await slack.say('mia', 'an example please', { in: room, thread: question.ts });
    await docent.untilSays(room, question.ts, 'Because ln is the inverse of exp.', 'Take x = 2.');
    expect(await slack.pings()).toEqual([]);
  });

  test('mention and message, both twice and in any order, are one question', async () => {
    const before = docent.llm.requests.length;
    await slack.events({ duplicates: 1, delayMs: [0, 200] });
    await asks('how often?', say('FINISH', 'Once.'), say('FINISH', 'Once more.'));
    await docent.untilSays(room, undefined, 'Once.');
    await slack.events({ duplicates: 0, delayMs: [0, 0] });
    await slack.say('mia', '@Docent and now?', { in: room });
    await docent.untilSays(room, undefined, 'Once.', 'Once more.');
    expect(docent.llm.requests.length - before).toBe(2);
  });

  test('a direct message needs no mention, and nobody else reads the answer', async () => {
    docent.willSay(say('FINISH', 'Directly.'));
    const { channelId, ts } = await slack.say(`dora-${way}`, 'why?', { in: 'dm' });
    const answer = await docent.untilShown(channelId, 'Directly.');
    expect(answer.thread).toBe(ts);
  });

  test('who calls a channel or another person does not mean the bot; other bots are not answered', async () => {
    room = await docent.newRoom();
    await slack.say('ben', 'hello', { in: room });
    await slack.setPerson('other bot', { isBot: true });
    docent.willSay(say('FINISH', 'Nobody asked.'));
    for (const text of ['@channel look', '@here look', '@ben look'])
      await slack.say('mia', text, { in: room });
    await slack.say('other bot', '@Docent why?', { in: room });
    docent.willSay(say('FINISH', 'Asked.'));
    await slack.say('mia', '@Docent and now?', { in: room });
    await docent.untilShown(room, 'Asked.');
    expect(await docent.says(room)).toHaveLength(1);
  });

  test('in a thread of other people the bot reads what was said, and is not drawn in', async () => {
    room = await docent.newRoom();
    const root = await slack.say('ben', 'e to the x is its own derivative', { in: room });
    await slack.say('ann', 'and ln?', { in: room, thread: root.ts });
    docent.willSay(say('FINISH', 'One over x.'));
    await slack.say('mia', '@Docent can you help us?', { in: room, thread: root.ts });
    await docent.untilShown(room, 'One over x.', root.ts);
    expect(lastRequest()).toContain('e to the x is its own derivative');
    expect(lastRequest()).toContain('and ln?');
    const before = docent.llm.requests.length;
    await slack.say('ann', 'thanks, ben', { in: room, thread: root.ts });
    docent.willSay(say('FINISH', 'Still one over x.'));
    await slack.say('ann', '@Docent sure?', { in: room, thread: root.ts });
    await docent.untilShown(room, 'Still one over x.', root.ts);
    expect(docent.llm.requests.length - before).toBe(1);
  });

  test('a message of only a mention, and a person who may not, are told so in private', async () => {
    room = await docent.newRoom();
    await slack.say('eve', '@Docent hello', { in: room });
    expect(await docent.untilToldPrivately('eve', room)).toEqual(['I may not answer you here.']);
    await slack.say('mia', '@Docent', { in: room });
    expect(await docent.untilToldPrivately('mia', room)).toEqual([
      'There is nothing in it that I could answer.',
    ]);
    expect(await docent.says(room)).toEqual([]);
  });

  describe('a question of the bot', () => {
    const chapters = { prompt: 'Which chapter?', options: [{ label: 'One' }, { label: 'Two' }] };

    async function asked(questions: readonly object[] = [chapters]) {
      const question = await asks(
        'help me revise',
        call('ask_user', { questions }),
        say('FINISH', 'Let us begin.'),
      );
      const card = await docent.untilShown(room, 'Which chapter?', question.ts);
      const closed = () =>
        docent.until('the card is closed', async () => (await slack.message(card.ts))?.buttons.length === 0);
      return { thread: question.ts, card, closed };
    }
    const cardNow = async (ts: string) => (await slack.message(ts))?.shown;

    test('is answered by a button', async () => {
      const { card, closed } = await asked();
      expect(card.buttons.map(({ label }) => label)).toEqual(['One', 'Two', 'Other…']);
      await slack.press('mia', card.ts, 'Two');
      await docent.untilShown(room, 'Let us begin.');
      await closed();
      expect(await cardNow(card.ts)).toContain('✓ Two');
    });

    test('is answered by a reply in the thread', async () => {
      const { thread, card, closed } = await asked();
      await slack.say('mia', 'two', { in: room, thread });
      await docent.untilShown(room, 'Let us begin.');
      await closed();
      expect(await cardNow(card.ts)).toContain('✓ Two');
    });

    test('is answered by a form', async () => {
      const { card } = await asked();
      await slack.press('mia', card.ts, 'Other…');
      await docent.until('the form is open', async () => (await slack.openView('mia')) !== undefined);
      await slack.submit('mia', { t0: 'the one about logarithms' });
      await docent.untilShown(room, 'Let us begin.');
      expect(await slack.openView('mia')).toBeUndefined();
      expect(lastRequest()).toContain('the one about logarithms');
    });

    test('of many options is a menu', async () => {
      const options = Array.from({ length: 7 }, (_, at) => ({ label: `Chapter ${at}` }));
      const { card } = await asked([{ prompt: 'Which chapter?', options }]);
      await slack.choose('mia', card.ts, 'Chapter 5');
      await docent.untilShown(room, 'Let us begin.');
      expect(lastRequest()).toContain('Chapter 5');
    });

    test('is for its asker; who comes too late is told in private', async () => {
      const { card } = await asked();
      await slack.press('ben', card.ts, 'One');
      expect(await docent.untilToldPrivately('ben', room)).toEqual(['This question is for somebody else.']);
      await slack.press('mia', card.ts, 'Two');
      await docent.untilShown(room, 'Let us begin.');
    });

    test('takes the first of two presses', async () => {
      const { card } = await asked();
      await Promise.all([slack.press('mia', card.ts, 'One'), slack.press('mia', card.ts, 'Two')]);
      await docent.untilShown(room, 'Let us begin.');
      expect(await docent.untilToldPrivately('mia', room)).toEqual(['This question is closed already.']);
    });

    test('is closed for somebody else by an admin', async () => {
      const { thread, closed } = await asked();
      docent.willSay(say('FINISH', 'Then for you, Ben.'));
      await slack.say('ben', '@Docent and me?', { in: room, thread });
      const line = await docent.untilShown(room, 'I am waiting for', thread);
      expect(line.pings.users).toEqual([]);
      await slack.press('ada', line.ts, 'Ask anyway');
      await docent.untilShown(room, 'Then for you, Ben.');
      await closed();
    });
  });

  describe('an answer that grows', () => {
    async function growing() {
      const question = await asks('count', slowly, slowly);
      return { thread: question.ts, answer: await docent.untilShown(room, 'Line 3.') };
    }

    test("is stopped by Slack's own button, and keeps what was shown", async () => {
      const { answer } = await growing();
      await slack.pressStop('mia', answer.ts);
      const stopped = await docent.untilShown(room, '⏹ Stopped.');
      expect(stopped.shown).toMatch(/^Line 0\.\nLine 1\./);
      expect(await docent.says(room)).toHaveLength(1);
    });

    test('is stopped by a word in its thread', async () => {
      const { thread } = await growing();
      await slack.say('mia', 'Stop!', { in: room, thread });
      expect((await docent.untilShown(room, '⏹ Stopped.')).shown).toContain('Line 3.');
    });

    test('is finished in the same message when a worker dies', async () => {
      const { answer } = await growing();
      const died = Date.now();
      // Whichever of them it was.
      await Promise.all(workers.map((worker) => worker.kill()));
      workers = await Promise.all([docent.run('worker'), docent.run('worker'), docent.run('worker')]);
      const last = await docent.untilShown(room, 'Line 39.');
      expect(last.ts).toBe(answer.ts);
      expect(Date.now() - died).toBeLessThanOrEqual(45_000);
      expect(last.shown.match(/Line 7\./g)).toHaveLength(1);
      expect(await docent.says(room)).toHaveLength(1);
    });

    test('goes when its question is deleted', async () => {
      const { thread } = await growing();
      await slack.deleteMessage(thread);
      expect(await docent.untilSays(room, undefined)).toEqual([]);
    });

    test('takes what is said meanwhile: noted, then used', async () => {
      const question = await asks('count', slowly, say('FINISH', 'Backwards.'));
      await docent.untilShown(room, 'Line 1.');
      const more = await slack.say('mia', 'now backwards', { in: room, thread: question.ts });
      const marks = async () => Object.keys((await slack.message(more.ts))?.reactions ?? {}).join();
      await docent.until('it is noted', async () => (await marks()) === 'eyes');
      await docent.untilShown(room, 'Backwards.');
      await docent.until('it is used', async () => (await marks()) === 'white_check_mark');
      expect((await slack.message(question.ts))?.reactions).toEqual({});
    });
  });

  test('what is edited or deleted after the model read it is told to the model', async () => {
    const question = await asks(
      'what is 1 + 1?',
      say('FINISH', 'Two.'),
      say('FINISH', 'Four.'),
      say('FINISH', 'Five.'),
    );
    await docent.untilShown(room, 'Two.');
    await slack.edit('mia', question.ts, '@Docent what is 2 + 2?');
    await slack.addPreview(question.ts); // no edit
    await docent.untilTaken();
    await slack.say('mia', 'look again', { in: room, thread: question.ts });
    await docent.untilShown(room, 'Four.');
    expect(lastRequest().match(/\[mia changed their message to: what is 2 \+ 2\?\]/g)).toHaveLength(1);
    await slack.deleteMessage(question.ts);
    await docent.untilTaken();
    await slack.say('mia', 'and now?', { in: room, thread: question.ts });
    await docent.untilShown(room, 'Five.');
    expect(lastRequest()).toContain('[mia deleted their message.]');
  });

  describe('an answer that has ended', () => {
    async function answered(...more: readonly Reply[]) {
      const question = await asks('why?', say('FINISH', 'Because.'), ...more);
      await docent.untilShown(room, 'Because.');
      const answer = await docent.untilEnded(room);
      await docent.untilIdle();
      return { thread: question.ts, answer };
    }

    test('has its buttons, and is given anew in the same message', async () => {
      const { answer } = await answered(say('FINISH', 'Since it is.'));
      expect(answer.buttons.map(({ label }) => label)).toEqual(['Regenerate', '🗑️', '👍', '👎']);
      await slack.press('mia', answer.ts, 'Regenerate');
      expect((await docent.untilShown(room, 'Since it is.')).ts).toBe(answer.ts);
      expect(lastRequest()).not.toContain('Because.');
    });

    test('is not given anew for somebody else', async () => {
      const { answer } = await answered();
      await slack.press('ben', answer.ts, 'Regenerate');
      expect(await docent.untilToldPrivately('ben', room)).toEqual([
        'Only the person who asked can do this, or somebody who looks after this channel.',
      ]);
    });

    test('takes a vote, and a reason with a bad one', async () => {
      const { answer } = await answered();
      await slack.press('mia', answer.ts, '👍');
      expect(await docent.untilToldPrivately('mia', room)).toEqual(['Noted, thank you.']);
      await slack.press('ben', answer.ts, '👎');
      expect((await docent.untilToldPrivately('ben', room)).join()).toContain('say what was wrong');
      const hint = (await slack.messages(room, { onlyFor: 'ben' })).find(({ onlyFor }) => onlyFor === 'ben');
      await slack.press('ben', hint?.ts ?? '', 'Say why…');
      await docent.until('the form is open', async () => (await slack.openView('ben')) !== undefined);
      await slack.submit('ben', { t0: 'Too short.' });
      await docent.until('the form is closed', async () => (await slack.openView('ben')) === undefined);
    });

    test('goes when its asker wants that', async () => {
      const { answer } = await answered();
      await slack.press('mia', answer.ts, '🗑️');
      expect(await docent.untilSays(room, undefined)).toEqual([]);
    });

    test('explains itself when nothing is known of it any more', async () => {
      const { answer } = await answered();
      await docent.redis.redis.flushdb();
      await slack.press('mia', answer.ts, 'Regenerate');
      expect(await docent.untilToldPrivately('mia', room)).toEqual([
        'This is too old: I do not remember it any more.',
      ]);
    });
  });

  test('a trace is one line when its turn has ended, and shows all of it in private', async () => {
    const question = await asks('why?', call('read_memory', { query: 'maths' }), say('FINISH', 'Because.'));
    await docent.untilEnded(room);
    let trace: string | undefined;
    await docent.until('the trace is one line', async () => {
      const all = await slack.messages(room, { thread: question.ts });
      const found = all.find(({ shown }) => shown.includes('Thought for'));
      trace = found?.ts;
      return trace !== undefined;
    });
    const { id } = await slack.press('ben', trace ?? '', 'Show thinking');
    await docent.until('the page is open', async () => (await slack.interaction(id)).views.length > 0);
    const [page] = (await slack.interaction(id)).views;
    expect(page?.shown).toContain('recalling');
    await slack.closeView('ben');
    expect(await slack.openView('mia')).toBeUndefined();
  });

  test('a model that fails is told about, with a button to try again', async () => {
    await asks('why?', { status: 401, body: { error: { message: 'Incorrect API key' } } });
    await docent.until('a notice with a button', async () =>
      (await docent.says(room)).some(({ buttons }) => buttons.some(({ label }) => label === 'Retry')),
    );
    const [notice] = await docent.says(room);
    expect(notice?.shown).not.toContain('Incorrect API key'); // that is for the log
    const { ts } = notice ?? { ts: '' };
    await docent.untilIdle();
    docent.willSay(say('FINISH', 'Here I am.'));
    await slack.press('mia', ts, 'Retry');
    expect((await docent.untilShown(room, 'Here I am.')).ts).toBe(ts);
  });

  describe('commands', () => {
    test('help is shown in private', async () => {
      room = await docent.newRoom();
      const { id } = await slack.command('mia', '/docent', 'help', room);
      await docent.until('help is shown', async () => (await slack.interaction(id)).said.length > 0);
      const { said, acknowledgedAfterMs } = await slack.interaction(id);
      expect(said[0]).toMatchObject({ onlyFor: 'mia' });
      expect(said[0]?.shown).toContain('/docent');
      expect(acknowledgedAfterMs).toBeLessThan(3_000);
    });

    test('ask asks in the channel, and is answered in a thread of it', async () => {
      room = await docent.newRoom();
      docent.willSay(say('FINISH', 'Because.'));
      await slack.command('mia', '/docent', 'ask why?', room);
      const answer = await docent.untilShown(room, 'Because.');
      const root = await slack.message(answer.thread ?? '');
      expect(root?.shown).toContain('why?');
    });

    test('stop lists what runs, and stops what is pressed', async () => {
      await asks('count', slowly);
      await docent.untilShown(room, 'Line 2.');
      const { id } = await slack.command('mia', '/docent', 'stop', room);
      await docent.until('a list is shown', async () => (await slack.interaction(id)).said.length > 0);
      const [list] = (await slack.interaction(id)).said;
      await slack.press('mia', list?.ts ?? '', list?.buttons[0]?.actionId ?? '');
      expect((await docent.untilShown(room, '⏹ Stopped.')).shown).toContain('Line 2.');
    });

    test('the shortcut of a message explains it', async () => {
      room = await docent.newRoom();
      const { ts } = await slack.say('ben', 'ln is the inverse of exp', { in: room });
      docent.willSay(say('FINISH', 'That means …'));
      await slack.messageShortcut('mia', 'explain', ts);
      await docent.untilShown(room, 'That means …', ts);
      expect(lastRequest()).toContain('ln is the inverse of exp');
    });
  });

  test('the home page shows what the bot is, when it is opened', async () => {
    await slack.openHome('hanna');
    await docent.until('the page is there', async () => (await slack.home('hanna')) !== undefined);
    expect((await slack.home('hanna'))?.shown).not.toBe('');
  });

  describe('a file', () => {
    test('is read', async () => {
      docent.willSay(say('FINISH', 'I have read it.'));
      room = await docent.newRoom();
      await slack.say('mia', '@Docent what is in it?', {
        in: room,
        files: [{ name: 'notes.txt', text: 'The derivative of ln x is 1/x.' }],
      });
      await docent.untilShown(room, 'I have read it.');
      expect(lastRequest()).toContain('The derivative of ln x is 1/x.');
    });

    test('whose download is the login page is told about, and the page is not read', async () => {
      docent.willSay(say('FINISH', 'I cannot see it.'));
      room = await docent.newRoom();
      await slack.say('mia', '@Docent what is in it?', {
        in: room,
        files: [{ name: 'notes.txt', text: 'x', trouble: 'login' }],
      });
      await docent.untilShown(room, 'I cannot see it.');
      expect(lastRequest()).not.toContain('Sign in');
      expect(lastRequest()).toContain('notes.txt');
    });
  });

  const isTried = isFull || way === 'sockets';
  describe.runIf(isTried)('whatever becomes of a write, nothing is said twice and nothing is lost', () => {
    test.each(['lost', 'unclear', 'denied'] as const)(
      'when a start was done and its answer was %s',
      async (how) => {
        await slack.fault({ on: 'chat.startStream', how });
        await asks('are you there?', say('FINISH', 'Here I am.'));
        await docent.untilEnded(room);
        const shown = (await docent.says(room)).map(({ shown: text }) => text);
        expect(shown).toEqual(['Here I am.']);
      },
    );

    test.each(['lost', 'html', 'limited'] as const)('when an append was answered by: %s', async (how) => {
      await slack.fault({ on: 'chat.appendStream', how });
      await asks('count', slowly);
      await docent.untilShown(room, 'Line 39.');
      const ended = await docent.untilEnded(room);
      expect(ended.shown.trim()).toBe(lines.join('\n'));
      expect(await docent.says(room)).toHaveLength(1);
    });

    test('when a stop was done and nobody heard of it', async () => {
      await slack.fault({ on: 'chat.stopStream', how: 'lost' });
      await asks('are you there?', say('FINISH', 'Here I am.'));
      await docent.untilEnded(room);
      expect((await docent.says(room)).map(({ shown }) => shown)).toEqual(['Here I am.']);
    });

    test('when Slack ends the stream before the answer has ended', async () => {
      await slack.workspace({ streamLifeMs: 1_500 });
      await asks('count', slowly);
      await docent.untilShown(room, 'Line 39.');
      await docent.untilEnded(room);
      await slack.workspace({ streamLifeMs: 300_000 });
      const all = (await docent.says(room)).map(({ shown }) => shown).join('\n');
      for (const line of lines) expect(all.split('\n').filter((each) => each === line)).toEqual([line]);
    });

    test('where there is no streaming', async () => {
      await slack.workspace({ isStreamingAllowed: false });
      await asks('count', slowly);
      await docent.untilShown(room, 'Line 39.');
      const ended = await docent.untilEnded(room);
      await slack.workspace({ isStreamingAllowed: true });
      expect(ended.shown.trim()).toBe(lines.join('\n'));
      expect(ended.shownBefore.length).toBeGreaterThan(2); // it grew
    });

    test('when status, reactions and titles fail', async () => {
      for (const on of ['assistant.threads.*', 'agents.sessions.*', 'reactions.*'])
        await slack.fault({ on, how: 'refused', times: 20 });
      await asks('are you there?', say('FINISH', 'Here I am.'));
      await docent.untilEnded(room);
      await slack.clearFaults();
      expect((await docent.says(room)).map(({ shown }) => shown)).toEqual(['Here I am.']);
    });
  });

  describe('what is said while nobody listens is answered once', () => {
    test('when Redis is away for a while', async () => {
      room = await docent.newRoom();
      docent.willSay(say('FINISH', 'Back again.'));
      await docent.redis.stop();
      await slack.say('mia', '@Docent is Redis there?', { in: room });
      await docent.redis.start();
      // What nobody could store was not acknowledged: Slack brings it again.
      await slack.advance(60_000);
      await docent.untilShown(room, 'Back again.');
      expect(await docent.says(room)).toHaveLength(1);
      await slack.forgetJournal();
    });

    test('when both gateways died and people went on', async () => {
      const question = await asks(
        'are you there?',
        say('FINISH', 'Yes.'),
        say('FINISH', 'A.'),
        say('FINISH', 'B.'),
      );
      await docent.untilEnded(room);
      await Promise.all(gateways.map((gateway) => gateway.kill()));
      await slack.say('mia', '@Docent and in the channel?', { in: room, event: false });
      await slack.say('mia', 'and in the thread?', { in: room, thread: question.ts, event: false });
      gateways = await docent.listen(way, 2, { DOCENT_ADMINS: await slack.idOf('ada') });
      await docent.until('both are answered', async () => {
        const shown = (await docent.says(room)).map(({ shown: text }) => text);
        return shown.includes('A.') && shown.includes('B.');
      });
      expect(await docent.says(room)).toHaveLength(3);
    });
  });
});
