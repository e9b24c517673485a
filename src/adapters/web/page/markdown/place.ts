/**
 * Brings what stands on the page in line with element trees. What looks the same stays (what somebody has marked in it
 * stays marked), and of a list or table that has grown only the new end is built.
 */
import type { ElementContent } from 'hast';
import { type Made, made } from './to-dom.ts';

interface Placed extends Made {
  readonly shows: ElementContent;
  /** Its children stand in it as well. */
  readonly isWhole: boolean;
}

const placed = new WeakMap<Node, Placed>();

/** Makes the child at `at` show the tree, at most one behind the last one. `pause` is waited for behind each node. */
export async function place(
  parent: Element,
  at: number,
  tree: ElementContent,
  pause: () => Promise<void>,
): Promise<void> {
  const old = parent.childNodes[at];
  const known = old && placed.get(old);
  if (known?.isWhole === true && isSame(known.shows, tree)) return;
  const { node, inside }: Made = known?.inside && isAlike(known.shows, tree) ? known : made(tree);
  if (old === undefined) parent.append(node);
  else if (old !== node) old.replaceWith(node);
  const now = { node, ...(inside && { inside }), shows: tree };
  if (inside !== undefined && tree.type === 'element') {
    placed.set(node, { ...now, isWhole: false });
    for (const [index, child] of tree.children.entries()) await place(inside, index, child, pause);
    cutTo(inside, tree.children.length);
  }
  placed.set(node, { ...now, isWhole: true });
  await pause();
}

/** Takes away what stands behind the first `count` children. */
export function cutTo(parent: Element, count: number): void {
  while (parent.childNodes.length > count) parent.lastChild?.remove();
}

/** Whether two trees differ at most in their children. */
function isAlike(a: ElementContent, b: ElementContent): boolean {
  return (
    a.type === 'element' &&
    b.type === 'element' &&
    a.tagName === b.tagName &&
    JSON.stringify(a.properties) === JSON.stringify(b.properties)
  );
}

function isSame(a: ElementContent, b: ElementContent): boolean {
  if (a.type === 'text' && b.type === 'text') return a.value === b.value;
  if (a.type !== 'element' || b.type !== 'element' || !isAlike(a, b)) return false;
  return (
    a.children.length === b.children.length &&
    a.children.every((child, at) => {
      const other = b.children[at];
      return other !== undefined && isSame(child, other);
    })
  );
}
