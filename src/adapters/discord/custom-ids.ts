/**
 * What a button below an answer or a trace sends back: what is wanted, and of which message of which turn. It is no secret
 * and proves nothing: who may do it is judged from the journal. At most 100 characters.
 */
import { ConversationId, TurnId } from '../../domain/ids.ts';
import { type AnswerHandle, answerActions } from '../../gateway/answer-press.ts';

const surface = 'discord:';

export function buttonId({ action, conversation, turn, slot }: AnswerHandle): string {
  return [action, conversation.slice(surface.length), turn, slot].join('/');
}

/** Undefined when it is none of these buttons. */
export function readButtonId(customId: string): AnswerHandle | undefined {
  const [name, place = '', turn = '', slot = '', ...rest] = customId.split('/');
  const action = answerActions.find((each) => each === name);
  if (action === undefined || !/^\d{1,20}$/.test(place) || turn === '' || slot === '' || rest.length > 0)
    return undefined;
  return { action, conversation: ConversationId(surface + place), turn: TurnId(turn), slot };
}
