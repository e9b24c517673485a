/** The end of a text that still grows: what cannot be shown yet, and which markup in it is open. */
import type { Nodes, Paragraph, Text } from 'mdast';
import { parse, type Span, spanOf } from './dialect.ts';
import type { Mark } from './marks.ts';

/** More open emphasis than this is no emphasis but text with asterisks. */
const maxOpen = 4;
/** Of a longer half link only the target is held back, and of a longer target nothing. */
const maxHeld = 600;
/** A bracket, a label, and perhaps the beginning of a target, up to the end of the text. */
const halfOfLink =
  /^\[(?:[^[\]\\]|\\.|\[[^[\]]*\])*(\](?:\((?:[^()\s]|\([^()\s]*\)?)*(?:\s+["'][^"']*["']?)?\s*)?)?$/s;

export interface OpenEnd {
  /** What stands from here on is held back: half a link. */
  readonly heldFrom: number;
  readonly marks: readonly Mark[];
}

/** `text`: all of a paragraph or heading, without the prefixes of its lines. */
export function openEndOf(text: string): OpenEnd {
  const none = { heldFrom: text.length, marks: [] };
  if (!/[*_~`[]/.test(text)) return none;
  // Read by itself it could be another block; behind a letter it is text.
  const [phrase] = parse(`x ${text}`).children;
  if (phrase?.type !== 'paragraph') return none;
  const offset = 2;
  const code = openCode(phrase, `x ${text}`);
  const heldFrom = (halfLink(phrase, `x ${text}`) ?? text.length + offset) - offset;
  const marks = openEmphasis(phrase, `x ${text}`).map(({ from, run }) =>
    markOf(from - offset, run, 'emphasis'),
  );
  if (code !== undefined) marks.push(markOf(code.from - offset, code.run, 'code'));
  const codeFrom = code === undefined ? text.length : code.from - offset;
  // What opens behind the code that is open stands in it.
  const before = marks.filter((mark) => mark.kind === 'code' || mark.from < codeFrom);
  return heldFrom < codeFrom
    ? { heldFrom, marks: before.filter(({ from }) => from < heldFrom) }
    : { heldFrom: text.length, marks: before };
}

function markOf(from: number, run: string, kind: Mark['kind']): Mark {
  return { kind, from, to: Number.POSITIVE_INFINITY, open: run, close: run };
}

interface Run {
  readonly from: number;
  readonly run: string;
}

function openCode(phrase: Paragraph, text: string): Run | undefined {
  for (const { from, to } of textsIn(phrase).map(spanOf)) {
    for (const { 0: run, index } of text.slice(from, to).matchAll(/\\.|`+/gs)) {
      if (run.startsWith('`')) return { from: from + index, run };
    }
  }
  return undefined;
}

/** Where it begins. */
function halfLink(phrase: Paragraph, text: string): number | undefined {
  for (const { from, to } of directTexts(phrase).map(spanOf)) {
    for (const { 0: found, index } of text.slice(from, to).matchAll(/\\.|\[/gs)) {
      const at = from + index;
      if (found !== '[' || isBehindWord(text, at)) continue;
      const [half, target = ''] = halfOfLink.exec(text.slice(at)) ?? [];
      if (half === undefined) continue;
      if (half.length <= maxHeld) return text[at - 1] === '!' ? at - 1 : at;
      if (target !== '' && target.length <= maxHeld) return text.length - target.length;
    }
  }
  return undefined;
}

function openEmphasis(phrase: Paragraph, text: string): Run[] {
  const open: Run[] = [];
  for (const { from, to } of directTexts(phrase).map(spanOf)) {
    for (const { 0: run, index } of text.slice(from, to).matchAll(/\\.|\*+|_+|~+/gs)) {
      const isMark = /^(?:\*{1,3}|_{1,3}|~~)$/.test(run);
      const span = { from: from + index, to: from + index + run.length };
      if (isMark && canOpen(text, span)) open.push({ from: span.from, run });
    }
  }
  return open.length > maxOpen ? [] : open;
}

/** As CommonMark has it, but not behind a letter or digit: "2*3" is no emphasis. */
function canOpen(text: string, { from, to }: Span): boolean {
  const [before, after] = [text.charAt(from - 1), text.charAt(to)];
  if (after === '' || /\s/.test(after) || isBehindWord(text, from)) return false;
  return !/\p{P}/u.test(after) || before === '' || /[\s\p{P}\p{S}]/u.test(before);
}

function isBehindWord(text: string, at: number): boolean {
  return /[a-z\d)\]]/i.test(text.charAt(at - 1));
}

/** Emphasis that is open is not within any that is closed. */
function directTexts(phrase: Paragraph): Text[] {
  return phrase.children.filter((child) => child.type === 'text');
}

function textsIn(node: Nodes): Text[] {
  if (node.type === 'text') return [node];
  return 'children' in node ? node.children.flatMap((child) => textsIn(child)) : [];
}
