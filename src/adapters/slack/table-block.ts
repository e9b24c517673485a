/** A table as a block of its own, where it stands last in its message: Slack shows it there, and takes one in a message. */
import type { types } from '@slack/bolt';
import type { PhrasingContent, Table, TableCell } from 'mdast';
import { parse } from '../../render/markdown/markdown-tree.ts';
import { plainText } from '../../render/markdown/plain-text.ts';

/** Slack's limits. */
const max = { rows: 100, cells: 20 };

export interface SplitPage {
  /** Markdown; may be empty. */
  readonly before: string;
  readonly table: types.TableBlock;
}

/** Undefined when the page does not end in a table, or has more than one; those are Markdown. */
export function tableAtEnd(page: string): SplitPage | undefined {
  const { children } = parse(page);
  const last = children.at(-1);
  if (last?.type !== 'table' || children.filter(({ type }) => type === 'table').length > 1) return undefined;
  const width = Math.max(...last.children.map((row) => row.children.length));
  if (last.children.length > max.rows || width > max.cells) return undefined;
  return { before: page.slice(0, last.position?.start.offset).trimEnd(), table: tableBlock(last) };
}

function tableBlock({ children, align = [] }: Table): types.TableBlock {
  const [head] = children;
  const settings = (head?.children ?? []).map((_, at) => ({
    align: align?.[at] ?? ('left' as const),
    is_wrapped: true,
  }));
  return {
    type: 'table',
    column_settings: settings,
    rows: children.map((row, at) => row.children.map((cell) => cellOf(cell, at === 0))),
  };
}

/** Words alone, or words with their marks. A cell is never empty. */
function cellOf({ children }: TableCell, isHead: boolean): types.TableBlock['rows'][number][number] {
  const words = plainText(children);
  if (words === '') return { type: 'raw_text', text: ' ' };
  if (!isHead && children.every(({ type }) => type === 'text')) return { type: 'raw_text', text: words };
  const style = isHead ? { bold: true } : {};
  const elements = children.flatMap((child) => partsOf(child, style));
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}

interface Style {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly code?: boolean;
}

type Part = types.RichTextText | types.RichTextLink;

function partsOf(node: PhrasingContent, style: Style): Part[] {
  const inner = (more: Style): Part[] =>
    'children' in node ? node.children.flatMap((child) => partsOf(child, { ...style, ...more })) : [];
  switch (node.type) {
    case 'strong':
      return inner({ bold: true });
    case 'emphasis':
      return inner({ italic: true });
    case 'delete':
      return inner({ strike: true });
    case 'inlineCode':
    case 'maths':
      return part(plainText([node]), { ...style, code: true });
    case 'link':
      return /^https?:\/\/./i.test(node.url)
        ? [{ type: 'link', url: node.url, text: plainText(node.children) || node.url, ...styled(style) }]
        : inner({});
    default:
      return part(plainWords(node), style);
  }
}

/** With the blanks at its edges, which part it from its neighbours. */
function plainWords(node: PhrasingContent): string {
  return node.type === 'text' ? node.value : plainText([node]);
}

function part(text: string, style: Style): Part[] {
  return text === '' ? [] : [{ type: 'text', text, ...styled(style) }];
}

function styled(style: Style): { style?: Style } {
  return Object.keys(style).length === 0 ? {} : { style };
}
