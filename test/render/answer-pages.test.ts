import { describe, expect, test } from 'vitest';
import { AnswerPages } from '../../src/render/answer-pages.ts';
import type { PageLimit } from '../../src/render/markdown/limit.ts';
import { codesInPages, codesOf, faultsIn } from './markdown/seen.ts';

/** A few characters at a time, as a model writes. */
function stream(text: string, limit: PageLimit = { maxChars: 2000 }, pieceChars = 7): AnswerPages {
  const pages = new AnswerPages(limit);
  for (let at = 0; at < text.length; at += pieceChars) {
    pages.append(text.slice(at, at + pieceChars));
    pages.pages('growing');
  }
  return pages;
}

function final(text: string, maxChars: number, pieceChars = 7): string[] {
  return stream(text, { maxChars }, pieceChars)
    .pages('final')
    .map((page) => page.text);
}

function growing(text: string): string {
  return stream(text)
    .pages('growing')
    .map((page) => page.text)
    .join('\n<next>\n');
}

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');

describe('a long answer goes on in the next message', () => {
  test('with the language of its code', () => {
    const code = lines(12, (at) => `  const value${at} = ${at};`);
    expect(final(`Look:\n\n\`\`\`js\n${code}\n\`\`\`\n`, 200)).toEqual([
      `Look:\n\n\`\`\`js\n${lines(9, (at) => `  const value${at} = ${at};`)}\n\`\`\``,
      `\`\`\`js\n${code.split('\n').slice(9).join('\n')}\n\`\`\``,
    ]);
  });

  test('with the numbers of its list, whatever the source wrote', () => {
    const pages = final(
      lines(9, (at) => `1. step ${at} of many`),
      100,
    );
    expect(pages.map((page) => page.split(' ')[0])).toEqual(['1.', '6.']);
    expect(pages[1]).toBe('6. step 5 of many\n7. step 6 of many\n8. step 7 of many\n9. step 8 of many');
  });

  test('with the head of its table', () => {
    const table = `| n | square |\n|--:|---|\n${lines(8, (at) => `| ${at} | ${at * at} |`)}\n`;
    for (const page of final(table, 100)) expect(page).toMatch(/^\| n \| square \|\n\|--:\|---\|\n\| \d/);
  });

  test('within the quote and the item it stands in', () => {
    const pages = final(`> - ${'a sentence of some words. '.repeat(9)}`, 100);
    for (const page of pages) expect(page).toMatch(/^> - a sentence/);
    expect(pages.length).toBeGreaterThan(2);
  });

  test('with its bold text bold and its link a link', () => {
    const link = `[${'label '.repeat(20).trim()}](https://example.org/a_(b))`;
    const pages = final(`**${'bold words '.repeat(12).trim()}** ${link}`, 130);
    expect(pages.map((page) => faultsIn(page, true))).toEqual(pages.map(() => []));
    expect(pages[0]).toMatch(/^\*\*bold words.*\*\*$/);
    expect(pages.at(-1)).toMatch(/^\[label.*\]\(https:\/\/example.org\/a_\(b\)\)$/);
  });

  test('and never in the middle of an escape or a character reference', () => {
    for (const page of final('\\*&amp;'.repeat(60), 101)) {
      expect(page.replaceAll(/\\\*|&amp;/g, '')).toBe('');
    }
  });

  test('and a marker never beside the one that closes it', () => {
    const text = `${'word '.repeat(15)}**strong, ~~gone, _soft_ and~~ so on** ${'word '.repeat(15)}`;
    for (let maxChars = 100; maxChars < 160; maxChars += 1) {
      for (const page of final(text, maxChars)) expect(page).not.toMatch(/\*{3}|~{3}|_{2}/);
    }
  });

  test('and an indented line of text is no code there', () => {
    expect(final(`${'word '.repeat(18)}\n    | more ${'word '.repeat(9)}`, 100)[1]).toMatch(
      /^\\\| more word/,
    );
  });

  test.each([
    ['> a\n===', '> a\n>     ==='],
    ['- a\n--', '- a\n      --'],
    ['> a | b\n-- | --', '> a | b\n>     -- | --'],
  ])('and what is text for want of its markers stays text behind them: %j', (text, page) => {
    expect(final(text, 200)).toEqual([page]);
  });

  test('and a heading goes with what it is above', () => {
    const pages = final(`${'word '.repeat(16)}\n\n## Next\n\n${'more '.repeat(12)}`, 100);
    expect(pages[1]).toMatch(/^## Next\n\nmore/);
  });
});

describe('while it grows, what is shown is whole', () => {
  test.each([
    ['code', 'See\n```py\nx = 1', 'See\n\n```py\nx = 1\n```'],
    ['code in an item of a quote', '> - ```py\n>   x = 1', '> - ```py\n>   x = 1\n>   ```'],
    ['half a closing fence', '```\nx\n``', '```\nx\n```'],
    ['a fence without code', 'See\n```py', 'See'],
    ['bold', 'this is **ver', 'this is **ver**'],
    ['bold and emphasis', '**a *b', '**a *b***'],
    ['half a marker', 'this **is*', 'this **is**'],
    ['code in text', 'call `f(x', 'call `f(x`'],
    ['half a link', 'see [the pag', 'see'],
    ['half a target', 'see [the page](https://exam', 'see'],
    ['brackets that are no link', 'the array a[0', 'the array a[0'],
    [
      'the target of a very long link',
      `[${'label '.repeat(120)}](https://exam`,
      `[${'label '.repeat(120)}`.trim(),
    ],
    ['a marker beside what closes the one before it', '**1 * ', '**1**'],
    ['a backslash beside what closes a marker', '*a \\ ', '*a*'],
    ['half a reference', 'R&am', 'R'],
    ['half an escape', 'a\\', 'a'],
    ['the head of a table', 'x\n\n| a | b |\n|--', 'x'],
    ['half a row', '| a |\n|---|\n| 1 |\n| 2', '| a |\n|---|\n| 1 |'],
    ['code that was closed just now', '```\n| a | b |\n```', '```\n| a | b |\n```'],
    ['text above half a table in an item', 'a\n1) | b |\n   |--', 'a'],
    ['text above a marker behind code', '```\n| a |\n```\n- ', '```\n| a |\n```'],
    ['a marker', '- a\n-', '- a'],
    ['what may be an underline', 'Title\n--', 'Title'],
    ['half a pair of surrogates', 'smile \uD83D', 'smile'],
  ])('%s', (_, text, shown) => {
    expect(growing(text)).toBe(shown);
  });

  test('a line of the bot below it stands in nothing that the answer has opened', () => {
    const pages = stream('Look:\n\n```js\nlet a').pages('growing', '⏹ Stopped.');
    expect(pages.map(({ text }) => text)).toEqual(['Look:\n\n```js\nlet a\n```\n\n⏹ Stopped.']);
  });
});

describe('where a piece ends decides nothing', () => {
  test.each([
    ['behind blank lines of code in a quote', ['>```\n>a\n>\n>\n', '>b'], '> ```\n> a\n>\n>\n> b\n> ```'],
    ['behind a fence in a quote', ['>```\n', 'x'], '> ```\n>\n> ```\n\nx'],
    ['behind a quote that ended with its code', ['>```\n>a\n\n', '>b'], '> ```\n> a\n> ```\n\n> b'],
    ['behind a table', ['a|b\n-|-\n\n', 'c'], 'a|b\n-|-\n\nc'],
    ['behind a row', ['> a|b\n> -|-\n', '> c|d'], '> a|b\n> -|-\n> c|d'],
  ])('%s', (_, pieces, shown) => {
    const pages = new AnswerPages({ maxChars: 2000 });
    for (const piece of pieces) {
      pages.append(piece);
      pages.pages('growing');
    }
    expect(pages.pages('final').map((page) => page.text)).toEqual([shown]);
  });
});

describe('bad input', () => {
  test('a 2,000-character line without a space', () => {
    const text = 'x'.repeat(2000);
    expect(final(text, 300).join('')).toBe(text);
    expect(final(`\`\`\`\n${text}\n\`\`\``, 300).every((page) => /^```\nx+\n```$/.test(page))).toBe(true);
  });

  test('500 nested list levels', () => {
    const text = lines(500, (at) => `${' '.repeat(at * 2)}- level ${at}`);
    const pages = new AnswerPages({ maxChars: 500 });
    pages.append(text);
    const shown = pages.pages('final').map((page) => page.text);
    expect(shown.every((page) => page.length <= 500)).toBe(true);
    for (const level of [0, 39, 250, 499])
      expect(shown.join('\n')).toMatch(new RegExp(`level ${level}$`, 'm'));
  }, 60_000);

  test('a fence that never closes, of 40 backticks, inside a list inside a quote', () => {
    const fence = '`'.repeat(40);
    const code = lines(60, (at) => `line ${at} \`\`\``);
    const text = `> - ${fence}js\n${code.replaceAll(/^/gm, '>   ')}`;
    const pages = stream(text, { maxChars: 400 }, 200).pages('final');
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.map((page) => faultsIn(page.text, false))).toEqual(pages.map(() => []));
    expect(codesInPages(pages, text)).toEqual([code]);
  });

  test('a table of 60 columns', () => {
    const row = (cell: string) => `|${` ${cell} |`.repeat(60)}`;
    const text = [row('head'), `|${'---|'.repeat(60)}`, ...Array.from({ length: 9 }, () => row('cell'))].join(
      '\n',
    );
    for (const maxChars of [100, 1000, 2000]) {
      const shown = final(text, maxChars, 200);
      expect(shown.every((page) => page.length <= maxChars)).toBe(true);
      expect(shown.join(' ').match(/cell/g)).toHaveLength(540);
    }
  });

  test('half a surrogate pair at a chunk edge', () => {
    const text = '𝒳🙂'.repeat(40);
    expect(
      stream(text, { maxChars: 2000 }, 1)
        .pages('final')
        .map((page) => page.text),
    ).toEqual([text]);
    const pages = new AnswerPages({ maxChars: 2000 });
    pages.append('odd \uD83D');
    pages.append(' and \uDE00');
    expect(pages.pages('final')[0]?.text).toBe('odd \uFFFD and \uFFFD');
  });

  test.each([
    ['combining marks', 'e\u0301\u0323'],
    ['flags', '🇩🇪'],
    ['families of emoji', '👨‍👩‍👧‍👦'],
  ])('%s at the cut', (_, character) => {
    for (const maxChars of [100, 101, 102, 103, 104, 105, 106, 107]) {
      const pages = final(character.repeat(80), maxChars);
      expect(pages.join('')).toBe(character.repeat(80));
      for (const page of pages) expect(page.length % character.length).toBe(0);
    }
  });

  test('a limit that counts code points', () => {
    const text = '🙂'.repeat(150);
    const pages = stream(text, { maxChars: 100, unit: 'code points' }).pages('final');
    expect(pages.map((page) => [...page.text].length)).toEqual([100, 50]);
  });

  test('right-to-left', () => {
    const sentence = 'מה הנגזרת של הפונקציה? ';
    const pages = final(sentence.repeat(12), 120);
    expect(pages.join(' ')).toBe(sentence.repeat(12).trim());
  });

  test('only white space', () => {
    expect(final(' \n\t\n \r\n', 100)).toEqual([]);
    expect(growing('\n\n  ')).toBe('');
  });

  test('line ends of three kinds', () => {
    expect(final('a\r\n\r\n```\rx\r\ny\n```', 100)).toEqual(['a\n\n```\nx\ny\n```']);
  });

  test('a fence-like line inside code does not close it', () => {
    const text = `\`\`\`txt\n\`\`\`not-a-close\n${lines(40, (at) => `line ${at}`)}\n\`\`\`\n`;
    const pages = stream(text, { maxChars: 150 }).pages('final');
    expect(codesInPages(pages, text)).toEqual(codesOf(text));
  });

  test('a long info string that begins like its fence does not make the fence longer', () => {
    expect(final(`~~~ ~5 ${'words '.repeat(9)}\nx\n~~~`, 100)).toEqual(['~~~ ~5\nx\n~~~']);
  });

  test('a long info string leaves room for code', () => {
    const text = `\`\`\`js ${'i'.repeat(300)}\n${lines(200, (at) => `let value${at};`)}\n\`\`\``;
    const pages = stream(text, { maxChars: 300 }).pages('final');
    expect(pages.every((page) => page.text.length <= 300 && page.text.startsWith('```js\n'))).toBe(true);
    expect(codesInPages(pages, text)).toEqual(codesOf(text));
  });
});

describe('growth', () => {
  const ordinary = (blocks: number) =>
    lines(blocks, (at) =>
      [
        `## Step ${at}\n\nSome text with **bold words** and \`code\`, two lines\nof it.\n`,
        `${at + 1}. an item\n   with more text\n${at + 2}. another one\n`,
        `\`\`\`js\n${lines(20, (line) => `const value${line} = f(${line});`)}\n\`\`\`\n`,
        `| a | b |\n|---|---|\n${lines(10, (row) => `| ${row} | cell |`)}\n`,
      ].join('\n'),
    );

  test('costs the new text, however long the answer is', () => {
    const costOf = (text: string) => stream(text, { maxChars: 2000 }, 40).readChars / text.length;
    const [short, long] = [costOf(ordinary(4)), costOf(ordinary(64))];
    expect(long).toBeLessThan(short * 1.1);
    expect(long).toBeLessThan(12);
  });

  test('goes on where the page before it was not closed', () => {
    const text = ordinary(12);
    const pages = new AnswerPages({ maxChars: 4000 });
    const broken: string[] = [];
    let before: readonly string[] = [];
    for (const piece of text.match(/[^]{1,5}/g) ?? []) {
      pages.append(piece);
      const now = pages.pages('growing');
      for (const [index, start] of before.entries()) {
        if (now[index]?.text.startsWith(start) !== true) broken.push(start.slice(-40));
      }
      before = now.map((page) => page.text.slice(0, page.settledChars));
    }
    // A page that is full is cut at a better place than its last character.
    expect(broken.length).toBeLessThan(before.length);
  });

  test('changes no settled page', () => {
    const text = ordinary(12);
    const pages = new AnswerPages({ maxChars: 600 });
    const seen: string[] = [];
    for (let at = 0; at < text.length; at += 31) {
      pages.append(text.slice(at, at + 31));
      for (const [index, page] of pages.pages('growing').entries()) {
        if (page.isSettled) seen[index] ??= page.text;
        expect(page.text).toBe(seen[index] ?? page.text);
      }
    }
    expect(
      pages
        .pages('final')
        .slice(0, seen.length)
        .map((page) => page.text),
    ).toEqual(seen);
  });
});
