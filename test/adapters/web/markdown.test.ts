// Markdown as element trees: what a browser makes of them is tested in test/flows.
import fc from 'fast-check';
import type { ElementContent } from 'hast';
import { expect, test } from 'vitest';
import { blocksOf, hasDefinitions } from '../../../src/adapters/web/page/markdown/parse.ts';

/** One line of marks, classes behind a dot, attributes in brackets: short enough to read. */
function drawn(node: ElementContent): string {
  if (node.type === 'text') return node.value === '\n' ? '' : node.value.replaceAll('\n', '⏎');
  if (node.type !== 'element') return `?${node.type}`;
  const { className, ...others } = node.properties;
  const classes = Array.isArray(className) ? className.map((name) => `.${name}`).join('') : '';
  const given = Object.entries(others)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `[${name}=${String(value)}]`)
    .join('');
  return `<${node.tagName}${classes}${given}>${node.children.map(drawn).join('')}</>`;
}
const show = (text: string) => blocksOf(text).flatMap(({ elements }) => elements.map(drawn));

test.each([
  ['plain', 'a *b* **c** `d`', ['<p>a <em>b</> <strong>c</> <code>d</></>']],
  ['a line break in a paragraph', 'a\nb', ['<p>a⏎b</>']],
  [
    'a table',
    '| a | b |\n| :- | -: |\n| 1 | 2 |',
    [
      '<table><thead><tr><th[align=left]>a</><th[align=right]>b</></></><tbody><tr><td[align=left]>1</><td[align=right]>2</></></></>',
    ],
  ],
  [
    'a footnote, which stays where it was written',
    'a[^1] b\n\n[^1]: The *note*.\n\nc',
    ['<p>a<sup>1</> b</>', '<p><sup>1</> The <em>note</>.</>', '<p>c</>'],
  ],
  ['a list that begins at 3', '3. a\n4. b', ['<ol[start=3]><li>a</><li>b</></>']],
  [
    'tasks',
    '- [x] a\n- [ ] b',
    [
      '<ul><li><input[type=checkbox][checked=true][disabled=true]></> a</><li><input[type=checkbox][disabled=true]></> b</></>',
    ],
  ],
  ['code with its language', '```ts\nlet a;\n```', ['<pre><code.language-ts>let a;⏎</></>']],
  ['a link', '[a](https://b.example)', ['<p><a[href=https://b.example]>a</></>']],
  ['an address alone', 'https://b.example', ['<p><a[href=https://b.example]>https://b.example</></>']],
  ['a picture is a link', '![a](https://b.example/c.png)', ['<p><a[href=https://b.example/c.png]>a</></>']],
  [
    'no scheme but three',
    '[a](javascript:b) [c](data:d) [e](mailto:f@g.example)',
    ['<p><a>a</> <a>c</> <a[href=mailto:f@g.example]>e</></>'],
  ],
  [
    'markup is text',
    'a <b onclick=x>c</b>\n\n<script>d</script>',
    ['<p>a <b onclick=x>c</b></>', '<script>d</script>'],
  ],
])('%s', (_what, text, elements) => expect(show(text)).toEqual(elements));

const inline = (tex: string) => `<code.language-math.math-inline>${tex}</>`;
const display = (tex: string) => `<pre><code.language-math.math-display>${tex}</></>`;

test.each([
  ['in dollars', 'a $x^2$ b', [`<p>a ${inline('x^2')} b</>`]],
  ['in brackets', 'a \\(x^2\\) b', [`<p>a ${inline('x^2')} b</>`]],
  ['with a line of its own', '$$\nx^2\n$$', [display('x^2')]],
  [
    'with a line of its own, in square brackets',
    'a\n\n\\[\nx^2\n\\]\n\nb',
    ['<p>a</>', display('x^2'), '<p>b</>'],
  ],
  ['on one line between two dollars', '$$x^2$$', [display('x^2')]],
  ['on one line in square brackets', '\\[ x^2 \\]', [display('x^2')]],
  [
    'with dollars of money beside it',
    'costs $5 and $10, or $x$',
    [`<p>costs $5 and $10, or ${inline('x')}</>`],
  ],
  ['of money alone', 'from $5 to $10', ['<p>from $5 to $10</>']],
  [
    'in code is code',
    '`\\(x\\)` and\n\n```\n\\[x\\]\n```',
    ['<p><code>\\(x\\)</> and</>', '<pre><code>\\[x\\]⏎</></>'],
  ],
  ['behind an escaped backslash is none', '\\\\(x\\\\)', ['<p>\\(x\\)</>']],
  ['that never ends is text', 'a \\(x and $y', ['<p>a (x and $y</>']],
])('a formula %s', (_what, text, elements) => expect(show(text)).toEqual(elements));

test('any text at all has blocks that end inside it, in order', () => {
  const piece = fc.constantFrom(
    '\n',
    '\n\n',
    '```',
    '$',
    '$$',
    '\\(',
    '\\)',
    '\\[',
    '\\]',
    '|',
    '-',
    '*',
    '_',
    '`',
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    '&',
    '#',
    ' ',
    'a',
    '1.',
    '\\',
    '数',
    '\u0000',
    '\ud800',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('');
      const ends = blocksOf(text).map(({ end }) => end);
      expect(ends).toEqual(ends.toSorted((a, b) => a - b));
      expect(ends.every((end) => end > 0 && end <= text.length)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('a text read block by block says the same as read at once', () => {
  const text =
    'Heading\n===\n\na $x$\n\n- b\n- c\n\n\\[\ny\n\\]\n\n```\nd\n\ne\n```\n\n| f |\n| - |\n| g |\n\n> h';
  const blocks = blocksOf(text);
  for (const { end } of blocks) {
    const [before, after] = [text.slice(0, end), text.slice(end)];
    expect([...show(before), ...show(after)]).toEqual(show(text));
  }
});

test.each([
  ['[a]: https://b.example', true],
  ['x\n\n  [^1]: note', true],
  ['see [a]: it says', false],
  ['`[a]:`', false],
])('whether %j defines links', (text, defines) => expect(hasDefinitions(text)).toBe(defines));
