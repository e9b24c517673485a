/** An item of the inbox as text: a line by which scripts know it, then the item as JSON. */
import type { InboxItem } from '../../domain/inbound.ts';

/** Unique in its inbox. Begins with the kind; an id may hold anything, so it is written as JSON. */
export function lineOf({ kind, id }: Pick<InboxItem, 'kind' | 'id'>): string {
  return `${kind}|${JSON.stringify(id)}`;
}

export function writeItem(item: InboxItem): string {
  return `${lineOf(item)}\n${JSON.stringify(item)}`;
}

export function readItem(entry: string): InboxItem {
  return JSON.parse(entry.slice(entry.indexOf('\n') + 1)) as InboxItem;
}
