/** Markup in running text: what has to be closed where the text is cut, and opened again behind the cut. */
import type { Nodes } from 'mdast';
import { type Span, spanOf } from './dialect.ts';

export interface Mark extends Span {
  readonly kind: 'emphasis' | 'link' | 'code' | 'whole';
  /** Both empty when it must not be cut. */
  readonly open: string;
  readonly close: string;
}

/** Formulas of the kinds models write: `$$…$$`, `\[…\]`, `\(…\)`. The text may end within one of the first kind. */
const formula = /\$\$[^$]{1,400}(?:\$\$|\$?$)|\\\[[^]{1,400}?\\\]|\\\([^]{1,400}?\\\)/g;

/** Those in one block, outer ones first. `shift`: from offsets in `source` to those of the marks. */
export function marksOf(node: Nodes, source: string, shift: number): Mark[] {
  if (node.type === 'code' || node.type === 'thematicBreak') return [];
  const marks: Mark[] = [];
  const visit = (each: Nodes) => {
    const mark = markOf(each, source);
    if (mark !== undefined) marks.push({ ...mark, from: mark.from + shift, to: mark.to + shift });
    if ('children' in each && mark?.kind !== 'whole') for (const child of each.children) visit(child);
  };
  visit(node);
  const { from, to } = spanOf(node);
  for (const { 0: found, index } of source.slice(from, to).matchAll(formula)) {
    const start = from + index + shift;
    marks.push({ kind: 'whole', from: start, to: start + found.length, open: '', close: '' });
  }
  return marks;
}

function markOf(node: Nodes, source: string): Mark | undefined {
  const span = spanOf(node);
  switch (node.type) {
    case 'inlineCode': {
      const ticks = /^`+/.exec(source.slice(span.from, span.to))?.[0] ?? '`';
      return { ...span, kind: 'code', open: ticks, close: ticks };
    }
    case 'strong':
    case 'emphasis':
    case 'delete':
    case 'link': {
      const [first, last] = [node.children[0], node.children.at(-1)];
      if (first === undefined || last === undefined) return { ...span, kind: 'whole', open: '', close: '' };
      const open = source.slice(span.from, spanOf(first).from);
      const close = source.slice(spanOf(last).to, span.to);
      if (node.type !== 'link') return { ...span, kind: 'emphasis', open, close };
      return open === '['
        ? { ...span, kind: 'link', open, close }
        : { ...span, kind: 'whole', open: '', close: '' };
    }
    case 'image':
      return { ...span, kind: 'whole', open: '', close: '' };
    default:
      return undefined;
  }
}

/** The marks that a cut at this place goes through. */
export function marksAt(marks: readonly Mark[], at: number): Mark[] {
  return marks.filter(({ from, to }) => from < at && at < to);
}

/** In a marker or right beside it, where one half would have nothing but markers; or in what has to stay whole. */
export function isInside({ kind, from, to, open, close }: Mark, at: number): boolean {
  return kind === 'whole' || at <= from + open.length || at >= to - close.length;
}

export function opened(marks: readonly Mark[]): string {
  return marks.map(({ open }) => open).join('');
}

export function closed(marks: readonly Mark[]): string {
  return marks
    .map(({ close }) => close)
    .toReversed()
    .join('');
}
