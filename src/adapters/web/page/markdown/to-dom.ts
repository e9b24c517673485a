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

export function toDom(node: ElementContent): Node {
  if (node.type === 'text') return document.createTextNode(node.value);
  if (node.type !== 'element' || !tags.has(node.tagName)) return document.createTextNode('');
  const { tagName, properties, children } = node;
  const [code] = children;
  if (tagName === 'pre' && code?.type === 'element')
    return codeBlock(code, classesOf(code.properties['className']));
  if (tagName === 'code') {
    const classes = classesOf(properties['className']);
    if (classes.includes('math-inline')) return formula(textIn(node), false);
  }
  const made = document.createElement(tagName);
  made.append(...children.map(toDom));
  switch (tagName) {
    case 'a':
      return link(made as HTMLAnchorElement, properties['href']);
    case 'span':
      made.className = classesOf(properties['className']).join(' ');
      return made;
    case 'ol':
      if (typeof properties['start'] === 'number') (made as HTMLOListElement).start = properties['start'];
      return made;
    case 'th':
    case 'td':
      if (typeof properties['align'] === 'string') made.className = `to-${properties['align']}`;
      return made;
    case 'input': {
      const box = made as HTMLInputElement;
      box.type = 'checkbox';
      box.disabled = true;
      box.checked = properties['checked'] === true;
      return box;
    }
    case 'table': {
      // Wide tables move by themselves, not the page.
      const frame = document.createElement('div');
      frame.className = 'table';
      frame.tabIndex = 0;
      frame.setAttribute('role', 'region');
      frame.setAttribute('aria-label', 'Table');
      frame.append(made);
      return frame;
    }
    default:
      return made;
  }
}

function codeBlock(code: ElementContent, classes: readonly string[]): Node {
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
function link(made: HTMLAnchorElement, href: unknown): Node {
  if (typeof href === 'string' && /^(?:https?:\/\/|mailto:)/i.test(href)) {
    made.href = href;
    made.target = '_blank';
    made.rel = 'noopener noreferrer nofollow';
    return made;
  }
  const text = document.createElement('span');
  text.append(...made.childNodes);
  return text;
}

function textIn(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? node.children.map(textIn).join('') : '';
}

function classesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
