/** The web page as a surface: messages go to the board, and every page that is open sees them there. */
import type { Board } from '../../ports/board.ts';
import type { NamedBudget } from '../../ports/rate-budget.ts';
import type { Surface } from '../../ports/surface.ts';
import { conversationIn, surfaceName } from './names.ts';

/** A page shows a text of any length; this only ends what could not be meant. Unit: characters. */
const maxChars = 1_000_000;
/** The board has no limit; this is what it would be counted against. */
const rule = { calls: 20, perMs: 1_000 };

export function webSurface(board: Board): (place: string) => Surface {
  return (place) => {
    const conversation = conversationIn(place);
    const budget = (route: string): NamedBudget => ({
      name: { surface: surfaceName, route, scope: place },
      rule,
    });
    return {
      limits: { maxChars, folds: true },
      budgets: { post: budget('post'), edit: budget('edit'), remove: budget('remove') },
      // The key is the id: a post that is repeated meets its own message.
      async post(message, key) {
        await board.put(conversation, key, message);
        return { ref: { surface: surfaceName, place, id: key } };
      },
      async find(key) {
        const found = await board.get(conversation, key);
        return found && { surface: surfaceName, place, id: key };
      },
      async edit(ref, message) {
        await board.put(conversation, ref.id, message);
        return {};
      },
      async remove(ref) {
        await board.remove(conversation, ref.id);
        return {};
      },
    };
  };
}
