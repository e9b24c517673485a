import type { CallId } from './ids.ts';

/** What a model may see. The journal is folded into these; `src/model` turns them into a provider's own form. */
export type ModelMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

export interface SystemMessage {
  readonly role: 'system';
  readonly content: string;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: UserContent;
  readonly source: UserSource;
}

export type UserContent = string | readonly ContentPart[];
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  /** `url` is an http(s) or data: address, or that of a stored picture (`blob:<media type>;<hash>`). */
  | { readonly type: 'image'; readonly url: string };

/**
 * Who speaks in a user-role message: a person, or the loop itself. Loop notes are told apart so that they can be left
 * out of a person's transcript. `repair:<kind>` names the broken rule.
 */
export type UserSource =
  | 'person'
  | 'steer'
  | 'inject'
  | 'scene'
  | 'settle'
  | 'final'
  | 'stuck'
  | 'continue'
  | 'nudge'
  | 'resume'
  | 'feedback'
  | `repair:${string}`;

export interface AssistantMessage {
  readonly role: 'assistant';
  /** As the model wrote it, label and think blocks included; calls written as markup are taken out. */
  readonly content: string;
  readonly calls: readonly ToolCall[];
  /** Text of the separate reasoning field; replayed only to the model that wrote it. */
  readonly reasoning?: { readonly text: string; readonly model: string };
}

export interface ToolMessage {
  readonly role: 'tool';
  readonly callId: CallId;
  readonly name: string;
  readonly content: string;
  readonly status: ResultStatus;
}

export interface ToolCall {
  readonly id: CallId;
  readonly name: string;
  /** Raw text of the arguments as the model wrote it: not parsed, not repaired. */
  readonly args: string;
}

/** How a call was answered. Meanings: `docs/architecture.md`, "Results of a call". */
export type ResultStatus =
  | 'ok'
  | 'answered'
  | 'duplicate'
  | 'error'
  | 'unknown_tool'
  | 'bad_args'
  | 'denied'
  | 'overflow'
  | 'skipped'
  | 'truncated'
  | 'aborted'
  | 'no_reply'
  | 'superseded'
  | 'not_started'
  | 'outcome_unknown';

/** The text parts of a content joined by line breaks; pictures are left out. */
export function textOf(content: UserContent): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
