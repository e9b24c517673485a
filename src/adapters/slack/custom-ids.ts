/**
 * What buttons, menus and forms send back. `action_id` names what is wanted, and is unique in its message; `value` says of
 * which message or question. It is no secret and proves nothing: who may do it is judged from what is stored.
 */
import { z } from 'zod';
import { type CallId, ConversationId, TurnId } from '../../domain/ids.ts';
import { type AnswerHandle, answerActions } from '../../gateway/answer-press.ts';
import { callMark } from '../../gateway/call-mark.ts';

/** 👍 and 👎 are one element with one action; its value tells which. */
export const voteAction = 'vote';

/** `choose`: an option, or one of a menu (`option` is absent). `open_form` · `submit_form` · `ask_anyway` closes it. */
const cardActions = ['choose', 'open_form', 'submit_form', 'ask_anyway'] as const;
export type CardAction = (typeof cardActions)[number];

export interface CardHandle {
  readonly action: CardAction;
  readonly conversation: ConversationId;
  /** Stands for the call: see `isOfCall`. */
  readonly call: string;
  /** Its position among the options. */
  readonly option?: number;
}

/** In the App Home: what ends or begins there. */
const homeActions = ['home_stop', 'home_new'] as const;
export type HomeAction = (typeof homeActions)[number];

export interface HomeHandle {
  readonly action: HomeAction;
  readonly conversation: ConversationId;
}

/** `callback_id` of each form; its `private_metadata` is a handle, of `control` what is pressed and where. */
export const forms = { card: 'ask_form', reason: 'why_form', control: 'press_form' } as const;

const conversation = z
  .string()
  .regex(/^slack:[A-Z0-9]+:[A-Z0-9]+(?::\d+\.\d+)?$/)
  .transform(ConversationId);
const buttonForm = z.tuple([
  z.enum(answerActions),
  conversation,
  z.string().min(1).transform(TurnId),
  z.string().min(1),
]);
const cardForm = z.union([
  z.tuple([z.enum(cardActions), conversation, z.string().regex(/^[\w-]{16}$/)]),
  z.tuple([z.enum(cardActions), conversation, z.string().regex(/^[\w-]{16}$/), z.int().min(0).max(7)]),
]);
const homeForm = z.tuple([z.enum(homeActions), conversation]);

/** A few hundred of the 2,000 characters that Slack takes. */
export function buttonId({ action, conversation: where, turn, slot }: AnswerHandle): string {
  return JSON.stringify([action, where, turn, slot]);
}

/** Undefined when it is none of these buttons. */
export function readButtonId(value: string): AnswerHandle | undefined {
  const found = buttonForm.safeParse(jsonIn(value)).data;
  if (found === undefined) return undefined;
  const [action, where, turn, slot] = found;
  return { action, conversation: where, turn, slot };
}

export function cardHandle(
  action: CardAction,
  where: ConversationId,
  callId: CallId,
  option?: number,
): string {
  return JSON.stringify([action, where, callMark(callId), ...(option === undefined ? [] : [option])]);
}

/** Undefined when it is not a handle of a question. */
export function readCardHandle(value: string): CardHandle | undefined {
  const found = cardForm.safeParse(jsonIn(value)).data;
  if (found === undefined) return undefined;
  const [action, where, call, option] = found;
  return { action, conversation: where, call, ...(option !== undefined && { option }) };
}

/** False for a button of an older question. */
export function isOfCall({ call }: CardHandle, callId: CallId): boolean {
  return call === callMark(callId);
}

export function homeHandle(action: HomeAction, where: ConversationId): string {
  return JSON.stringify([action, where]);
}

export function readHomeHandle(value: string): HomeHandle | undefined {
  const found = homeForm.safeParse(jsonIn(value)).data;
  return found && { action: found[0], conversation: found[1] };
}

function jsonIn(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined; // not one of ours
  }
}
