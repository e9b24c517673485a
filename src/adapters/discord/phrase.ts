/** What stands within a line: emphasis, links, code, formulas, pictures, as Discord writes them. */
import type { Image, Link, PhrasingContent } from 'mdast';
import { addressLike, plainText } from '../../render/markdown/plain-text.ts';
import { bareAddress, encodeAddress, escapeText, harmless } from './escape.ts';

export interface PhrasePlace {
  readonly isLineStart: boolean;
  /** The mark that stands around it, if any. */
  readonly open?: Mark;
}

type Mark = '*' | '**' | '~~';

/** Marks that are open already, since written again they would close; and whether it is the label of a link. */
interface Around {
  readonly open: readonly Mark[];
  readonly inLabel: boolean;
}

/** Text, or code that nothing may change. */
type Piece = string | { readonly code: string };

interface Output {
  readonly pieces: Piece[];
  readonly isLineStart: boolean;
  /** The last piece closes emphasis: what opens some must not touch it. */
  isJustClosed: boolean;
}

export function phrase(nodes: readonly PhrasingContent[], { isLineStart, open }: PhrasePlace): string {
  const out: Output = { pieces: [], isLineStart, isJustClosed: false };
  addAll(nodes, { open: open === undefined ? [] : [open], inLabel: false }, out);
  // Joined first: what mentions somebody may be put together from several nodes.
  const runs = out.pieces.reduce<Piece[]>((all, piece) => {
    const last = all.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') all[all.length - 1] = last + piece;
    else all.push(piece);
    return all;
  }, []);
  return runs.map((run) => (typeof run === 'string' ? harmless(run) : run.code)).join('');
}

function addAll(nodes: readonly PhrasingContent[], around: Around, out: Output): void {
  for (const node of nodes) add(node, around, out);
}

function add(node: PhrasingContent, around: Around, out: Output): void {
  switch (node.type) {
    case 'text':
      return addText(node.value, around, out);
    case 'maths':
      return put(out, escapeText(node.value, around.inLabel ? 'label' : 'maths', isAtLineStart(out)));
    case 'inlineCode':
      return addCode(node.value, around, out);
    case 'break':
      return put(out, around.inLabel ? ' ' : '\n');
    case 'emphasis':
      return addMarked('*', node.children, around, out);
    case 'strong':
      return addMarked('**', node.children, around, out);
    case 'delete':
      return addMarked('~~', node.children, around, out);
    case 'link':
      return addLink(node, around, out);
    case 'image':
      return addPicture(node, around, out);
    default:
      // The dialect has no other kinds; were there one, its words stay.
      return addText(plainText([node]), around, out);
  }
}

function put(out: Output, piece: Piece): void {
  if (piece === '') return;
  out.pieces.push(piece);
  out.isJustClosed = false;
}

function isAtLineStart({ pieces, isLineStart }: Output): boolean {
  const last = pieces.at(-1);
  return last === undefined ? isLineStart : typeof last === 'string' && last.endsWith('\n');
}

function addText(text: string, { inLabel }: Around, out: Output): void {
  put(
    out,
    escapeText(inLabel ? text.replaceAll('\n', ' ') : text, inLabel ? 'label' : 'text', isAtLineStart(out)),
  );
}

function addMarked(mark: Mark, children: readonly PhrasingContent[], around: Around, out: Output): void {
  if (around.open.includes(mark)) return addAll(children, around, out);
  if (out.isJustClosed) put(out, '\u200b');
  put(out, mark);
  addAll(children, { ...around, open: [...around.open, mark] }, out);
  put(out, mark);
  out.isJustClosed = true;
}

/** One backtick around it, or two where it has single ones. Where it has both, its pairs are parted: three begin a block. */
function addCode(code: string, around: Around, out: Output): void {
  if (around.inLabel && /[[\]]/.test(code)) return addText(code, around, out);
  const runs = new Set([...code.matchAll(/`+/g)].map(([run]) => run.length));
  const hasBoth = runs.has(1) && runs.size > 1;
  const shown = hasBoth || /`{3}/.test(code) ? code.replaceAll(/`(?=`)/g, '`\u200b') : code;
  const fence = /(?<!`)`(?!`)/.test(shown) ? '``' : '`';
  const pad = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  if (typeof out.pieces.at(-1) === 'object') put(out, '\u200b');
  put(out, { code: fence + pad + shown + pad + fence });
}

function addLink({ url, children }: Pick<Link, 'url' | 'children'>, around: Around, out: Output): void {
  const label = plainText(children);
  if (/^mailto:/i.test(url)) {
    const [address = ''] = url.slice('mailto:'.length).split('?');
    return addBeside(children, label === address || label === url ? '' : address, around, out);
  }
  // "javascript:", paths and the like lead nowhere.
  if (!/^https?:\/\/./i.test(url)) return addBeside(children, label === url ? '' : url, around, out);
  if (around.inLabel) return addAll(children, around, out);
  const target = `<${encodeAddress(url)}>`;
  if (label === '' || label === url || `http://${label}` === url)
    return put(out, label === '' ? target : bareAddress(url));
  if (addressLike.test(label)) {
    addAll(children, { ...around, inLabel: true }, out);
    return put(out, ` (${target})`);
  }
  put(out, '[');
  addAll(children, { ...around, inLabel: true }, out);
  put(out, `](${closedIn(target)})`);
}

/** The label, and in parentheses where it leads, as text. */
function addBeside(children: readonly PhrasingContent[], target: string, around: Around, out: Output): void {
  addAll(children, around, out);
  if (target !== '') put(out, ` (${escapeText(target, 'maths', false)})`);
}

/** Discord shows no picture from elsewhere within a text: it becomes a link. */
function addPicture({ url, alt }: Image, around: Around, out: Output): void {
  const children = alt ? [{ type: 'text' as const, value: alt }] : [];
  if (around.inLabel) return addAll(children, around, out);
  addLink({ url, children }, around, out);
}

/** A parenthesis without its other half would end the link. */
function closedIn(target: string): string {
  const rest = target.replaceAll(/\([^()]*\)/g, '');
  return /[()]/.test(rest) ? target.replaceAll('(', '%28').replaceAll(')', '%29') : target;
}
