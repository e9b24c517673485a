// Answers on Discord as people see them: long ones, their traces, refusals, and posts of which nobody heard. The real client
// against the fake, real Redis, a gateway and a worker.
import { describe, expect, test } from 'vitest';
import type { Docent } from '../support/discord/docent.ts';
import { docentForTests } from '../support/discord/docent-for-tests.ts';
import { call, type Reply, say } from '../support/llm/reply.ts';

let docent: Docent;
let discord: Docent['discord'];
let room = '';

docentForTests(async (started) => {
  docent = started;
  ({ discord } = docent);
  await docent.run('gateway', { DENY_USERS: await discord.idOf('eve') });
  await docent.run('worker');
});

async function asks(text: string, ...replies: readonly Reply[]) {
  docent.willSay(...replies);
  room = await docent.newRoom();
  return discord.say('mia', `@Docent ${text}`, { in: room });
}

/** An answer that takes some seconds to be written. */
function growing(text: string): Reply {
  const chunk = (whole: string) => whole.match(/[^]{1,150}/g) ?? [];
  return say('FINISH', text, { delayMs: 60, chunk });
}

describe('a long answer', () => {
  const code = (language: string, lines: number) => ({
    language,
    text: Array.from(
      { length: lines },
      (_, at) => `${' '.repeat(at % 8)}line(${at})  # "${language}" *_~|`,
    ).join('\n'),
  });
  const codes = [code('python', 90), code('js', 60), code('c', 40)];
  const prose = (name: string, sentences: number) =>
    Array.from(
      { length: sentences },
      (_, at) => `Sentence ${name}${at} is **bold** and has [a link](https://example.org/${at}).`,
    ).join(' ');
  const [python, js, c] = codes.map(({ language, text }) => `\`\`\`${language}\n${text}\n\`\`\``);
  const answer = [
    '# Everything',
    prose('a', 20),
    python,
    '- one\n  - two\n    1. three\n    2. four\n  - five\n- six',
    prose('b', 20),
    js,
    '| name | value |\n| - | - |\n| alpha | 1 |\n| beta | 2 |',
    c,
    prose('c', 20),
    'The very end.',
  ].join('\n\n');

  test('of 10,000 characters is complete, with its code byte for byte; each message is whole by itself', async () => {
    expect(answer.length).toBeGreaterThan(9_000);
    await asks('everything', growing(answer));
    await docent.untilEnded(room);
    const shown = await docent.says(room);
    const texts = shown.map(({ content }) => content);
    const file = shown.at(-1)?.files[0];
    const rest = file === undefined ? '' : await (await fetch(file.url)).text();

    expect(texts.every((text) => Array.from(text).length <= 2_000)).toBe(true);
    // Every block of code is closed in the message in which it is opened.
    expect(texts.map((text) => text.split('\n').filter((line) => line.startsWith('```')).length % 2)).toEqual(
      texts.map(() => 0),
    );
    for (const { language, text } of codes) {
      const parts = [...texts, rest].flatMap((each) => codeIn(each, language));
      expect(parts.join('\n')).toBe(text);
    }
    const all = [...texts, rest].join('\n');
    for (const name of ['a', 'b', 'c']) expect(all).toContain(`Sentence ${name}9 is`);
    for (const item of ['one', 'two', 'three', 'four', 'five', 'six', 'alpha', 'beta', 'The very end.'])
      expect(all).toContain(item);
    // Nobody but the asker is notified, once.
    const pings = (await discord.pings()).filter(({ messageId }) => shown.some(({ id }) => id === messageId));
    expect(pings.map(({ users, roles, everyone }) => ({ users, roles, everyone }))).toEqual([
      { users: ['mia'], roles: [], everyone: false },
    ]);
  });

  test('of more than six messages goes on in a file', async () => {
    await asks('more', growing(`${prose('x', 220)}\n\nThe very end.`));
    await docent.untilEnded(room);
    const shown = await docent.says(room);
    expect(shown).toHaveLength(6);
    expect(shown.at(-1)?.content).toContain('The rest of this answer is in the attached file.');
    const [file] = shown.at(-1)?.files ?? [];
    expect(file?.filename).toBe('answer.md');
    expect(await (await fetch(file?.url ?? '')).text()).toMatch(/^Sentence[^]*The very end\.$/);
  });

  /** The contents of the blocks of a language, as a reader copies them. */
  function codeIn(text: string, language: string): string[] {
    return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)\\n\`\`\`$`, 'gm'))].map(
      ([, inside = '']) => inside,
    );
  }
});

describe('a trace', () => {
  const recall = call('read_memory', { query: 'maths' });

  test('in a direct conversation is one message above the answer', async () => {
    docent.willSay(recall, say('THINK', 'Now I know.'), say('FINISH', 'Directly.'));
    await discord.say('mia', 'why?', { in: 'dm' });
    const dm = await discord.channelId('dm', 'mia');
    await docent.untilSays(dm, 'Directly.');
    await docent.untilTrace(dm, 'Thought for');
    const all = (await discord.messages(dm)).filter(({ author }) => author === 'Docent');
    expect(all.map(({ content }) => content.replace(/\d+ s/, '1 s'))).toEqual([
      '-# 🧠 Thought for 1 s · 1 tool',
      'Directly.',
    ]);
    expect(all[0]?.texts.some((text) => text.includes('-# ✓ recalling maths'))).toBe(true);
  });
});

describe('who gets no answer is told so', () => {
  test('in one line that pings nobody and soon goes, when it is a person who may not', async () => {
    room = await docent.newRoom();
    await discord.say('eve', '@Docent hello', { in: room });
    const note = await docent.untilShown(room, 'I may not answer you here.');
    expect(note.pings).toEqual({ users: [], roles: [], everyone: false });
    await docent.until('it is gone', async () => (await docent.says(room)).length === 0);
  });

  test('in such a line, when it is a mention and nothing else', async () => {
    room = await docent.newRoom();
    await discord.say('mia', '@Docent', { in: room });
    const note = await docent.untilShown(room, 'There is nothing in it that I could answer.');
    expect(note.pings).toEqual({ users: [], roles: [], everyone: false });
  });

  test('with the time, when it was too much', async () => {
    const [, worker] = docent.processes;
    await worker?.kill();
    const strict = await docent.run('worker', { QUOTA_MESSAGES_PER_MINUTE: '1' });
    await asks('one', say('FINISH', 'One.'));
    await docent.untilSays(room, 'One.');
    const second = await discord.say('mia', '@Docent two', { in: room });
    const note = await docent.untilShown(second.id, 'That was a lot of messages at once.');
    expect(note.content).toMatch(/I can answer again at \d\d:\d\d UTC\./);
    // Not before the refusal is stored: another worker, without a limit, would answer.
    strict.signal('SIGTERM');
    await strict.ended;
    await docent.run('worker');
  });
});

test('an answer whose post was done unheard is found again when its worker died and its nonce is forgotten', async () => {
  const lines = Array.from({ length: 30 }, (_, at) => `Line ${at}.`).join('\n');
  const worker = docent.processes.at(-1);
  await discord.fault({ on: 'create_message', how: 'slow', ms: 20_000 });
  await asks('count', say('FINISH', lines, { delayMs: 50 }), say('FINISH', lines));
  await docent.until('something of it is there', async () => (await docent.says(room)).length > 0);
  const [half] = await docent.says(room);
  await worker?.kill();
  await discord.advance(10 * 60_000);
  await docent.run('worker');
  const whole = await docent.untilShown(room, 'Line 29.');
  expect(whole.id).toBe(half?.id);
  expect(await docent.says(room)).toHaveLength(1);
});
