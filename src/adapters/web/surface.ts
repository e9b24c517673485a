/** The web page as a surface: messages go to the board, and every page that is open sees them there. */
import type { ConversationId } from '../../domain/ids.ts';
import type { Board } from '../../ports/board.ts';
import type { Surface } from '../../ports/surface.ts';
import { conversationIn, surfaceName } from './names.ts';

/** A page shows a text of any length; this only ends what could not be meant. Unit: characters. */
const maxChars = 1_000_000;
/** The board is on the way to nobody's rate limit: this is what the eye can tell apart. Unit: milliseconds. */
const minEditGapMs = 60;

export function webSurface(board: Board): (place: string) => Surface {
  return (place) => {
    const conversation: ConversationId = conversationIn(place);
    return {
      limits: { maxChars, minEditGapMs, folds: true },
      // The key is the id: a post that is repeated meets its own message.
      async post(message, key) {
        await board.put(conversation, key, message);
        return { surface: surfaceName, place, id: key };
      },
      async find(key) {
        return (await board.has(conversation, key)) ? { surface: surfaceName, place, id: key } : undefined;
      },
      async edit(ref, message) {
        await board.put(conversation, ref.id, message);
      },
    };
  };
}
