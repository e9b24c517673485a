/**
 * What a button below an answer or a trace sends back: what is wanted, and of which message of which turn. It is no secret
 * and proves nothing: who may do it is judged from the journal. At most 100 characters.
 */
import { ConversationId, TurnId } from '../../domain/ids.ts';
import type { MessageHandle } from '../../domain/surface-message.ts';

/**
 * `why` opens the form of a bad vote, `reason` is that form. `changed` answers a question as it reads now: its slot is the
 * message of the person.
 */
const actions = ['stop', 'again', 'changed', 'up', 'down', 'why', 'reason', 'remove', 'thinking'] as const;
export type ButtonAction = (typeof actions)[number];

export interface ButtonHandle extends MessageHandle {
  readonly action: ButtonAction;
  readonly conversation: ConversationId;
}

const surface = 'discord:';

export function buttonId({ action, conversation, turn, slot }: ButtonHandle): string {
  return [action, conversation.slice(surface.length), turn, slot].join('/');
}

/** Undefined when it is none of these buttons. */
export function readButtonId(customId: string): ButtonHandle | undefined {
  const [name, place = '', turn = '', slot = '', ...rest] = customId.split('/');
  const action = actions.find((each) => each === name);
  if (action === undefined || !/^\d{1,20}$/.test(place) || turn === '' || slot === '' || rest.length > 0)
    return undefined;
  return { action, conversation: ConversationId(surface + place), turn: TurnId(turn), slot };
}
