// What a model writes, and what a Discord message has to say so that people see that.
import { describe, expect, test } from 'vitest';
import { discordMarkup, maxMessageChars, maxPageChars } from '../../../src/adapters/discord/markup.ts';

const text = (...lines: readonly string[]) => lines.join('\n');

describe('marks', () => {
  test.each([
    ['**bold** and __bold__', '**bold** and **bold**'],
    ['*slanted* and _slanted_', '*slanted* and *slanted*'],
    ['***both***', '***both***'],
    ['**bold with __more__ in it**', '**bold with more in it**'],
    ['*_once_*', '*once*'],
    ['*one*_two_', '*one*\u200b*two*'],
    ['~~gone~~, but ~5 minutes', '~~gone~~, but ~5 minutes'],
    ['||a spoiler|| stays', '||a spoiler|| stays'],
    ['a || b || c in code words', String.raw`a \|\| b \|\| c in code words`],
    [
      '<:my_own__emoji:123456789012345678> and <t:1618953630:R>',
      '<:my_own__emoji:123456789012345678> and <t:1618953630:R>',
    ],
    ['<b>HTML</b> is text', '<b>HTML</b> is text'],
    ['snake_case_name, 2 * 3, a_', String.raw`snake_case_name, 2 * 3, a\_`],
    [String.raw`\*not slanted\*, C:\dir, \\`, String.raw`\*not slanted\*, C:\dir, ` + '\\\\'],
    ['2*3 and __dunder', String.raw`2\*3 and \_\_dunder`],
    ['1 &lt; 2 &amp; 3', '1 < 2 & 3'],
    ['a footnote[^1]', 'a footnote[^1\\]'],
  ])('%s', (markdown, shown) => {
    expect(discordMarkup(markdown)).toBe(shown);
  });

  test.each([
    [String.raw`\# no heading`, String.raw`\# no heading`],
    [String.raw`\- no list`, String.raw`\- no list`],
    [String.raw`1986\. What a year`, String.raw`1986\. What a year`],
    [String.raw`\> no quote`, String.raw`\> no quote`],
    ['-5 degrees', '-5 degrees'],
    ['* * *', '────────'],
  ])('the start of a line: %s', (markdown, shown) => {
    expect(discordMarkup(markdown)).toBe(shown);
  });
});

describe('blocks', () => {
  test('headings beyond the third level are bold', () => {
    expect(discordMarkup('# One\n\ntext\n\n### Three\n#### Four **bold**')).toBe(
      text('# One', 'text', '', '### Three', '**Four bold**'),
    );
  });

  test('lists are nested by two blanks, with their numbers and tasks', () => {
    const markdown = text('3. three', '   - inner', '     1. deep', '4. four', '- [x] done', '- [ ] open');
    expect(discordMarkup(markdown)).toBe(
      text('3. three', '  - inner', '    1. deep', '4. four', '', '- ☑ done', '- ☐ open'),
    );
  });

  test('code in an item stands at the margin, where each of its lines is as the model wrote it', () => {
    const markdown = text('1. first', '   ```py', '   def f():', '       return 1', '   ```', '2. second');
    expect(discordMarkup(markdown)).toBe(
      text('1. first', '```py', 'def f():', '    return 1', '```', '2. second'),
    );
  });

  test('a fence has three backticks and one word, whatever it had', () => {
    expect(discordMarkup(`~~~~python title="${'x'.repeat(300)}"\ncode\n~~~~`)).toBe('```python\ncode\n```');
    expect(discordMarkup('```a"b\ncode\n```')).toBe('```\ncode\n```');
    expect(discordMarkup('```py\n```')).toBe('```py\n \n```');
  });

  test('backticks in code', () => {
    expect(discordMarkup('`` a`b ``')).toBe('``a`b``');
    expect(discordMarkup('`` ` ``')).toBe('`` ` ``');
    // Discord has no way to show three of them in a block.
    expect(discordMarkup('````\n```\n````')).toBe('```\n``\u200b`\n```');
  });

  test('code never ends early, so that nothing in it can notify anybody', () => {
    expect(discordMarkup('``````\n`````\n@everyone\n``````')).toBe('```\n``\u200b``\u200b`\n@everyone\n```');
    expect(discordMarkup('``` `a`` ```')).toBe('`` `a`\u200b` ``');
    const tooLong = `${'a_ '.repeat(540)}\n\n~~~\n@here\n~~~`;
    expect(discordMarkup(tooLong)).toMatch(/@\u200bhere\n~~~$/);
    expect(discordMarkup(tooLong.replaceAll('~~~', '```'))).toMatch(/@here\n```$/);
  });

  test('quotes, which Discord does not nest', () => {
    expect(discordMarkup('> one\n> - two\n>> three')).toBe(text('> one', '> - two', '> ', '> three'));
  });
});

describe('tables', () => {
  test('a small one is an aligned block', () => {
    expect(discordMarkup('|Town|People|\n|--|--:|\n|**Bonn**|330\\|000|\n|東京|14|')).toBe(
      text('```', 'Town   People', '────  ───────', 'Bonn  330|000', '東京       14', '```'),
    );
  });

  test('one that is wide, or has links, is a list with an entry for each row', () => {
    const long = 'a sentence that is far too long for a column of a table on a phone';
    expect(discordMarkup(`|Name|What|\n|-|-|\n|x|${long}|\n|y|[page](https://example.org)|`)).toBe(
      text(`- **Name: x** · What: ${long}`, '- **Name: y** · What: [page](<https://example.org>)'),
    );
  });
});

describe('links', () => {
  test.each([
    ['https://example.org/a_b_(c).', '<https://example.org/a_b_(c)>.'],
    ['<https://example.org>', '<https://example.org>'],
    ['[page](https://example.org/x_y_(z) "title")', '[page](<https://example.org/x_y_(z)>)'],
    ['[page](<https://example.org/a)b>)', '[page](<https://example.org/a%29b>)'],
    ['[**bold** [1]](https://example.org)', '[**bold** (1)](<https://example.org>)'],
    ['[https://example.org](https://example.org)', '<https://example.org>'],
    ['[paypal.com](https://example.org)', 'paypal.com (<https://example.org>)'],
    ['[https://a.org](https://b.org)', 'https://a.org (<https://b.org>)'],
    ['[run](javascript:alert(1))', 'run (javascript:alert(1))'],
    ['[here](/docs)', 'here (/docs)'],
    ['![a *graph*](https://example.org/g.png)', '[a graph](<https://example.org/g.png>)'],
    ['![](https://example.org/g.png)', '<https://example.org/g.png>'],
    ['[![badge](https://i.org/b.svg)](https://example.org)', '[badge](<https://example.org>)'],
    ['ann@example.com, @types/node, @Injectable()', 'ann@example.com, @types/node, @Injectable()'],
    ['[write](mailto:ann@example.com)', 'write (ann@example.com)'],
    [String.raw`\[x\](https://example.org)`, '[x\\](<https://example.org>)'],
  ])('%s', (markdown, shown) => {
    expect(discordMarkup(markdown)).toBe(shown);
  });
});

describe('formulas stay as they were written, and money is money', () => {
  test.each([
    ['$5 and $10', '$5 and $10'],
    ['$a_1 + b*c*d$', String.raw`$a_1 + b\*c\*d$`],
    [String.raw`\(a^2\) and \[x_1\]`, String.raw`\\(a^2\\) and \\[x_1\\\]`],
    ['$$\n\\int_0^1 x^2\\,dx\n$$', '$$\n\\int_0^1 x^2\\\\,dx\n$$'],
    [String.raw`$\{1, 2\}$`, String.raw`$\\{1, 2\\}$`],
    ['`$x*y*z$`', '`$x*y*z$`'],
    ['$||v||$', String.raw`$\|\|v\|\|$`],
  ])('%s', (markdown, shown) => {
    expect(discordMarkup(markdown)).toBe(shown);
  });
});

describe('mentions are text', () => {
  test.each([
    ['@everyone and @here', '@\u200beveryone and @\u200bhere'],
    [
      '<@123456789012345678> <@!123456789012345678>',
      String.raw`<\@123456789012345678> <\@!123456789012345678>`,
    ],
    [
      '<@&123456789012345678> <#123456789012345678>',
      String.raw`<\@&123456789012345678> <\#123456789012345678>`,
    ],
    ['&#64;everyone', '@\u200beveryone'],
    ['@[everyone](/x)', '@\u200beveryone (/x)'],
    ['[x](https://example.org/@everyone)', '[x](<https://example.org/%40everyone>)'],
    [
      '|a|\n|-|\n|@everyone <@123456789012345678>|',
      text('```', 'a', '─'.repeat(31), '@everyone <@123456789012345678>', '```'),
    ],
    ['`@everyone`', '`@everyone`'],
  ])('%s', (markdown, shown) => {
    expect(discordMarkup(markdown)).toBe(shown);
  });
});

describe('length', () => {
  test.each([
    ['marks', '*'.padEnd(2, 'x').repeat(maxPageChars / 2)],
    ['mentions', '@here'.repeat(maxPageChars / 5)],
    ['a table with one wide cell', `|a|b|\n|-|-|\n|${'x'.repeat(50)}|y|\n${'|1|2|\n'.repeat(260)}`],
    [
      'a table with long names',
      `|${'name '.repeat(20)}|${'other '.repeat(20)}|\n|-|-|\n${'|1|2|\n'.repeat(230)}`,
    ],
    ['tables', '|a|\n|-|\n\n'.repeat(180)],
    ['emoji', '😀'.repeat(maxPageChars)],
    ['links', '[a](https://a.b) '.repeat(96)],
    ['nested lists', Array.from({ length: 38 }, (_, at) => `${'  '.repeat(at)}- x`).join('\n')],
  ])('a page of %s fits into a message', (_, page) => {
    expect([...page].length).toBeLessThanOrEqual(maxPageChars);
    const shown = discordMarkup(page);
    expect([...shown].length).toBeLessThanOrEqual(maxMessageChars);
    expect(shown.trim()).not.toBe('');
  });

  test.each([
    '1. '.repeat(1_300),
    '> '.repeat(2_000),
    '\n> '.repeat(1_300),
    '[a]('.repeat(1_000),
    '$a '.repeat(1_300),
    '*a _b '.repeat(600),
    '`'.repeat(3_999),
    '\u202e\u200b'.repeat(900),
    '\ud800',
  ])('nothing breaks it, and nothing is empty: %#', (page) => {
    expect(discordMarkup(page)).not.toBe('');
  });
});
