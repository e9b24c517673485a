/** Element trees → elements of the page. Code is coloured, formulas are set, and only known attributes are written. */
import type { ElementContent } from 'hast';
import { copyText } from '../copy-text.ts';
import { formula } from './formula.ts';
import { coloured } from './highlight.ts';

const tags: ReadonlySet<string> = new Set(
  'p br hr h1 h2 h3 h4 h5 h6 blockquote ul ol li pre code em strong del sup a input section table thead tbody tr th td span'.split(
    ' ',
  ),
);

/** A node of the page, and where its children belong; absent where it is complete. */
export interface Made {
  readonly node: ChildNode;
  readonly inside?: Element;
}

export function toDom(tree: ElementContent): ChildNode {
  const { node, inside } = made(tree);
  if (tree.type === 'element') inside?.append(...tree.children.map(toDom));
  return node;
}

/** What stands for one node of the tree, without its children. */
export function made(tree: ElementContent): Made {
  if (tree.type === 'text') return { node: document.createTextNode(tree.value) };
  if (tree.type !== 'element' || !tags.has(tree.tagName)) return { node: document.createTextNode('') };
  const { tagName, properties, children } = tree;
  const [code] = children;
  if (tagName === 'pre' && code?.type === 'element')
    return { node: codeBlock(code, classesOf(code.properties['className'])) };
  if (tagName === 'code' && classesOf(properties['className']).includes('math-inline'))
    return { node: formula(textIn(tree), false) };
  const node = document.createElement(tagName);
  const open = { node, inside: node };
  switch (tagName) {
    case 'a':
      return link(node as HTMLAnchorElement, properties['href']);
    case 'span':
      node.className = classesOf(properties['className']).join(' ');
      return open;
    case 'ol':
      if (typeof properties['start'] === 'number') (node as HTMLOListElement).start = properties['start'];
      return open;
    case 'th':
    case 'td':
      if (typeof properties['align'] === 'string') node.className = `to-${properties['align']}`;
      return open;
    case 'input': {
      const box = node as HTMLInputElement;
      box.type = 'checkbox';
      box.disabled = true;
      box.checked = properties['checked'] === true;
      return { node: box };
    }
    case 'table': {
      // Wide tables move by themselves, not the page.
      const frame = document.createElement('div');
      frame.className = 'table';
      frame.tabIndex = 0;
      frame.setAttribute('role', 'region');
      frame.setAttribute('aria-label', 'Table');
      frame.append(node);
      return { node: frame, inside: node };
    }
    default:
      return open;
  }
}

function codeBlock(code: ElementContent, classes: readonly string[]): ChildNode {
  const text = textIn(code).replace(/\n$/, '');
  if (classes.includes('math-display')) return formula(text, true);
  const language = classes.find((name) => name.startsWith('language-'))?.slice('language-'.length) ?? '';
  const frame = document.createElement('div');
  frame.className = 'code';
  const bar = document.createElement('div');
  bar.className = 'code-bar';
  const name = document.createElement('span');
  name.textContent = language;
  const copy = document.createElement('button');
  copy.type = 'button';
  copy.className = 'quiet';
  copy.textContent = 'Copy';
  copy.setAttribute('aria-label', 'Copy code');
  copy.addEventListener('click', () => {
    void copyText(text).then((isCopied) => (copy.textContent = isCopied ? 'Copied' : 'Not allowed'));
  });
  bar.append(name, copy);
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  const inner = document.createElement('code');
  inner.append(...coloured(text, language).map(toDom));
  pre.append(inner);
  frame.append(bar, pre);
  return frame;
}

/** Only what leads to another page; anything else is its text. */
function link(anchor: HTMLAnchorElement, href: unknown): Made {
  if (typeof href === 'string' && /^(?:https?:\/\/|mailto:)/i.test(href)) {
    anchor.href = href;
    anchor.target = '_blank';
    anchor.rel = 'noopener noreferrer nofollow';
    return { node: anchor, inside: anchor };
  }
  const text = document.createElement('span');
  return { node: text, inside: text };
}

function textIn(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? node.children.map(textIn).join('') : '';
}

function classesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
