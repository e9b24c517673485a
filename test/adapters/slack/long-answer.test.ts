// Long answers with everything in them, from the first token to the last message, on the real adapter in virtual time.
import { expect, test } from 'vitest';
import { inVirtualTime } from '../../support/slack/in-virtual-time.ts';

const code = Array.from(
  { length: 120 },
  (_, at) => `${' '.repeat(at % 5)}if (a${at} < b && c[${at}]) $x = "<!-- ${at} -->";`,
).join('\n');
const prose = (name: string, count: number) =>
  Array.from(
    { length: count },
    (_, at) => `Sentence ${name}${at} is here, with **bold** and $a_${at}$.`,
  ).join(' ');
const everything = [
  '# All of it',
  prose('a', 60),
  `\`\`\`js\n${code}\n\`\`\``,
  '1. one\n2. two\n   - deep\n3. three',
  '| name | value |\n|---|---|\n| alpha | 1 |\n| beta | $x^2$ |',
  prose('b', 60),
  'The very end.',
].join('\n\n');

/** What the bot said in the thread, as people read it, and the file below it. */
async function shownFor(answer: string) {
  return inVirtualTime(async ({ controls, clock, screenFor, untilDone }) => {
    const question = controls.say('mia', '@Docent why?');
    const screen = screenFor(question);
    const write = async () => {
      for (let at = 0; at < answer.length; at += 97) {
        screen.show({ type: 'answer.delta', text: answer.slice(at, at + 97) });
        await clock.sleep(50);
      }
      await screen.finish({ kind: 'finish', answer });
    };
    await untilDone(write());
    const said = controls.messages('general', { thread: question.ts });
    expect([controls.violations(), controls.notices(), controls.pings()]).toEqual([[], [], []]);
    return {
      texts: said.filter(({ author }) => author === 'Docent').map(({ shown }) => shown),
      files: said.flatMap(({ files }) => files),
    };
  });
}

test('an answer of 10,000 characters is complete, with its code byte for byte; each message is whole by itself', async () => {
  expect(everything.length).toBeGreaterThan(10_000);
  const { texts, files } = await shownFor(everything);
  expect(files).toEqual([]);
  expect(texts.every((text) => text.length <= 4_000)).toBe(true);
  // Every block of code is closed in the message in which it is opened.
  expect(texts.map((text) => text.split('\n').filter((line) => line.startsWith('```')).length % 2)).toEqual(
    texts.map(() => 0),
  );
  const parts = texts.flatMap((text) =>
    [...text.matchAll(/^```js\n([^]*?)\n```$/gm)].map(([, part]) => part),
  );
  expect(parts.join('\n')).toBe(code);
  const all = texts.join('\n');
  for (const sentence of [0, 20, 59].flatMap((at) => [`a${at}`, `b${at}`])) {
    const number = sentence.slice(1);
    expect(all).toContain(`Sentence ${sentence} is here, with **bold** and \`a_${number}\`.`);
  }
  for (const words of ['1. one', '3. three', '- deep', 'alpha', 'beta', 'x^2', 'The very end.'])
    expect(all).toContain(words);
});

test('one of more than six messages goes on in a file', async () => {
  const { texts, files } = await shownFor(`${prose('x', 400)}\n\nThe very end.`);
  expect(texts).toHaveLength(6);
  expect(files.map(({ name }) => name)).toEqual(['answer.md']);
  expect(files[0]?.text).toMatch(/^[^]*Sentence x399[^]*The very end\.$/);
});
