// Model Markdown as Slack's Markdown: what is changed, and that text which grows never has to be taken back.
import { describe, expect, test } from 'vitest';
import { certainMarkdown, slackMarkdown } from '../../../src/adapters/slack/markdown.ts';

const z = '\u200b';

describe('Markdown for Slack', () => {
  test.each([
    [
      'emphasis, lists and headings stay',
      '# A\n\n- **b** *c* ~~d~~\n  1. e',
      '# A\n\n- **b** *c* ~~d~~\n  1. e',
    ],
    ['a bare address stays', 'See https://x.org/a_(b)_c.', 'See https://x.org/a_(b)_c.'],
    ['a link stays', '[here](https://x.org/)', '[here](https://x.org/)'],
    [
      'a link that says another address tells both',
      '[https://bank.com](https://x.org/)',
      'https://bank.com (https://x.org/)',
    ],
    ['a link to nowhere is text', '[go](javascript:alert(1))', 'go (javascript:alert(1))'],
    [
      'an address of a person stays',
      'ann@example.com, @types/node, @Injectable()',
      'ann@example.com, @types/node, @Injectable()',
    ],
    ['a formula becomes code', 'so $a_1 * b_2$ and \\(x^2\\)', 'so `a_1 * b_2` and `x^2`'],
    ['a formula of its own, too', '$$\n\\int_0^1 x^2\\,dx\n$$', '`\\int_0^1 x^2\\,dx`'],
    ['money is no formula', '$5 and $10', '$5 and $10'],
    ['a formula in code is code', '`$a$` and\n\n```\n$b$\n```', '`$a$` and\n\n```\n$b$\n```'],
    ['everybody', '<!channel> <!here> <!everyone|x>', `<${z}!channel> <${z}!here> <${z}!everyone|x>`],
    ['groups and people', '<!subteam^S1> <@U1> <@W1|x>', `<${z}!subteam^S1> <${z}@U1> <${z}@W1|x>`],
    ['in code, too', '`<!here>`\n\n```\n<@U1>\n```', `\`<${z}!here>\`\n\n\`\`\`\n<${z}@U1>\n\`\`\``],
    [
      'behind escapes and entities',
      '<\\!here> &lt;!here> <&#33;here>',
      `<${z}\\!here> &lt;${z}!here> <${z}&#33;here>`,
    ],
    ['put together from a link', '[<](!x)!channel>', `< (!x)!channel>`],
    [
      'code that only looks like it stays',
      '```html\n<!-- a --><!DOCTYPE html>\n```',
      '```html\n<!-- a --><!DOCTYPE html>\n```',
    ],
  ])('%s', (_, page, shown) => {
    expect(slackMarkdown(page)).toBe(shown);
  });
});

describe('of text that grows', () => {
  test.each([
    ['half a mention', 'a <!chan', 'a '],
    ['half an entity', 'a &l', 'a '],
    ['half a formula', 'so $a_1 * b', 'so '],
    ['half a formula in brackets', 'so \\[ a', 'so '],
    ['half of what begins one', 'so \\', 'so '],
    ['half a code', 'so `$a', 'so '],
  ])('%s is held back', (_, source, shown) => {
    expect(certainMarkdown(source)).toBe(shown);
  });

  test.each([
    ['what is behind a formula is not', 'so $a$ and then', 'so `a` and then'],
    ['nor is an amount for long', `$5 ${'x'.repeat(130)}`, `$5 ${'x'.repeat(130)}`],
    ['nor is one at the end of its line', '$5\nis', '$5\nis'],
    ['nor is code in a block', '```\nif (a < b) $x', '```\nif (a < b) '],
  ])('%s', (_, source, shown) => {
    expect(certainMarkdown(source)).toBe(shown);
  });

  const sources = [
    'Take $a_1$ for $5 and `x < <!--` then <!channel> and \\(b\\).\n\n$$\n\\sum_i i\n$$\n\n```html\n<!-- <!here> $x$ -->\n```\nend &lt;!here&gt; &amp; <@U1> <\\!x>',
    '| a | b |\n|---|---|\n| $x$ | <@U1> |\n\n- one\n  - `two` \\[x\\]\n\n> quoted <!subteam^S1>',
  ];
  test.each(sources)('it only ever grows: %j', (source) => {
    let before = '';
    for (let length = 1; length <= source.length; length += 1) {
      const now = certainMarkdown(source.slice(0, length));
      expect(now.slice(0, before.length)).toBe(before);
      before = now;
    }
    expect(slackMarkdown(source).startsWith(before)).toBe(true);
  });
});
