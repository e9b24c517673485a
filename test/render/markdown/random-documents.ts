/** Random Markdown as models write it, and worse: every construct of the dialect, nested, with odd characters. */
import { type Chance, chance } from '../../support/chance.ts';

export interface RandomDocument {
  readonly text: string;
  /** Every construct that begins also ends. */
  readonly isWellFormed: boolean;
}

const words = [
  'derivative',
  'of',
  'the',
  'inverse',
  'is',
  'a',
  'function',
  'so',
  'let',
  'us',
  'write',
  'y',
  'equals',
  'slope',
  'e.g.',
  'über',
  'naïve',
  '导数',
  '函数',
  'дифференциал',
  'مشتق',
  'ln',
  '3.14',
  '42',
  'x²',
  'why?',
  'yes!',
  'end.',
];
const odd = ['👨‍👩‍👧‍👦', '🇩🇪🇫🇷', 'é́́', '𝒳', '🏳️‍🌈', 'שלום', '\u200Bzero', 'नमस्ते', 'が', '…'];
const escaped = ['\\*', '\\_', '\\[', '\\`', '\\#', '\\\\', '&amp;', '&lt;', '&#42;', '&copy;', '&#x1F600;'];
const stray = ['a_b_c', '~5', '5 < 7', 'a | b', 'a[0]', 'f(x)', '#tag', '<b>', '@ann', 'R&D', '!', '$5'];
const wild = [
  '1)',
  '2*3',
  '[0]',
  '**',
  '*',
  '_',
  '`',
  '``',
  '~~',
  '[',
  ']',
  '](',
  '(',
  ')',
  '![',
  '\\',
  '&',
  '<',
  '>',
  '|',
  '$$',
  '#',
  '-',
  '+',
  '1.',
  '```',
  '~~~',
];

/** One in ten may be longer. */
const usualChars = 3000;

export function randomDocument(seed: number): RandomDocument {
  for (let attempt = seed; ; attempt += 1_000_003) {
    const document = documentOf(chance(attempt));
    if (seed % 10 === 0 || document.text.length <= usualChars) return document;
  }
}

function documentOf(random: Chance): RandomDocument {
  const isWellFormed = !random.percent(25);
  const writer = new Writer(random, isWellFormed);
  const blocks = Array.from({ length: 1 + random.upTo(random.percent(8) ? 9 : 2) }, () => writer.block(0));
  for (const [at, lines] of blocks.entries()) {
    // Indented code behind a list would be text in it.
    if (at > 0 && lines[0]?.startsWith('    ') === true) blocks[at] = ['Code:', '', ...lines];
    else if (at > 0 && needsWords(lines, blocks[at - 1] ?? [])) blocks[at] = ['List:', '', ...lines];
  }
  const gap = () => (random.percent(90) ? '\n\n' : '\n\n\n\n');
  let text = blocks.map((lines) => lines.join('\n')).reduce((whole, next) => whole + gap() + next);
  if (random.percent(10)) text = `\n\n${text}`;
  if (random.percent(50)) text += '\n'.repeat(1 + random.upTo(2));
  if (random.percent(8)) text = text.replaceAll('\n', '\r\n');
  if (!isWellFormed && random.percent(30)) text = text.slice(0, random.upTo(text.length));
  return { text, isWellFormed };
}

/** Two lists would be one; and right behind code the parser takes "8. " for text, where CommonMark sees a list. */
function needsWords(lines: readonly string[], before: readonly string[]): boolean {
  return isList(lines) && (isList(before) || /[`~]{3}$/.test(before.at(-1) ?? ''));
}

function isList([first = '']: readonly string[]): boolean {
  return /^(?:[-*+]|\d+[.)]) /.test(first);
}

class Writer {
  constructor(
    private readonly random: Chance,
    private readonly isWellFormed: boolean,
  ) {}

  /** As lines. */
  block(depth: number): string[] {
    const { random } = this;
    const kind = random.upTo(depth > 3 ? 4 : 11);
    switch (kind) {
      case 0:
      case 1:
        return this.paragraph();
      case 2:
        return [`${'#'.repeat(1 + random.upTo(5))} ${this.phrase(1 + random.upTo(6), 1)}`];
      case 3:
      case 4:
        return this.code(depth);
      case 5:
        return this.table();
      case 6:
        return this.quote(depth);
      case 7:
        return random.percent(80)
          ? this.paragraph()
          : random.of([['---'], ['***'], ['_ _ _'], ['$$', 'a_1 * b_1 = c', '$$']]);
      case 8:
        return random.percent(80)
          ? this.list(depth)
          : ['Title over two', `lines ${this.word()}`, random.of(['===', '---'])];
      default:
        return this.list(depth);
    }
  }

  private paragraph(): string[] {
    const { random } = this;
    const lines = Array.from({ length: 1 + random.upTo(random.percent(70) ? 1 : 5) }, () =>
      this.phrase(2 + random.upTo(random.percent(97) ? 9 : 60), 0),
    );
    if (random.percent(4)) lines.push(this.word().repeat(1 + random.upTo(40)));
    return lines.map((line, at) =>
      at < lines.length - 1 && random.percent(10) ? line + random.of(['  ', '\\']) : line,
    );
  }

  /** One line. */
  private phrase(length: number, depth: number): string {
    return Array.from({ length }, () => this.span(depth)).join(' ');
  }

  private span(depth: number): string {
    const { random } = this;
    if (!this.isWellFormed && random.percent(12))
      return random.of(wild) + (random.percent(50) ? this.word() : '');
    if (random.percent(depth > 2 ? 100 : 75)) return this.word();
    const inner = () =>
      `${random.of(words)} ${this.phrase(1 + random.upTo(random.percent(90) ? 4 : 25), depth + 1)} ${random.of(words)}`;
    switch (random.upTo(8)) {
      case 0:
      case 1:
        return `**${inner().replaceAll('**', '')}**`;
      case 2:
        return random.of([`*${inner().replaceAll('*', '')}*`, `_${inner().replaceAll('_', '')}_`]);
      case 3:
        return `~~${inner().replaceAll('~~', '')}~~`;
      case 4:
        return `[${depth === 0 ? inner().replaceAll(/\\?[[\]]|https?:\S*/g, '') : this.word()}](https://example.com/${random.upTo(999)}_a?b=c&d=(e))`;
      case 5:
        return random.of([`\`${this.code1()}\``, `\`\` a \` ${this.code1()} \`\``]);
      case 6:
        return random.of([
          depth === 0 ? 'https://example.org/a_b_(c)?x=1*2' : 'www',
          '<https://example.net/x>',
          `![alt ${this.word()}](pic.png "t")`,
        ]);
      case 7:
        return random.of(['\\(a_1 * b\\)', '$$x_1 ** y_2$$', '\\[ \\frac{a}{b} \\]', '***both*** ways']);
      default:
        return random.of(['[^1]', '[ref][1]', 'ann@example.com', '**a *b* c**', '*a **b** c*']);
    }
  }

  private word(): string {
    const { random } = this;
    const roll = random.upTo(99);
    if (roll < 4) return random.of(odd);
    if (roll < 8) return random.of(escaped);
    if (roll < 11) return random.of(stray);
    return random.of(words);
  }

  private code1(): string {
    return this.random.of(['x = y', 'a*b*c', '**kw', 'f(x)[0]', '&amp;', 'a  b', '<T>', '\\n']);
  }

  private code(depth: number): string[] {
    const { random } = this;
    const fence = random.of(['```', '```', '```', '~~~', '````', '`'.repeat(random.percent(10) ? 40 : 5)]);
    const info = random.of([
      '',
      'js',
      'python',
      'text title="a b"',
      random.percent(10) ? `js ${'i'.repeat(300)}` : 'c++',
    ]);
    const lines = Array.from({ length: 1 + random.upTo(random.percent(90) ? 6 : 30) }, () =>
      this.codeLine(fence),
    );
    if (depth === 0 && random.percent(12))
      return lines
        .map((line) => `    ${line}`.trimEnd())
        .map((line, at) => (at === 0 && line === '' ? '    x' : line));
    const isClosed = this.isWellFormed || random.percent(70);
    return [`${fence}${info}`, ...lines, ...(isClosed ? [fence] : [])];
  }

  private codeLine(fence: string): string {
    const { random } = this;
    const line = random.of([
      'const a = b * c; // **not bold**',
      '    return x[0] || "```not-a-close";',
      '',
      'if (a < b && c > d) {',
      '}',
      '\tx = `t`',
      '| a | b |',
      '- no list',
      '1. none',
      '> none',
      '# no heading',
      '  </div>',
      'π = 3; // 圆周率 👩‍🔬',
      'a_very_long_name_'.repeat(random.percent(80) ? 1 : random.upTo(12)),
    ]);
    return new RegExp(`^ {0,3}${fence}`).test(line) ? `x${line}` : line;
  }

  private table(): string[] {
    const { random } = this;
    const columns = 1 + random.upTo(random.percent(97) ? 3 : 59);
    const cell = () =>
      (random.percent(90) ? this.phrase(1 + random.upTo(2), 3) : `**${this.word()}**`).replaceAll('|', '\\|');
    const row = () => `| ${Array.from({ length: columns }, cell).join(' | ')} |`;
    const delimiter = `|${Array.from({ length: columns }, () => random.of([' --- ', ':--', '--:', ':-:'])).join('|')}|`;
    return [row(), delimiter, ...Array.from({ length: random.upTo(random.percent(90) ? 4 : 20) }, row)];
  }

  private quote(depth: number): string[] {
    const lines = this.inner(depth);
    const mark = this.random.percent(90) ? '> ' : '>';
    return lines.map((line) => (line === '' ? '>' : mark + line));
  }

  private list(depth: number): string[] {
    const { random } = this;
    const bullet = random.of(['-', '*', '+']);
    const first = random.upTo(random.percent(80) ? 1 : 11);
    const kind = random.of(['bullet', 'ordered', 'lazy', 'task'] as const);
    const isLoose = random.percent(30);
    const dot = random.of(['.', '.', ')']);
    return Array.from(
      { length: 1 + random.upTo(random.percent(92) || kind === 'lazy' ? 3 : 12) },
      (_, at) => {
        const marker = kind === 'ordered' ? `${first + at}${dot}` : kind === 'lazy' ? `1${dot}` : bullet;
        const lines = random.percent(65) ? this.paragraph() : this.inner(depth);
        const head =
          kind === 'task' && /^\p{L}/u.test(lines[0] ?? '')
            ? [`[${random.of([' ', 'x'])}] ${lines[0]}`, ...lines.slice(1)]
            : lines;
        const indent = ' '.repeat(marker.length + 1);
        const item = head.map((line, i) =>
          i === 0 ? `${marker} ${line}` : line === '' ? '' : indent + line,
        );
        return isLoose ? ['', ...item] : item;
      },
    )
      .flat()
      .slice(isLoose ? 1 : 0);
  }

  private inner(depth: number): string[] {
    const blocks = Array.from({ length: 1 + this.random.upTo(2) }, () => this.block(depth + 1));
    return blocks.flatMap((lines, at) => {
      if (at === 0) return lines;
      return needsWords(lines, blocks[at - 1] ?? []) ? ['', 'List:', '', ...lines] : ['', ...lines];
    });
  }
}
