/** The last attempt at a conversation failed before its turn had begun: people are told once, and it is let go. */
import { type ConversationId, TurnId } from '../domain/ids.ts';
import { wordsFor } from '../render/notices.ts';
import { ClaimedTurn } from './claimed-turn.ts';
import { hasText } from './resume.ts';
import type { TurnServices } from './services.ts';

/** `more`: something else waits that wants a turn. An open turn is left alone: its own counter gives it up. */
export async function giveUp(services: TurnServices, conversation: ConversationId): Promise<'more' | 'idle'> {
  const claim = await services.conversations.claim(conversation);
  const claimed = new ClaimedTurn(services, conversation, claim, new AbortController().signal);
  if (claimed.startRecord !== undefined) return 'idle';
  const item = claim.opening.find(hasText);
  claim.accept(claim.opening);
  if (item !== undefined) {
    const { address, author: asker } = item;
    const { failed, tryAgain } = wordsFor(address.locale);
    const turn = { id: TurnId(`failed-${item.id}`), address, asker, isScheduled: false };
    try {
      await claimed.screen(turn).tell('failed', `✗ ${failed} ${tryAgain}`);
    } catch (error) {
      services.logFor({ conversation }).error({ error }, 'nobody could be told that a message was given up');
    }
  }
  return claim.commit();
}
