/** What is remembered about a person, over all conversations. Plain data. */
import type { MessageRef } from './address.ts';
import type { ConversationId } from './ids.ts';

export const memoryKinds = ['preference', 'goal', 'fact', 'constraint'] as const;
export const memoryScopes = ['me', 'course'] as const;

export interface MemoryDraft {
  /** One line. */
  readonly text: string;
  readonly kind: (typeof memoryKinds)[number];
  /** `me`: about the person as such. `course`: about what they are studying. Both are the person's alone. */
  readonly scope: (typeof memoryScopes)[number];
  /** Where the person said it. */
  readonly evidence: {
    readonly conversation: ConversationId;
    /** Absent where a surface has no messages to point at. */
    readonly message?: MessageRef;
  };
}

export interface Memory extends MemoryDraft {
  readonly id: string;
  /** When it was first written, and last changed. Unit: milliseconds since 1970. */
  readonly createdAt: number;
  readonly changedAt: number;
}

/** Unit: characters (UTF-16). */
export const maxMemoryChars = 240;
/** More than this is not kept for one person. */
export const maxMemories = 200;

/** Whether two memories say the same: case and spaces do not count. */
export function haveSameWords(one: string, other: string): boolean {
  return plainWords(one) === plainWords(other);
}

function plainWords(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
}
