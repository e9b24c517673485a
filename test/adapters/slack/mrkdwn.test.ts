import { expect, test } from 'vitest';
import { mrkdwn } from '../../../src/adapters/slack/mrkdwn.ts';

const z = '\u200b';

test.each([
  ['headings are bold', '# One *two*', '*One _two_*'],
  ['emphasis has its own marks', '**b** *i* ~~s~~ `c`', '*b* _i_ ~s~ `c`'],
  ['bold in bold is bold', '# **a**', '*a*'],
  ['lists are text, with their depth', '- a\n- b\n  1. c', '• a\n• b\n    1. c'],
  ['tasks have boxes', '- [x] a\n- [ ] b', '• ☑ a\n• ☐ b'],
  ['quotes stay', '> a\n> b', '> a\n> b'],
  ['code has no language', '```js\na < b\n```', '```\na &lt; b\n```'],
  ['a table is a line for each row', '| a | b |\n|---|---|\n| 1 | 2 |', '*a · b*\n1 · 2'],
  ['links have their label behind', '[x|y](https://a.org/<b>)', '<https://a.org/%3Cb%3E|x y>'],
  ['bare addresses are links', 'https://a.org', '<https://a.org>'],
  ['a link to nowhere is text', '[go](javascript:x)', 'go (javascript:x)'],
  ['formulas are code', '$a_1$', '`a_1`'],
  [
    'nobody is notified',
    '<!channel> <@U1> <!subteam^S1>',
    '&lt;!channel&gt; &lt;@U1&gt; &lt;!subteam^S1&gt;',
  ],
  ['nor by code', '`<!here>`', '`&lt;!here&gt;`'],
  ['marks that are text stay text', '\\*a\\* snake_case 2 * 3', `${z}*a* snake_case 2 * 3`],
])('%s', (_, text, shown) => {
  expect(mrkdwn(text, 4_000)).toBe(shown);
});

test('what is too long is cut, and no escape with it', () => {
  for (let room = 1; room < 30; room += 1) {
    const text = mrkdwn('a & b < c & [d](https://x.org) <!here>', room);
    expect(text.length).toBeLessThanOrEqual(room);
    expect(text).not.toMatch(/&[a-z]*…|<[^>]*$/);
  }
});
