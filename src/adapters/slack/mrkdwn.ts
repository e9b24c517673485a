/**
 * Model Markdown → mrkdwn, Slack's older dialect: for notifications and screen readers, small print, forms. It knows no
 * headings, tables or nested lists, so these are written as text. Notifies nobody, whatever it says.
 */
import type { BlockContent, List, ListItem, PhrasingContent, RootContent, Table } from 'mdast';
import { parse } from '../../render/markdown/markdown-tree.ts';
import { plainText } from '../../render/markdown/plain-text.ts';
import { cut } from './cut.ts';
import { escapeMrkdwn } from './harmless.ts';
import { formula, isPlainLink } from './markdown.ts';

type Block = RootContent | BlockContent | ListItem['children'][number];

/** Deeper blocks are shown as their words. */
const maxDepth = 24;
const apart = '\u200b';

/** At most `maxChars` long: what is longer is cut, and no escape is cut in two. */
export function mrkdwn(text: string, maxChars: number): string {
  const whole = linesOf(parse(text).children, 0).join('\n');
  if (whole.length <= maxChars) return whole;
  return cut(whole, maxChars).replace(/&[a-z]{0,3}…$|<[^>]*…$/, '…');
}

function linesOf(blocks: readonly Block[], depth: number): string[] {
  return blocks.flatMap((block, at) => {
    const lines = blockLines(block, depth);
    return at > 0 && depth === 0 && lines.length > 0 ? ['', ...lines] : lines;
  });
}

function blockLines(block: Block, depth: number): string[] {
  if (depth > maxDepth) return 'children' in block ? [markless(wordsIn(block))] : [];
  switch (block.type) {
    case 'paragraph':
      return phrase(block.children).split('\n');
    case 'heading': {
      const text = phrase(block.children, '*');
      return text === '' ? [] : [`*${text}*`];
    }
    case 'code':
      // Three backticks would end it.
      return ['```', ...escapeMrkdwn(block.value.replaceAll(/``(?=`)/g, `\`\`${apart}`)).split('\n'), '```'];
    case 'list':
      return listLines(block, depth);
    case 'blockquote':
      return linesOf(block.children, depth + 1).map((line) => `> ${line}`);
    case 'table':
      return tableLines(block);
    case 'thematicBreak':
      return ['─'.repeat(8)];
    default:
      return 'value' in block ? [markless(block.value)] : [];
  }
}

function listLines({ ordered, start, children }: List, depth: number): string[] {
  return children.flatMap((item, at) => {
    const marker = ordered ? `${(start ?? 1) + at}. ` : '• ';
    const task = item.checked === true ? '☑ ' : item.checked === false ? '☐ ' : '';
    const [first = '', ...rest] = linesOf(item.children, depth + 1);
    return [marker + task + first, ...rest.map((line) => `    ${line}`)];
  });
}

function tableLines({ children }: Table): string[] {
  return children.map((row, at) => {
    const cells = row.children.map((cell) => phrase(cell.children, at === 0 ? '*' : undefined));
    return at === 0 ? `*${cells.join(' · ')}*` : cells.join(' · ');
  });
}

type Mark = '*' | '_' | '~';

/** `open`: the mark that stands around it. */
function phrase(nodes: readonly PhrasingContent[], open?: Mark): string {
  return nodes.map((node) => written(node, open === undefined ? [] : [open])).join('');
}

function written(node: PhrasingContent, open: readonly Mark[]): string {
  const inner = (children: readonly PhrasingContent[], mark?: Mark) =>
    children.map((child) => written(child, mark === undefined ? open : [...open, mark])).join('');
  const marked = (mark: Mark, children: readonly PhrasingContent[]) =>
    // Written again, it would close.
    open.includes(mark) ? inner(children) : `${mark}${inner(children, mark)}${mark}`;
  switch (node.type) {
    case 'text':
      return markless(node.value);
    case 'maths':
      return escapeMrkdwn(formula(node.value));
    case 'inlineCode':
      return `\`${escapeMrkdwn(node.value.replaceAll('`', "'"))}\``;
    case 'break':
      return '\n';
    case 'emphasis':
      return marked('_', node.children);
    case 'strong':
      return marked('*', node.children);
    case 'delete':
      return marked('~', node.children);
    case 'link': {
      const label = plainText(node.children);
      if (!isPlainLink(node)) return markless(label === node.url ? label : `${label} (${node.url})`);
      return label === '' || label === node.url ? addressOf(node.url) : linked(node.url, label);
    }
    case 'image':
      return node.alt ? linked(node.url, node.alt) : addressOf(node.url);
    default:
      return markless(plainText([node]));
  }
}

function linked(url: string, label: string): string {
  if (!/^(?:https?|mailto):./i.test(url)) return markless(`${label} (${url})`);
  return `<${target(url)}|${escapeMrkdwn(label.replaceAll(/[|\n]/g, ' '))}>`;
}

function addressOf(url: string): string {
  return /^(?:https?|mailto):./i.test(url) ? `<${target(url)}>` : markless(url);
}

function target(url: string): string {
  return escapeMrkdwn(url.replaceAll(/[\s<>|]/g, (char) => encodeURIComponent(char)));
}

/** What would be markup at the edge of a word is kept from it. */
function markless(text: string): string {
  return escapeMrkdwn(text).replaceAll(/(?<![\p{L}\p{N}])[*_~](?=\S)|`/gu, (mark) => apart + mark);
}

function wordsIn(node: object): string {
  if ('value' in node && typeof node.value === 'string') return node.value;
  if (!('children' in node) || !Array.isArray(node.children)) return '';
  const waiting: object[] = [...node.children];
  const words: string[] = [];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if ('value' in next && typeof next.value === 'string') words.push(next.value);
    else if ('children' in next && Array.isArray(next.children)) waiting.unshift(...next.children);
  }
  return words.join(' ');
}
