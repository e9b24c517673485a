/**
 * Model Markdown → Markdown as Slack takes it (`markdown` blocks, streams). The two are nearly the same, so that what is
 * written stays as it is, but for formulas, which become code, links that lead elsewhere than they say, and mentions.
 */
import type { Nodes, PhrasingContent } from 'mdast';
import { parse } from '../../render/markdown/markdown-tree.ts';
import { addressLike, plainText } from '../../render/markdown/plain-text.ts';
import { apart, safeLength, withoutMentions, withoutNearMentions } from './harmless.ts';

/** A part of the text, and what stands in its place. */
interface Patch {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Any text; keeps nothing between two calls. */
export function slackMarkdown(page: string): string {
  const patches: Patch[] = [];
  const code: Span[] = [];
  const waiting: Nodes[] = [parse(page)];
  // Without recursion: nesting may be deep here.
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const span = spanOf(node);
    if (node.type === 'maths') patches.push({ ...span, text: formula(node.value) });
    else if (node.type === 'code' || node.type === 'inlineCode') code.push(span);
    else if (node.type === 'link' && !isPlainLink(node)) patches.push({ ...span, text: beside(node, page) });
    else if ('children' in node) waiting.push(...node.children.toReversed());
  }
  let from = 0;
  let text = '';
  const kept = code.map(({ from: start, to }) => ({
    from: start,
    to,
    text: withoutMentions(page.slice(start, to)),
  }));
  for (const patch of [...patches, ...kept].toSorted((one, other) => one.from - other.from)) {
    if (patch.from < from) continue;
    text += withoutNearMentions(page.slice(from, patch.from)) + patch.text;
    from = patch.to;
  }
  // What mentions somebody may be put together from several parts.
  return withoutMentions(text + withoutNearMentions(page.slice(from)));
}

/**
 * As much of it as stays what it is whatever comes: neither half a formula nor half a mention. `source` is all that is
 * certain of a message so far.
 */
export function certainMarkdown(source: string): string {
  return slackMarkdown(source.slice(0, certainLength(source)));
}

/** Longer than this nothing is waited for. Unit: characters. */
const longestFormula = 500;
const longestInLine = 120;

function certainLength(source: string): number {
  const end = safeLength(source);
  const paragraph = source.lastIndexOf('\n\n', end) + 1;
  const opening = /\\(?:[\s\S]|$)|\$\$?|`+/g;
  opening.lastIndex = Math.max(paragraph, end - longestFormula);
  const text = source.slice(0, end);
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const [mark] = found;
    const from = opening.lastIndex;
    const closing = closingOf[mark] ?? (mark.startsWith('`') ? mark : undefined);
    const at = closing === undefined ? from : text.indexOf(closing, from);
    // Behind what it encloses.
    if (at >= 0) opening.lastIndex = closing === undefined ? from : at + closing.length;
    else if (mayStillClose(mark, text.slice(from))) return found.index;
  }
  return end;
}

/** What ends a formula, by what begins it; a backslash alone may begin one. */
const closingOf: Readonly<Record<string, string>> = {
  '\\': '\\',
  '\\(': String.raw`\)`,
  '\\[': String.raw`\]`,
  $$: '$$',
  $: '$',
};

function mayStillClose(mark: string, rest: string): boolean {
  if (mark.length > 1 && !mark.startsWith('`')) return true;
  return mark.length < 3 && !rest.includes('\n') && !rest.startsWith(' ') && rest.length < longestInLine;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function spanOf({ position }: Nodes): Span {
  return { from: position?.start.offset ?? 0, to: position?.end.offset ?? 0 };
}

/** TeX is readable as code, where nothing in it is taken for markup. */
export function formula(value: string): string {
  const inner = withoutMentions(
    value
      .replaceAll(/^(?:\$\$?|\\[([])|(?:\$\$?|\\[)\]])$/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  if (inner === '') return withoutNearMentions(value);
  const fence = inner.includes('`') ? '``' : '`';
  const pad = inner.startsWith('`') || inner.endsWith('`') ? ' ' : '';
  return fence + pad + inner.replaceAll('``', `\`${apart}\``) + pad + fence;
}

type LinkNode = Extract<PhrasingContent, { type: 'link' }>;

/** It leads to a page or an inbox, and its label does not say another one. */
export function isPlainLink(node: LinkNode): boolean {
  const label = plainText(node.children);
  if (/^mailto:/i.test(node.url)) return label === node.url.slice('mailto:'.length) || label === node.url;
  if (!/^https?:\/\/./i.test(node.url)) return false;
  return (
    !addressLike.test(label) ||
    [node.url, `http://${node.url}`].includes(label) ||
    `http://${label}` === node.url
  );
}

/** The label, and in parentheses where it leads. */
function beside(node: LinkNode, page: string): string {
  const [first, last] = [node.children[0], node.children.at(-1)];
  const label =
    first === undefined || last === undefined ? '' : page.slice(spanOf(first).from, spanOf(last).to);
  const shown = /^mailto:/i.test(node.url) ? node.url.slice('mailto:'.length) : node.url;
  return withoutNearMentions(label === '' ? shown : `${label} (${shown})`);
}
