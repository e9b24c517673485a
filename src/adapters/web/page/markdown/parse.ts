/**
 * Markdown → harmless element trees, block by block. Raw HTML is text, a picture is a link to it, and only what the table
 * of `schema` names gets through.
 */
import type { Element, ElementContent, Root } from 'hast';
import { defaultSchema, type Schema, sanitize } from 'hast-util-sanitize';
import type {
  FootnoteDefinition,
  FootnoteReference,
  Root as MarkdownRoot,
  Nodes,
  Paragraph,
  RootContent,
} from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { type InlineMath, mathFromMarkdown } from 'mdast-util-math';
import { type State, toHast } from 'mdast-util-to-hast';
import { gfm } from 'micromark-extension-gfm';
import { math } from 'micromark-extension-math';

export interface Block {
  /** Where it ends in the text it was read from. Unit: UTF-16 units. */
  readonly end: number;
  readonly elements: readonly ElementContent[];
}

/** The blocks of a text (paragraphs, lists, tables …) in order; any text at all is Markdown. */
export function blocksOf(text: string): Block[] {
  const source = withDollars(text);
  const tree = fromMarkdown(source, {
    extensions: [gfm({ singleTilde: false }), math()],
    mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown()],
  });
  tidy(tree, source);
  const definitions = tree.children.filter(({ type }) => type === 'definition');
  return tree.children.map((child) => ({
    end: child.position?.end.offset ?? source.length,
    elements: elementsOf(child, definitions),
  }));
}

/** A link may be defined anywhere in a text: then its blocks cannot be read one by one. */
export function hasDefinitions(text: string): boolean {
  return /^ {0,3}\[[^\]\n]{1,200}\]:/m.test(text);
}

const schema: Schema = {
  ...defaultSchema,
  tagNames:
    'p br hr h1 h2 h3 h4 h5 h6 blockquote ul ol li pre code em strong del sup a input section table thead tbody tr th td'.split(
      ' ',
    ),
  attributes: {
    a: ['href', 'title'],
    code: [['className', /^language-[\w+#.-]{1,40}$/, 'math-inline', 'math-display']],
    ol: ['start'],
    input: [
      ['type', 'checkbox'],
      ['disabled', true],
      ['checked', true],
    ],
    th: [['align', 'left', 'center', 'right']],
    td: [['align', 'left', 'center', 'right']],
  },
  protocols: { href: ['http', 'https', 'mailto'] },
  strip: [],
  required: { input: { type: 'checkbox', disabled: true } },
};

function elementsOf(child: RootContent, definitions: readonly RootContent[]): ElementContent[] {
  const root: MarkdownRoot = {
    type: 'root',
    children: [...definitions, ...(child.type === 'footnoteDefinition' ? noteOf(child) : [child])],
  };
  const hast = toHast(root, {
    handlers: {
      html: (_state: State, node: { value: string }) => ({ type: 'text', value: node.value }),
      footnoteReference: (_state: State, { label, identifier }: FootnoteReference) => ({
        type: 'element',
        tagName: 'sup',
        properties: {},
        children: [{ type: 'text', value: label ?? identifier }],
      }),
      image: (_state: State, node: { url: string; alt?: string | null }) => linkTo(node.url, node.alt),
      imageReference: (_state: State, node: { label?: string | null; alt?: string | null }) => ({
        type: 'text',
        value: node.alt ?? node.label ?? '',
      }),
    },
  });
  const clean = sanitize(hast, schema) as Root | ElementContent;
  const found = clean.type === 'root' ? clean.children : [clean];
  return found.filter((node) => node.type === 'element' || node.type === 'text');
}

/** A footnote stays where it was written, behind its mark: blocks are read one by one, and none is the last of them. */
function noteOf({ identifier, label, children }: FootnoteDefinition): RootContent[] {
  const mark: FootnoteReference = { type: 'footnoteReference', identifier, label: label ?? identifier };
  const [first, ...rest] = children;
  if (first?.type !== 'paragraph') return [{ type: 'paragraph', children: [mark] }, ...children];
  return [{ ...first, children: [mark, { type: 'text', value: ' ' }, ...first.children] }, ...rest];
}

/** Nothing is fetched for a picture: who wants to see it presses the link. */
function linkTo(url: string, alt: string | null | undefined): Element {
  const label = alt === undefined || alt === null || alt === '' ? url : alt;
  return {
    type: 'element',
    tagName: 'a',
    properties: { href: url },
    children: [{ type: 'text', value: label }],
  };
}

/**
 * `\(x\)` and `\[x\]`, as many models write formulas, in the form that the parser reads, at the same length: places in the
 * text stay what they are. Code is left alone.
 */
function withDollars(text: string): string {
  if (!text.includes('\\(') && !text.includes('\\[')) return text;
  return text.replaceAll(
    /(^|\n)( {0,3})(`{3,}|~{3,})[^\n]*(?:\n[\s\S]*?(?:\n {0,3}\3[`~]*[ \t]*(?=\n|$)|$)|$)|(`+)(?:(?!\4)[\s\S])+?\4(?!`)|\\\\|\\\(([^\n]{1,2000}?)\\\)|\\\[([\s\S]{1,4000}?)\\\]/g,
    (whole: string, _start, _indent, _fence, _ticks, inline?: string, display?: string) => {
      const formula = inline ?? display;
      return formula === undefined ? whole : `$$${formula}$$`;
    },
  );
}

/** Dollars that are money, and formulas that have a line of their own. */
function tidy(node: Nodes, source: string): void {
  if (!('children' in node)) return;
  for (const [at, child] of node.children.entries()) {
    if (child.type === 'inlineMath' && isMoney(child, source)) {
      const value = source.slice(child.position?.start.offset, child.position?.end.offset);
      (node.children as Nodes[])[at] = { type: 'text', value };
    } else if (child.type === 'paragraph' && isDisplay(child, source)) {
      const [formula] = child.children;
      if (formula?.type === 'inlineMath') {
        const hChildren = [
          {
            type: 'element' as const,
            tagName: 'code',
            properties: { className: ['language-math', 'math-display'] },
            children: [{ type: 'text' as const, value: formula.value }],
          },
        ];
        (node.children as Nodes[])[at] = {
          type: 'math',
          value: formula.value,
          data: { hName: 'pre', hChildren },
        };
      }
    } else tidy(child, source);
  }
}

/** "$5 and $10": a formula begins and ends with a character, and no digit follows it. */
function isMoney({ value, position }: InlineMath, source: string): boolean {
  const start = position?.start.offset ?? 0;
  const end = position?.end.offset ?? 0;
  if (source.startsWith('$$', start)) return false;
  const written = source.slice(start + 1, end - 1);
  return (
    value === '' ||
    /^\s|\s$/.test(written) ||
    /\d/.test(source.charAt(end)) ||
    /\w/.test(source.charAt(start - 1))
  );
}

function isDisplay({ children, position }: Paragraph, source: string): boolean {
  return (
    children.length === 1 &&
    children[0]?.type === 'inlineMath' &&
    source.startsWith('$$', position?.start.offset)
  );
}
