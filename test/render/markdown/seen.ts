/** What a reader sees of Markdown, by its own walk over the tree, so that pages can be compared with the whole answer. */
import type { Code, Nodes, Table } from 'mdast';
import type { Page } from '../../../src/render/answer-pages.ts';
import { parse, type Span, spanOf } from '../../../src/render/markdown/dialect.ts';

/** Text with the quotes, items and marks it stands in, blanks left out: `1. > **bold**` is `[["1. > strong", "bold"]]`. */
export type Seen = [style: string, text: string][];

export function seenOf(text: string): Seen {
  return seenIn(text);
}

/** Without what stands on a page because it is cut: the head of a table that goes on. */
export function seenInPages(pages: readonly Page[], whole: string): Seen {
  const tables = nodesIn(whole, 'table') as Table[];
  const all: Seen = [];
  for (const { text, from } of pages) {
    const goingOn = tables.find((table) => from > spanOf(table).from && from < spanOf(table).to);
    const [table] = nodesIn(text, 'table') as Table[];
    const isRepeated =
      goingOn !== undefined && table !== undefined && headOf(table, text) === headOf(goingOn, whole);
    const head = isRepeated ? { from: spanOf(table).from, to: firstRowEnd(table) } : undefined;
    for (const [style, seen] of seenIn(text, head)) add(all, style, seen);
  }
  return all;
}

/** Its text alone, without what draws a table: a row that is too long for a page becomes lines of text. */
export function textOf(seen: Seen): string {
  return seen
    .map(([, text]) => text)
    .join('')
    .replaceAll(/[|:-]/g, '');
}

/** Every fenced block of code; those that go over several pages joined again. */
export function codesInPages(pages: readonly Page[], whole: string): string[] {
  const wholes = nodesIn(whole, 'code');
  const codes: string[] = [];
  for (const { text, from } of pages) {
    const isInCode = wholes.some((code) => from > contentFrom(code as Code, whole) && from < spanOf(code).to);
    for (const [at, { value }] of (nodesIn(text, 'code') as Code[]).entries()) {
      const last = codes.at(-1);
      if (at === 0 && isInCode && last !== undefined) {
        codes[codes.length - 1] = last + (whole[from - 1] === '\n' ? '\n' : '') + value;
      } else codes.push(value);
    }
  }
  return codes;
}

export function codesOf(text: string): string[] {
  return (nodesIn(text, 'code') as Code[]).map(({ value }) => value);
}

/** Of code that its quote ends before it is closed the parser leaves out a blank line at the end: it may be there. */
export function isCodeKept(pages: readonly Page[], whole: string): boolean {
  const wanted = nodesIn(whole, 'code') as Code[];
  const shown = codesInPages(pages, whole);
  const isSame = (code: Code, value: string | undefined) =>
    value === code.value || (!isClosed(code, whole) && bare(value ?? '') === bare(code.value));
  return shown.length === wanted.length && wanted.every((code, at) => isSame(code, shown[at]));
}

function bare(code: string): string {
  return code.replace(/\n+$/, '');
}

function isClosed(code: Nodes, text: string): boolean {
  const { from, to } = spanOf(code);
  const lines = text.slice(from, to).split('\n');
  const fence = /^(?:`{3,}|~{3,})/.exec(lines[0] ?? '')?.[0] ?? '';
  const end = (lines.at(-1) ?? '').replace(/^[\s>]*/, '').trimEnd();
  return lines.length > 1 && end.length >= fence.length && end === fence.charAt(0).repeat(end.length);
}

/** What is not whole in a page: markup without its end, code without its closing line, a block that goes on behind it. */
export function faultsIn(page: string, isWellFormed: boolean): string[] {
  const faults: string[] = [];
  const tree = parse(`${page}\n\nnext`);
  const last = tree.children.at(-1);
  if (last?.type !== 'paragraph' || last.position?.start.column !== 1) faults.push('goes on behind its end');
  for (const code of nodesUnder(tree, 'code')) {
    if (!isClosed(code, page)) faults.push('code is not closed');
  }
  if (!isWellFormed) return faults;
  for (const node of nodesUnder(tree, 'text')) {
    const { from, to } = spanOf(node);
    // Escapes, formulas and products are text.
    const raw = page.slice(from, to).replaceAll(/\\.|\$\$[^$]*\$\$|\s\*{1,2}(?=\s|$)/gs, '');
    const [stray] = /.{0,20}(?:\*|`|~~|\]\().{0,20}/.exec(raw) ?? [];
    if (stray !== undefined) faults.push(`open markup: ${stray}`);
  }
  return faults;
}

/** `left`: what is left out. */
function seenIn(text: string, left?: Span): Seen {
  const seen: Seen = [];
  const visit = (node: Nodes, style: string, marks: readonly string[]): void => {
    const { from, to } = spanOf(node);
    if (left !== undefined && from >= left.from && to <= left.to) return;
    const all = [style, ...marks].join(' ');
    if ('value' in node) {
      const kind =
        node.type === 'text' ? '' : node.type === 'code' ? ` code:${node.lang ?? ''}` : ` ${node.type}`;
      return add(seen, all + kind, node.value);
    }
    if (node.type === 'image') return add(seen, `${all} image:${node.url}`, node.alt ?? '');
    if (node.type === 'thematicBreak') return add(seen, `${style} rule`, '_');
    if (!('children' in node)) return;
    const mark = markOf(node);
    const inner = mark === undefined ? marks : [...new Set([...marks, mark])].toSorted();
    for (const [at, child] of node.children.entries()) visit(child, style + styleOf(node, at), inner);
  };
  visit(parse(text), '', []);
  return seen;
}

function nodesIn(text: string, type: Nodes['type']): Nodes[] {
  return nodesUnder(parse(text), type);
}

function nodesUnder(root: Nodes, type: Nodes['type']): Nodes[] {
  const found: Nodes[] = [];
  const visit = (node: Nodes): void => {
    if (node.type === type) found.push(node);
    // The address that a link shows is no markup.
    const isBare =
      node.type === 'link' && node.children[0]?.type === 'text' && node.url.includes(node.children[0].value);
    if ('children' in node && !isBare) for (const child of node.children) visit(child);
  };
  visit(root);
  return found;
}

function headOf(table: Table, text: string): string {
  return text.slice(spanOf(table).from, firstRowEnd(table)).trim();
}

function firstRowEnd(table: Table): number {
  const [first] = table.children;
  return first === undefined ? 0 : spanOf(first).to;
}

function contentFrom(code: Code, whole: string): number {
  const { from } = spanOf(code);
  if (!/[`~]/.test(whole.charAt(from))) return from;
  const lineEnd = whole.indexOf('\n', from);
  return lineEnd === -1 ? whole.length : lineEnd + 1;
}

function add(seen: Seen, style: string, text: string): void {
  const shown = text.replaceAll(/\s/g, '');
  const last = seen.at(-1);
  if (last !== undefined && last[0] === style) last[1] += shown;
  else if (shown !== '') seen.push([style, shown]);
}

function styleOf(node: Nodes, at: number): string {
  switch (node.type) {
    case 'list':
      return node.ordered === true ? ` ${(node.start ?? 1) + at}.` : ' -';
    case 'blockquote':
      return ' >';
    case 'heading':
      return ` h${node.depth}`;
    case 'tableRow':
      return ` |${at}`;
    default:
      return '';
  }
}

/** "***" opens both kinds of emphasis; which one is outside is nothing to be seen. */
function markOf(node: Nodes): string | undefined {
  if (node.type === 'link') return `link:${node.url}`;
  return node.type === 'emphasis' || node.type === 'strong' || node.type === 'delete' ? node.type : undefined;
}
