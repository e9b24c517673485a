/** What a part of a tree says without its markup, and what a link says of where it leads. */
import type { PhrasingContent } from 'mdast';

/** In one line. */
export function plainText(nodes: readonly PhrasingContent[]): string {
  return nodes.map(plain).join('').replaceAll(/\s+/g, ' ').trim();
}

function plain(node: PhrasingContent): string {
  if ('value' in node) return node.value;
  if ('children' in node) return node.children.map(plain).join('');
  if (node.type === 'image') return node.alt ?? '';
  return node.type === 'break' ? ' ' : '';
}

/** A label that reads like the address of another page. */
export const addressLike =
  /:\/\/|^www\.|^[\w-]+(?:\.[\w-]+)*\.(?:app|com|de|dev|edu|gov|io|net|org)(?:[/:?#]|$)/i;
