// Random answers through the fake's own rules for who is notified. `TEST_FULL=1`: 10,000 of them.
import { REST, Routes } from 'discord.js';
import { expect, test } from 'vitest';
import { discordMarkup, maxMessageChars, maxPageChars } from '../../../src/adapters/discord/markup.ts';
import { type Chance, chance } from '../../support/chance.ts';
import { manualClock } from '../../support/clock.ts';
import { inProcessDiscord } from '../../support/discord/in-process.ts';
import { isFull } from '../../support/flows/full.ts';

const count = isFull ? 10_000 : 300;

interface Answer {
  readonly markdown: string;
  readonly codes: readonly string[];
}

const marks = [
  String.raw`@ < > &#64; \ \\ * ** _ __ ~~ || ` + '` `` ``` ~~~ ![ [ ] ]( ) <@ <@& ! $ $$ | = --- <b>',
  String.raw`\( \) everyone here word snake_case Grüße 你好 😀 [page](https://example.org) www.a.org`,
  'https://example.org/@everyone <https://example.org>',
].flatMap((each) => each.split(' '));

/** `mentions`: what would notify somebody. */
function answerFrom(luck: Chance, mentions: readonly string[]): Answer {
  const codes: string[] = [];
  const bits = [...mentions, ...marks, '\u200b', '\n', '  \n', ' ', ' ', ' ', '# ', '> ', '- ', '1. ', '-# '];
  const words = (most: number) => Array.from({ length: 1 + luck.upTo(most) }, () => luck.of(bits)).join('');
  const line = (most: number) => words(most).replaceAll(/\s+|\|/g, ' ');
  const code = (indent: string) => {
    const own = Array.from({ length: 1 + luck.upTo(4) }, () => words(6).replaceAll(/`{3,}|~{3,}|\r/g, '-'))
      .join('\n')
      // What is blank around code is not shown, nor told apart from what stands around it.
      .replaceAll(/^\s+|\s+$/g, '');
    if (own === '') return `${indent}text`;
    codes.push(own);
    const fence = luck.of(['```', '~~~', '`````']);
    return [`${fence}${luck.of(['', 'py', 'c++ title="x"'])}`, ...own.split('\n'), fence]
      .map((each) => indent + each)
      .join('\n');
  };
  const block = () =>
    luck.of([
      () => words(20),
      () => words(20),
      () => `${'#'.repeat(1 + luck.upTo(5))} ${line(6)}`,
      () => code(''),
      () => `- ${line(8)}\n  - ${line(8)}\n    1. ${line(4)}`,
      () => `1. item\n\n${code('   ')}`,
      () => words(12).replaceAll(/^/gm, '> '),
      () => `|${line(4)}|${line(4)}|\n|-|-|\n|${line(6)}|${line(12)}|\n`,
      () => `[${line(3)}](${luck.of(['https://example.org/x_y', 'javascript:x', '/x', 'https://b.org/(a'])})`,
    ])();
  const blocks = Array.from({ length: 1 + luck.upTo(5) }, () => {
    const before = codes.length;
    const made = block();
    // A block that an open fence before it could swallow is not looked for.
    return { made, own: codes.splice(before) };
  });
  // Only where no fence of another block is open.
  const isTorn = blocks.some(({ made, own }) => own.length === 0 && /```|~~~/.test(made));
  return {
    markdown: blocks.map(({ made }) => made).join('\n\n'),
    codes: isTorn ? [] : blocks.flatMap(({ own }) => own),
  };
}

/** As Discord finds code, in which nothing is a mention: an escaped backtick opens none. */
function withoutCode(content: string): string {
  const parts = /\\[^\da-z\s]|```[^]*?```|(?<!`)(`+)(?!`)[^]*?[^`]\1(?!`)/gi;
  return content.replaceAll(parts, (part) => (part.startsWith('\\') ? part : ' '));
}

test(`${count} random answers notify nobody, even when Discord is not told so, and keep their code`, {
  timeout: isFull ? 3_600_000 : 60_000,
}, async () => {
  const { controls, api, makeRequest } = inProcessDiscord(manualClock(1_800_000_000_000));
  const rest = new REST({ api, makeRequest, retries: 0 }).setToken(controls.ids().token);
  controls.rates({ shape: 'off' });
  controls.grantPermission('general', 'MentionEveryone');
  const role = controls.addRole('tutors', ['mia']);
  const mia = controls.idOf('mia');
  const channel = controls.channelId('general');
  const mentions = ['@everyone', '@here', `<@${mia}>`, `<@!${mia}>`, `<@&${role}>`, `<#${channel}>`];

  const failures: string[] = [];
  let sent = 0;
  let codesSeen = 0;
  let growth = 0;
  for (let seed = 1; seed <= count; seed += 1) {
    const { markdown, codes } = answerFrom(chance(seed), mentions);
    if ([...markdown].length > maxPageChars) continue;
    const shown = discordMarkup(markdown);
    if ([...shown].length > maxMessageChars) failures.push(`${seed}: ${[...shown].length} characters`);
    for (const code of codes) {
      codesSeen += 1;
      if (!shown.includes(`\n${code}\n\`\`\``))
        failures.push(`${seed}: code changed: ${JSON.stringify(code)}`);
    }
    growth += shown.length - markdown.length;
    const content = withoutCode(shown);
    if (content.trim() === '') continue;
    await rest.post(Routes.channelMessages(channel), { body: { content } });
    sent += 1;
  }
  expect(failures).toEqual([]);
  expect(controls.pings().map(({ text }) => text)).toEqual([]);
  // It would have been noticed.
  await rest.post(Routes.channelMessages(channel), { body: { content: mentions.join(' ') } });
  expect(controls.pings()).toHaveLength(1);
  expect(sent).toBeGreaterThan(count * 0.8);
  expect(codesSeen).toBeGreaterThan(count * 0.1);
  expect(growth / count).toBeLessThan(60);
});
