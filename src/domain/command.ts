/** What people ask of the bot itself, on any platform: answered at once, to whoever asked alone. */
import type { SurfaceAddress } from './address.ts';
import type { ConversationId, UserId } from './ids.ts';
import type { ChangedChoices } from './person.ts';

export type Command =
  | { readonly name: 'help' | 'reminders' | 'memory list' | 'unlink' }
  /** Counted from 1, as the list shows them. */
  | { readonly name: 'memory forget'; readonly number: number }
  /** What else is pressed. `rest`: what to change it to, or how long to snooze it. `move`: all that go by another clock. */
  | {
      readonly name: 'reminders do';
      readonly action: TypedAction;
      readonly id: string;
      readonly rest: string;
    }
  /** `when` as people write it. */
  | { readonly name: 'remind'; readonly when: string; readonly what: string }
  /** Nothing changed: it is only shown. */
  | { readonly name: 'settings'; readonly change: ChangedChoices }
  /** With a code of another account, or for a new code. */
  | { readonly name: 'link'; readonly code: string | undefined };

export const typedActions = [
  'change',
  'cancel',
  'done',
  'snooze',
  'stop',
  'pause',
  'resume',
  'run',
  'move',
] as const;
export type TypedAction = (typeof typedActions)[number];

/** Everything people can call by name: what is said in the conversation, too. */
export type CommandName =
  | Exclude<Command['name'], 'reminders do'>
  | 'ask'
  | 'next'
  | 'stop'
  | 'new'
  | 'explain';

export interface CommandBy {
  readonly person: UserId;
  /** Names this use of the command for ever. */
  readonly key: string;
  readonly conversation: ConversationId;
  /** Where it was used; a reminder is delivered there. */
  readonly address: SurfaceAddress;
}

/** How a platform writes what an answer is made of. */
export interface Dialect {
  /** Longest answer. Unit: UTF-16 code units. */
  readonly maxChars: number;
  /** A command as people have to write it. */
  command(name: CommandName): string;
  /** An instant in words: by the clock of a zone (IANA), where the platform does not know that of each reader. */
  time(at: number, zone?: string): string;
  /** Somebody's words, harmless. */
  text(words: string): string;
}
