/**
 * What a button, menu or form of a question sends back (`custom_id`): which conversation, which call, which option. It is no
 * secret and proves nothing: whether the question is open and this person may answer is judged where the answer is stored.
 */
import { type CallId, ConversationId } from '../../domain/ids.ts';
import { callMark } from '../../gateway/call-mark.ts';

/** `choose`: an option, or one of a menu (`option` is absent). `open_form` · `submit_form` · `ask_anyway` closes it. */
export interface CardHandle {
  readonly action: (typeof actions)[number];
  readonly conversation: ConversationId;
  /** Stands for the call, whose id may be longer than a handle: see `isOfCall`. */
  readonly call: string;
  /** Its position among the options. */
  readonly option?: number;
}

const actions = ['choose', 'open_form', 'submit_form', 'ask_anyway'] as const;
const surface = 'discord:';

/** At most 50 characters of the 100 that Discord takes. */
export function cardHandle(
  action: CardHandle['action'],
  conversation: ConversationId,
  callId: CallId,
  option?: number,
): string {
  const place = conversation.slice(surface.length);
  const parts = ['ask', action.charAt(0), place, callMark(callId), ...(option === undefined ? [] : [option])];
  return parts.join(':');
}

/** Undefined when it is not a handle of a question. */
export function readCardHandle(customId: string): CardHandle | undefined {
  const found = /^ask:([acos]):(\d{1,20}):([\w-]{16})(?::([0-7]))?$/.exec(customId);
  const action = actions.find((each) => each.startsWith(found?.[1] ?? '-'));
  if (found === null || action === undefined) return undefined;
  const [, , place = '', call = '', option] = found;
  return {
    action,
    conversation: ConversationId(surface + place),
    call,
    ...(option !== undefined && { option: Number(option) }),
  };
}

/** False for a button of an older question. */
export function isOfCall({ call }: CardHandle, callId: CallId): boolean {
  return call === callMark(callId);
}
