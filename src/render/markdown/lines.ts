/**
 * A text as the lines of its blocks. A line knows in which quotes, items and block it stands, so that any run of lines can
 * be written as Markdown that is whole: see `PageWriter`.
 */
import type { BlockContent, DefinitionContent, ListItem, RootContent } from 'mdast';
import { contentOf } from './block-content.ts';
import { parse, type Span, spanOf } from './dialect.ts';
import { type Mark, marksOf } from './marks.ts';

/** A quote, or an item of a list. */
export interface Container {
  /** Where it begins in the text; equal for one and the same. */
  readonly key: number;
  /** What its first line begins with: "- ", "12. "; nothing for a quote. */
  readonly marker: string;
  /** "[x] " of a task. */
  readonly task: string;
  /** Of an ordered item. */
  readonly number: number | undefined;
  /** Where its list begins. */
  readonly list: number;
}

export interface Block {
  /** Where it begins in the text; equal for one and the same. */
  readonly key: number;
  readonly kind: 'text' | 'heading' | 'code' | 'table' | 'rule';
  /** From the outside in. */
  readonly path: readonly Container[];
  /** What every line of a heading begins with, the line that opens code, the two lines that open a table. */
  readonly opening: string;
  /** The line that closes code. */
  readonly closing: string;
  /** Code whose closing line is not there. */
  readonly isOpen: boolean;
  /** Where emphasis, links and code stand in its text, outer ones first. */
  readonly marks: readonly Mark[];
}

export interface Line {
  readonly block: Block;
  /** As in the source, without what its containers put before it. */
  readonly text: string;
  /** Where the source line begins; of the first line of code that of the line which opens it. */
  readonly from: number;
  /** Where `text` begins. */
  readonly at: number;
  /** The first of its block. */
  readonly isFirst: boolean;
  /** A blank line stands before it. */
  readonly isApart: boolean;
}

/** From where a text is read, and what is known of the text before. */
export interface Start {
  readonly at: number;
  /** Lines that are read before the text: they open the block in whose middle it begins. */
  readonly reopen: string;
  readonly block?: Block;
  /** The containers of the first line, as far as they are known. */
  readonly path: readonly Container[];
  /** Whether a blank line stands before the first line. */
  readonly isApart: boolean;
}

export const beginning: Start = { at: 0, reopen: '', path: [], isApart: false };

export type AnyBlock = RootContent | BlockContent | DefinitionContent | ListItem;

/** Deeper lists than this are lines of text: the parser needs seconds for 500 levels. Unit: blanks of indentation. */
const deepMarker = /^( {80,}) (?=(?:[-+*]|\d{1,9}[.)])[ \t])/gm;

export function linesOf(text: string, start: Start): Line[] {
  const original = start.reopen + text;
  const source = original.replaceAll(deepMarker, '$1\\');
  const shift = start.at - start.reopen.length;
  const lines: Line[] = [];
  let before: { readonly block: Block; readonly to: number } | undefined;

  const each = (nodes: readonly AnyBlock[], path: readonly Container[], { to }: Span) => {
    if (nodes.length === 0 && path.length > 0) addLines(undefined, path, { from: to, to });
    for (const node of nodes) visit(node, path, spanOf(node));
  };
  const visit = (node: AnyBlock, path: readonly Container[], span: Span): void => {
    const known = before === undefined ? start.path[path.length] : undefined;
    if (node.type === 'blockquote') {
      const quote = { key: span.from + shift, marker: '', task: '', number: undefined, list: -1 };
      return each(node.children, [...path, known ?? quote], span);
    }
    if (node.type !== 'list') return addLines(node, path, span);
    const first = known?.number ?? node.start ?? undefined;
    for (const [index, item] of node.children.entries()) {
      const itemSpan = spanOf(item);
      const number = first === undefined ? undefined : first + index;
      const own: Container = {
        key: itemSpan.from + shift,
        marker: `${number ?? ''}${/^\d*(.)/.exec(source.slice(itemSpan.from, itemSpan.from + 11))?.[1] ?? '-'} `,
        task: typeof item.checked === 'boolean' ? `[${item.checked ? 'x' : ' '}] ` : '',
        number,
        list: known?.list ?? span.from + shift,
      };
      each(item.children, [...path, index === 0 && known !== undefined ? known : own], itemSpan);
    }
  };
  const addLines = (node: AnyBlock | undefined, path: readonly Container[], span: Span) => {
    const reopened = before === undefined ? start.block : undefined;
    const { content, ...shape } = contentOf(node, span, path, source, original);
    const marks = node === undefined ? [] : marksOf(node, source, shift);
    const block: Block = { key: span.from + shift, path, ...shape, ...reopened, isOpen: shape.isOpen, marks };
    const isApart =
      before === undefined
        ? start.isApart || (block.kind === 'table' && start.at > 0)
        : areApart(before.block, block, source.slice(Math.min(before.to, span.from), span.from));
    let isFirst = reopened === undefined;
    const empty = isFirst && content.length === 0 ? [{ from: span.to, text: '' }] : [];
    for (const { from, text: shown } of [...content, ...empty]) {
      const isUnwritten = reopened !== undefined && shown === '' && from === source.length;
      if (from < start.reopen.length || isUnwritten) continue;
      const lineStart = lineStartOf(source, isFirst ? span.from : from) + shift;
      lines.push({
        block,
        text: shown,
        from: lineStart,
        at: from + shift,
        isFirst,
        isApart: isFirst && isApart,
      });
      isFirst = false;
    }
    before = { block, to: span.to };
  };
  each(parse(source).children, [], { from: 0, to: 0 });
  return lines;
}

function lineStartOf(source: string, at: number): number {
  return at === 0 ? 0 : source.lastIndexOf('\n', at - 1) + 1;
}

/** Within a list it is as in the source; everywhere else blocks are apart. */
function areApart(one: Block, other: Block, between: string): boolean {
  const depth = one.path.findIndex((container, at) => container.key !== other.path[at]?.key);
  const shared = depth === -1 ? one.path.length : depth;
  const [own, next] = [one.path[shared], other.path[shared]];
  const isInList = next !== undefined && next.list !== -1 && own?.list === next.list;
  const isInItem = shared > 0 && other.path[shared - 1]?.list !== -1;
  if (!isInList && !isInItem) return true;
  if (one.kind === 'table' || other.kind === 'table') return true;
  // A line behind text would go on with it.
  const isUnmarked = other.path.length === shared && other.kind === 'text';
  const isGoingOn = own !== undefined || one.kind === 'text';
  return (isUnmarked && isGoingOn) || /\n[ \t>]*\n/.test(between);
}
