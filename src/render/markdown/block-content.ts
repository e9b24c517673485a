/** What a block has to show, line by line, and what stands around it when it is written. */
import type { Code, Heading, Paragraph, Table } from 'mdast';
import { type Span, spanOf } from './dialect.ts';
import type { AnyBlock, Block, Container } from './lines.ts';

export interface ContentLine {
  /** Where `text` begins in the source. */
  readonly from: number;
  readonly text: string;
}

export interface Content extends Pick<Block, 'kind' | 'opening' | 'closing' | 'isOpen'> {
  readonly content: readonly ContentLine[];
}

/** Indented this far, a line behind text cannot begin a block of its own, nor make a heading or a table of that text. */
export const neverBlock = '    ';
/** What begins another block when it is the first of a line. */
export const blockStart =
  /^(?:>|\||#{1,6}(?:\s|$)|(?:[-+*]|\d{1,9}[.)])(?:\s|$)|`{3}|~{3}|=+[ \t]*$|[-_*][-_* \t]*$|\[[ xX]\]\s|:?-+:?[ \t]*\|)/;
/** Text only in a line that leaves out the markers of its quote or item; with them it underlines what is above it. */
export const underline = /^(?:=+[ \t]*|[-:|][-:| \t]*)$/;

/** `undefined`: a container without any block. `original`: the source with markers that were taken out for the parser. */
export function contentOf(
  node: AnyBlock | undefined,
  span: Span,
  path: readonly Container[],
  source: string,
  original: string,
): Content {
  switch (node?.type) {
    case 'code':
      return codeContent(node, path, source, original);
    case 'table':
      return tableContent(node, source);
    case 'heading': {
      const opening = `${'#'.repeat(node.depth)} `;
      return {
        kind: 'heading',
        opening,
        closing: '',
        isOpen: false,
        content: phraseLines(node, path, source),
      };
    }
    case 'thematicBreak':
      return {
        kind: 'rule',
        opening: '',
        closing: '',
        isOpen: false,
        content: [{ from: span.from, text: '___' }],
      };
    case 'paragraph':
      return {
        kind: 'text',
        opening: '',
        closing: '',
        isOpen: false,
        content: phraseLines(node, path, source),
      };
    default:
      return {
        kind: 'text',
        opening: '',
        closing: '',
        isOpen: false,
        content: [{ from: span.from, text: '' }],
      };
  }
}

function phraseLines(
  node: Paragraph | Heading,
  path: readonly Container[],
  source: string,
): readonly ContentLine[] {
  const [first, last] = [node.children[0], node.children.at(-1)];
  if (first === undefined || last === undefined) return [{ from: spanOf(node).from, text: '' }];
  const span = { from: spanOf(first).from, to: spanOf(last).to };
  return linesIn(source, span).map(({ from, to }, index) => {
    const bare = index === 0 ? from : from + prefixLength(source.slice(from, to), path);
    const isIndented =
      blockStart.test(source.slice(bare, to)) && source.slice(from, bare).endsWith(neverBlock);
    const start = isIndented ? bare - neverBlock.length : bare;
    return { from: start, text: source.slice(start, to) };
  });
}

function tableContent(node: Table, source: string): Content {
  const [head = { from: 0, text: '' }, ...rows] = node.children.map((row) => {
    const { from, to } = spanOf(row);
    return { from, text: source.slice(from, to).trimEnd() };
  });
  const [, line = { from: 0, to: 0 }] = linesIn(source, spanOf(node));
  // Whatever prefix stands before it, a delimiter row has no other characters.
  const from = line.from + (/^[ \t>]*/.exec(source.slice(line.from, line.to))?.[0].length ?? 0);
  const delimiter = { from, text: source.slice(from, line.to).trimEnd() };
  const opening = `${head.text}\n${delimiter.text}`;
  return { kind: 'table', opening, closing: '', isOpen: false, content: [head, delimiter, ...rows] };
}

function codeContent(node: Code, path: readonly Container[], source: string, original: string): Content {
  const span = spanOf(node);
  const [, fence, info = ''] = /^(`{3,}|~{3,})(.*)/.exec(source.slice(span.from, span.to)) ?? [];
  const all = linesIn(source, span);
  const isClosed = fence !== undefined && all.length > 1 && closes(source, all.at(-1), fence, path);
  const values = node.value.split('\n');
  // The parser leaves out a blank line at the end of open code in a quote.
  const own = fence === undefined ? all.slice(0, values.length) : all.slice(1, isClosed ? -1 : undefined);
  if (fence !== undefined && !isClosed && source[span.to - 1] === '\n') own.pop();
  const content = own.map(({ from, to }, index) => {
    const text = values[index] ?? '';
    const start = Math.max(from, to - text.length);
    return { from: start, text: source === original ? text : original.slice(start, to) };
  });
  const line = fence ?? fenceFor(node.value);
  return {
    kind: 'code',
    opening: line + info.trimEnd(),
    closing: line,
    isOpen: fence !== undefined && !isClosed,
    content,
  };
}

function closes(source: string, line: Span | undefined, fence: string, path: readonly Container[]): boolean {
  const text = source.slice(line?.from, line?.to);
  const bare = text.slice(prefixLength(text, path)).trimEnd();
  return bare.length >= fence.length && bare === fence.charAt(0).repeat(bare.length);
}

function fenceFor(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  return '`'.repeat(longest + 1);
}

/** Blanks, and a ">" for each quote. */
function prefixLength(line: string, path: readonly Container[]): number {
  const quotes = path.filter(({ list }) => list === -1).length;
  return new RegExp(`^(?:[ \\t]*>){0,${quotes}}[ \\t]*`).exec(line)?.[0].length ?? 0;
}

function linesIn(source: string, { from, to }: Span): Span[] {
  const lines: Span[] = [];
  for (let at = from; at <= to; ) {
    const lineFeed = source.indexOf('\n', at);
    const end = lineFeed === -1 || lineFeed > to ? to : lineFeed;
    lines.push({ from: at, to: end });
    at = end + 1;
  }
  return lines;
}
