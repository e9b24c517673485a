/** Discord knows no tables: a small one becomes an aligned code block, a wide one a list with an entry for each row. */
import type { AlignType, Table } from 'mdast';
import { plainText } from '../../render/markdown/plain-text.ts';
import { phrase } from './phrase.ts';

/** Widest block that a phone shows without breaking its lines. Unit: columns. */
const maxColumns = 60;
const gap = '  ';

/** `names`: with the name of its column before each cell. */
export type TableForm = 'aligned' | 'names' | 'bare';

/** Lines, without a fence when it is a list. */
export interface ShownTable {
  readonly kind: 'code' | 'list';
  readonly lines: readonly string[];
}

export function tableLines(table: Table, form: TableForm): ShownTable {
  const aligned = form === 'aligned' ? alignedLines(table) : undefined;
  if (aligned !== undefined) return { kind: 'code', lines: aligned };
  return { kind: 'list', lines: form === 'bare' ? bareLines(table) : namedLines(table) };
}

/** `undefined`: too wide, or with links, which a code block does not show. */
function alignedLines({ children, align = [] }: Table): string[] | undefined {
  const nodes = children.flatMap((row) => row.children.flatMap((cell) => cell.children));
  if (nodes.some(({ type }) => type === 'link' || type === 'image')) return undefined;
  const rows = children.map((row) => row.children.map((cell) => plainText(cell.children)));
  if (rows.flat().some((cell) => cell.includes('```'))) return undefined;
  const count = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, at) =>
    Math.max(1, ...rows.map((row) => columnsOf(row[at] ?? ''))),
  );
  const total = widths.reduce((sum, width) => sum + width, gap.length * (count - 1));
  if (total > maxColumns) return undefined;
  const lines = rows.map((row) =>
    widths
      .map((width, at) => padded(row[at] ?? '', width, align?.[at]))
      .join(gap)
      .trimEnd(),
  );
  return [lines[0] ?? '', widths.map((width) => '─'.repeat(width)).join(gap), ...lines.slice(1)];
}

function padded(text: string, width: number, align: AlignType | undefined): string {
  const room = width - columnsOf(text);
  const before = align === 'right' ? room : align === 'center' ? Math.floor(room / 2) : 0;
  return ' '.repeat(before) + text + ' '.repeat(room - before);
}

/** What a monospaced font takes: two columns for wide characters and emoji, none for marks on others. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const char of text) {
    if (/[\p{Mn}\p{Me}\p{Cf}]/u.test(char)) continue;
    columns += wide.test(char) ? 2 : 1;
  }
  return columns;
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** `- **Town: Bonn** · People: 330,000` */
function namedLines({ children: [head, ...rows] }: Table): string[] {
  const names = head?.children.map((cell) => phrase(cell.children, { isLineStart: false })) ?? [];
  const boldName = phrase(head?.children[0]?.children ?? [], { isLineStart: false, open: '**' });
  if (rows.length === 0) return [`- **${names.join(' · ')}**`];
  return rows.map(({ children: [first, ...others] }) => {
    const start = phrase(first?.children ?? [], { isLineStart: false, open: '**' });
    const title = named(boldName, start);
    const rest = others.flatMap((cell, at) => {
      const text = phrase(cell.children, { isLineStart: false });
      return text === '' ? [] : [named(names[at + 1] ?? '', text)];
    });
    return `- ${[...(title === '' ? [] : [`**${title}**`]), ...rest].join(' · ')}`;
  });
}

function named(name: string, text: string): string {
  return name === '' || text === '' ? name + text : `${name}: ${text}`;
}

function bareLines({ children }: Table): string[] {
  return children.map(
    (row) => `- ${row.children.map((cell) => phrase(cell.children, { isLineStart: false })).join(' · ')}`,
  );
}
