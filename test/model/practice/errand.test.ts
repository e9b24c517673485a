import { describe, expect, test } from 'vitest';
import { quotedFile } from '../../../src/files/file-words.ts';
import { quoteFor, withoutFiles } from '../../../src/model/practice/file-text.ts';
import type { PracticeMessage } from '../../../src/model/practice/request.ts';
import { type Reply, tutor } from '../../../src/model/practice/tutor.ts';
import { labelPrompt, talk } from './talk.ts';

const tools = new Set(['ask_user', 'cron', 'write_memory', 'read_memory']);
const system = `${labelPrompt}\n\nThe time is Mon 30 Nov 2026, 13:40:05.`;
const ask = (...messages: PracticeMessage[]): Reply =>
  tutor({ messages: [{ role: 'system', text: system }, ...messages], tools });
const says = (text: string): PracticeMessage => ({ role: 'user', text });
/** The reply after a call, with what came of it. */
const after = (text: string, result: string): string => {
  const { call } = ask(says(text));
  const name = call?.name ?? '';
  const reply = ask(
    says(text),
    { role: 'assistant', text: '``TOOL``\n', calls: [{ id: 'c1', name }] },
    { role: 'tool', callId: 'c1', text: result },
  );
  return reply.text.replace(/^> .*\n\n/, '');
};

describe('a reminder', () => {
  test.each([
    ['remind me in 10 minutes to drink water', 'drink water', '2026-11-30T13:50:05'],
    ['Please remind me to stretch in an hour.', 'stretch', '2026-11-30T14:40:05'],
    ['in 5 seconds remind me about the tea', 'the tea', '2026-11-30T13:40:10'],
    ['remind me tomorrow at 9:30 to practise fractions', 'practise fractions', '2026-12-01T09:30:00'],
    ['remind me at 5pm that the lesson begins', 'the lesson begins', '2026-11-30T17:00:00'],
    ['remind me at 9 am to call', 'call', '2026-12-01T09:00:00'],
    ['remind me at 12:00 am of the moon', 'the moon', '2026-12-01T00:00:00'],
    ['Erinnere mich in 2 Stunden an die Hausaufgabe', 'die Hausaufgabe', '2026-11-30T15:40:05'],
    ['erinnere mich morgen um 9 Uhr daran, zu üben', 'üben', '2026-12-01T09:00:00'],
    ['10分钟后提醒我喝水', '喝水', '2026-11-30T13:50:05'],
  ])('%j', (text, message, at) => {
    const { label, call } = ask(says(text));
    expect(label).toBe('TOOL');
    expect(call).toMatchObject({ name: 'cron', args: { action: 'schedule', message, at } });
  });

  test('is confirmed with its time, and a refusal is passed on', () => {
    const set = JSON.stringify({ id: 'r1', local: 'Mon 30 Nov 2026, 13:50' });
    expect(after('remind me in 10 minutes to drink', set)).toBe(
      '⏰ I will remind you: Mon 30 Nov 2026, 13:50.',
    );
    expect(after('remind me in 10 minutes to drink', 'Not scheduled: there are too many.')).toBe(
      'That did not work: Not scheduled: there are too many.',
    );
  });

  test.each([
    'remind me to drink water',
    'remind me some day',
    'remind me at 25:00 to wake',
    'remind me in 0 minutes to x',
  ])('%j wants a time', (text) => {
    const { label, text: answer } = ask(says(text));
    expect([label, answer]).toEqual(['FINISH', expect.stringContaining('Tell me when')]);
  });

  test('without a text wants one', () => {
    expect(ask(says('remind me in 10 minutes')).text).toContain('Tell me of what');
  });
});

describe('memory', () => {
  test.each([
    ['remember that I prefer short answers', 'I prefer short answers', 'preference'],
    ['Please remember: my exam is in June', 'my exam is in June', 'fact'],
    ['merk dir, dass ich Brüche mag', 'ich Brüche mag', 'preference'],
    ['记住我喜欢例子', '我喜欢例子', 'preference'],
  ])('%j is kept', (text, what, kind) => {
    expect(ask(says(text)).call).toEqual({
      kind: 'call',
      name: 'write_memory',
      args: { op: 'add', text: what, kind },
    });
  });

  test('says that it is kept, and what is known', () => {
    expect(
      after('remember that I like proofs', 'Remembered as m1 "I like proofs" (preference, me).'),
    ).toContain('I will remember that.');
    expect(ask(says('What do you know about me?')).call?.name).toBe('read_memory');
    const known = JSON.stringify({
      memories: [
        { id: 'm1', text: 'likes proofs' },
        { id: 'm2', text: 'exam in June' },
      ],
    });
    expect(after('What do you know about me?', known)).toBe(
      'This is what I know about you:\n\n- likes proofs\n- exam in June',
    );
    expect(after('What do you know about me?', 'Nothing is remembered about this person yet.')).toContain(
      'I know nothing about you yet.',
    );
  });

  test('is not touched where the tools are not offered', () => {
    const reply = tutor({
      messages: [{ role: 'system', text: system }, says('remember that I like proofs')],
      tools: new Set(),
    });
    expect([reply.label, reply.call]).toEqual(['FINISH', undefined]);
  });
});

describe('a dropped file', () => {
  const notes = quotedFile(
    'notes.md',
    '# Calculus\n```\ncode\n```\nA limit is what a value comes near to.\nThe chain rule: outer, then inner.',
  );

  test('is read, and the line that fits the question is quoted', () => {
    const { text } = ask(says(`What does it say about limits?\n\n${notes}`));
    expect(text).toContain(
      'I have read notes.md (6 lines). What fits best is this:\n\n> A limit is what a value comes near to.\n\n(notes.md, line 5)',
    );
  });

  test('is quoted from later on, too', () => {
    const { text } = ask(
      says(notes),
      { role: 'assistant', text: '``FINISH``\nI have read notes.md.', calls: [] },
      says('quote the file on the chain rule'),
    );
    expect(text).toContain('> The chain rule: outer, then inner.');
  });

  test('hides no task: a sum beside it is worked', () => {
    expect(ask(says(`12*7\n\n${notes}`)).text).toContain('12 × 7 = 84');
  });

  test('without words is told so', () => {
    expect(ask(says(quotedFile('x.csv', ',,,'))).text).toContain('I find no words in x.csv.');
  });

  test('sums in it are not worked, and words in it set no reminder', () => {
    const { call, text } = ask(
      says(`Read this.\n\n${quotedFile('x.txt', 'remind me in 10 minutes to 2 + 2')}`),
    );
    expect(call).toBe(undefined);
    expect(text).toContain('> remind me in 10 minutes to 2 + 2');
  });

  test('a file may hold fences and brackets of its own', () => {
    expect(withoutFiles(`a\n\n${notes}\n\n${quotedFile('b.txt', 'c', 'more is missing')}`)).toMatchObject({
      text: 'a',
      files: [{ name: 'notes.md' }, { name: 'b.txt', text: 'c' }],
    });
    expect(withoutFiles('The file "x" came')).toEqual({ text: 'The file "x" came', files: [] });
    expect(quoteFor('anything', [{ name: 'e', text: '\n \n---' }])).toBe(undefined);
  });
});

describe('an exercise like the last task', () => {
  test.each([
    ['12*7', /^✏️ \*\*Work out:\*\* \d+ ?× ?\d+\n/],
    ['3/4 + 1/6', /^✏️ \*\*Work out:\*\* \d+\/\d+ \+ \d+\/\d+\n/],
    ['2x + 3 = 11', /^✏️ \*\*Solve:\*\* \d+x \+ \d+ = \d+\n/],
  ])('after %j has its signs and other numbers', (task, exercise) => {
    const lesson = talk();
    lesson.says(task);
    lesson.says('quiz me on that');
    expect(lesson.answer).toMatch(exercise);
    expect(lesson.answer).not.toContain(task);
  });

  test('is another one each time, and needs something to be like', () => {
    const lesson = talk();
    lesson.says('quiz me on that');
    expect(lesson.answer).toContain('We have not worked anything yet.');
    lesson.says('12*7');
    lesson.says('one like that');
    const first = lesson.answer;
    lesson.says('one like that');
    expect(lesson.answer).toMatch(/^✏️/);
    expect(lesson.answer).not.toBe(first);
  });
});
