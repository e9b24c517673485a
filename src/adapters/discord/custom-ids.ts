/** What a button sends back. At most 100 characters; an id of Discord has 20, so a conversation fits. */
import { ConversationId } from '../../domain/ids.ts';

const stop = 'stop:';

export function stopId(conversation: ConversationId): string {
  return `${stop}${conversation}`;
}

/** The conversation whose turn is to stop; undefined for any other button. */
export function stoppedBy(customId: string): ConversationId | undefined {
  return customId.startsWith(stop) ? ConversationId(customId.slice(stop.length)) : undefined;
}
