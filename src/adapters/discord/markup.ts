/**
 * Model Markdown → Discord's dialect. Takes one page that is whole Markdown (`render` has cut and closed it), for every
 * state that is shown; keeps nothing between two calls.
 */
import type { BlockContent, Code, List, ListItem, Root, RootContent } from 'mdast';
import { parse } from '../../render/markdown/markdown-tree.ts';
import { harmless } from './escape.ts';
import { phrase } from './phrase.ts';
import { type TableForm, tableLines } from './table.ts';

/** Unit: code points. Source: Discord's message reference. */
export const maxMessageChars = 2_000;
/**
 * Pages of this size always fit into a message. Escapes, aligned tables and the like make ordinary answers 2 to 4 % longer; a
 * page that would not fit is written with less of them. Unit: code points.
 */
export const maxPageChars = 1_650;

/** What a page is made of, and what is known of the place a block stands in. */
interface Place {
  readonly page: string;
  readonly tables: TableForm;
  /** Items and quotes around it. */
  readonly depth: number;
  readonly isInItem: boolean;
}

/** Deeper blocks are shown as they were written. Discord itself shows eleven levels of a list. */
const maxDepth = 24;

/** Never longer than a message when the page is no longer than `maxPageChars`. Pings nobody, whatever it says. */
export function discordMarkup(page: string): string {
  const tree = parse(page);
  const forms = hasTable(tree.children) ? (['aligned', 'names', 'bare'] as const) : (['aligned'] as const);
  for (const tables of forms) {
    const lines = linesOf(tree.children, { page, tables, depth: 0, isInItem: false });
    const text = lines.map((each) => each.text).join('\n');
    // Markers alone come to nothing, and a message must not be empty.
    if (text.trim() !== '' && fits(text)) return text;
  }
  return asWritten(page, tree);
}

function hasTable(blocks: readonly Block[], depth = 0): boolean {
  return blocks.some(
    (block) =>
      block.type === 'table' ||
      ((block.type === 'list' || block.type === 'listItem' || block.type === 'blockquote') &&
        depth < 2 * maxDepth &&
        hasTable(block.children, depth + 1)),
  );
}

function fits(text: string): boolean {
  if (text.length <= maxMessageChars) return true;
  return text.length <= 2 * maxMessageChars && Array.from(text).length <= maxMessageChars;
}

/** The Markdown as it came, a little less well shown. Its mentions are made harmless, outside of what Discord takes for code. */
function asWritten(page: string, tree: Root): string {
  let from = 0;
  let text = '';
  for (const { start, end } of codeIn(tree)) {
    const code = page.slice(start, end);
    if (!isCodeThere(code)) continue;
    text += harmless(page.slice(from, start)) + code;
    from = end;
  }
  return text + harmless(page.slice(from));
}

/** With the marks it was written with: `~~~` and four backticks mean nothing to Discord. */
function isCodeThere(code: string): boolean {
  return /^(?:```[^`]+```|`[^`]+`)$/.test(code);
}

/** In order. Without recursion: nesting may be deep here. */
function codeIn(tree: Root): { readonly start: number; readonly end: number }[] {
  const found: { readonly start: number; readonly end: number }[] = [];
  const waiting: (Root | RootContent)[] = [tree];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'code' || node.type === 'inlineCode')
      found.push({ start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 });
    else if ('children' in node) waiting.push(...node.children.toReversed());
  }
  return found;
}

/** A line of code stays where it is; every other one is indented with its item. */
interface Line {
  readonly text: string;
  readonly isCode: boolean;
}

type Block = RootContent | BlockContent | ListItem['children'][number];

function linesOf(blocks: readonly Block[], place: Place): Line[] {
  const lines: Line[] = [];
  let before: Block | undefined;
  for (const block of blocks) {
    const own = blockLines(block, place);
    if (own.length === 0) continue;
    if (before !== undefined && !place.isInItem && isApart(before, block)) lines.push(line(''));
    lines.push(...own);
    before = block;
  }
  return lines;
}

/** Headings, code and the list that a paragraph announces bring their own space. */
function isApart(before: Block, block: Block): boolean {
  if (before.type === 'heading' || before.type === 'code' || block.type === 'code') return false;
  return !(before.type === 'paragraph' && block.type === 'list');
}

function blockLines(block: Block, place: Place): Line[] {
  const { page, tables, isInItem } = place;
  if (place.depth > maxDepth) {
    const value = page.slice(block.position?.start.offset, block.position?.end.offset);
    return linesIn(phrase([{ type: 'text', value }], { isLineStart: true }));
  }
  const inner = { ...place, depth: place.depth + 1 };
  switch (block.type) {
    case 'paragraph':
      return linesIn(phrase(block.children, { isLineStart: true }));
    case 'heading':
      return linesIn(headingText(block.depth, block.children, isInItem));
    case 'code':
      return codeLines(block);
    case 'list':
      return listLines(block, { ...inner, isInItem: true });
    case 'blockquote':
      return linesOf(block.children, { ...inner, isInItem: false }).map(({ text }) => line(quoted(text)));
    case 'table': {
      const { kind, lines: rows } = tableLines(block, tables);
      return kind === 'code' ? fenced('', rows) : rows.map(line);
    }
    case 'thematicBreak':
      return [line('─'.repeat(8))];
    default:
      // The dialect has no other kinds of blocks.
      return 'value' in block
        ? linesIn(phrase([{ type: 'text', value: block.value }], { isLineStart: true }))
        : [];
  }
}

function headingText(depth: number, children: Parameters<typeof phrase>[0], isInItem: boolean): string {
  if (depth > 3 || isInItem) {
    const text = phrase(children, { isLineStart: false, open: '**' });
    return text === '' ? '' : `**${text}**`;
  }
  const text = phrase(children, { isLineStart: false });
  return text === '' ? '' : `${'#'.repeat(depth)} ${text}`;
}

/** Discord has no quote in a quote. */
function quoted(text: string): string {
  return text.startsWith('> ') ? text : `> ${text}`;
}

function codeLines({ lang, value }: Code): Line[] {
  // Anything else would stand in the code as its first line.
  const language = lang && /^[\w+.#-]{1,40}$/.test(lang) ? lang : '';
  // The only fence Discord knows has three backticks; a blank keeps an empty block from showing them.
  const code = value === '' ? ' ' : value.replaceAll(/``(?=`)/g, '``\u200b');
  return fenced(language, code.split('\n'));
}

function fenced(language: string, code: readonly string[]): Line[] {
  return [`\`\`\`${language}`, ...code, '```'].map((text) => ({ text, isCode: true }));
}

function listLines({ ordered, start, children }: List, place: Place): Line[] {
  return children.flatMap((item, at) => {
    const marker = ordered ? `${(start ?? 1) + at}. ` : '- ';
    const task = item.checked === true ? '☑ ' : item.checked === false ? '☐ ' : '';
    const content = linesOf(item.children, place);
    const [first] = content;
    const [kind] = item.children;
    // What is no line of text begins below the marker, which Discord does not show alone.
    const isBelow =
      first === undefined || first.isCode || kind?.type === 'list' || kind?.type === 'blockquote';
    const head = line(marker + task + (isBelow ? '\u200b' : first.text));
    const rest = isBelow ? content : content.slice(1);
    return [head, ...rest.map((each) => (each.isCode ? each : line(`  ${each.text}`)))];
  });
}

function linesIn(text: string): Line[] {
  return text === '' ? [] : text.split('\n').map(line);
}

function line(text: string): Line {
  return { text, isCode: false };
}
