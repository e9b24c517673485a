/** Who says what: told to the model as soon as more than one person speaks in a conversation. */
import type { UserId } from '../domain/ids.ts';
import type { ModelMessage, UserContent, UserMessage } from '../domain/message.ts';

/** Unit: code points. */
const maxNameChars = 32;
const nameless = 'somebody';

export class Speakers {
  /** As each is called here; two people never share a name. */
  private readonly names = new Map<UserId, string>();
  private readonly said = new WeakMap<UserMessage, UserId>();
  private readonly named = new WeakMap<UserMessage, UserMessage>();

  heard(message: UserMessage, author: UserId, name: string): void {
    this.said.set(message, author);
    if (this.names.has(author)) return;
    const own = harmlessName(name);
    const taken = new Set(this.names.values());
    let free = own;
    for (let number = 2; taken.has(free); number += 1) free = `${own} ${number}`;
    this.names.set(author, free);
  }

  /** What is said so far counts no more. */
  forget(): void {
    this.names.clear();
  }

  /** The same message while one person speaks; the same object each time. */
  show(message: ModelMessage): ModelMessage {
    if (this.names.size < 2 || message.role !== 'user') return message;
    const author = this.said.get(message);
    const name = author === undefined ? undefined : this.names.get(author);
    if (name === undefined) return message;
    const shown = this.named.get(message) ?? { ...message, content: saidBy(name, message.content) };
    this.named.set(message, shown);
    return shown;
  }
}

/** Of one line, and without what could end the mark that it stands in or pretend to be one. */
function harmlessName(name: string): string {
  const kept = name.normalize('NFKC').replaceAll(/[^\p{L}\p{M}\p{N} ._'-]+/gu, ' ');
  const short = Array.from(kept.trim().replaceAll(/\s+/g, ' ')).slice(0, maxNameChars).join('').trim();
  return short === '' ? nameless : short;
}

function saidBy(name: string, content: UserContent): UserContent {
  const mark = `[${name} says:]`;
  return typeof content === 'string' ? `${mark}\n${content}` : [{ type: 'text', text: mark }, ...content];
}
