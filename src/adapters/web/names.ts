/** Ids of the web page. A conversation's is made by the page and not to be guessed: who knows it may read and write there. */
import { ConversationId, UserId } from '../../domain/ids.ts';

export const surfaceName = 'web';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** `place` is a UUID. */
export function conversationIn(place: string): ConversationId {
  return ConversationId(`${surfaceName}:${place}`);
}

export function placeOf(conversation: ConversationId): string {
  return conversation.slice(surfaceName.length + 1);
}

export function personNamed(id: string): UserId {
  return UserId(`${surfaceName}:${id}`);
}
