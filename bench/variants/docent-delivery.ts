/**
 * Answers from their pieces to a surface that keeps what it is told: live messages, rate budgets, ledger. Items: answers.
 */
import { LiveMessage } from '../../src/delivery/live-message.ts';
import { localRateBudgets } from '../../src/delivery/local-rate-budgets.ts';
import { GrowingText } from '../../src/domain/growing-text.ts';
import { ConversationId, TurnId } from '../../src/domain/ids.ts';
import { systemClock } from '../../src/observe/clock.ts';
import type { NamedBudget } from '../../src/ports/rate-budget.ts';
import type { Surface } from '../../src/ports/surface.ts';
import { memoryConversations } from '../../src/store/memory.ts';
import { showAll } from '../support/paced-pieces.ts';
import type { Prepare } from '../support/pairs.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export const prepare: Prepare = () => {
  const store = memoryConversations(systemClock);
  const budgets = localRateBudgets(systemClock);
  let places = 0;

  return () =>
    showAll(async (written) => {
      const place = `place-${(places += 1)}`;
      let shown = '';
      const message = new LiveMessage({
        surface: surfaceAt(place, (now) => {
          shown = now;
        }),
        budgets,
        ledger: store.ledger(ConversationId(place), TurnId('turn')),
        slot: 'answer:1',
        key: `${place}:turn:answer:1`,
        clock: systemClock,
        log: silent,
        signal: new AbortController().signal,
      });
      const answer = new GrowingText();
      const draft = () => ({ kind: 'answer', state: 'live', text: answer.toString() }) as const;
      for await (const pieces of written) {
        for (const piece of pieces) {
          answer.append(piece);
          message.grow(draft);
        }
      }
      message.set({ ...draft(), state: 'final' });
      await message.settle();
      return shown;
    });
};

/** A channel of its own for each answer, limited as in Discord. */
function surfaceAt(place: string, show: (text: string) => void): Surface {
  const ref = { surface: 'bench', place, id: '1' };
  const budget = (route: string): NamedBudget => ({
    name: { surface: 'bench', route, scope: place },
    rule: { calls: 5, perMs: 5_000 },
  });
  return {
    limits: { maxChars: 4_000 },
    budgets: { post: budget('post'), edit: budget('edit'), remove: budget('remove') },
    find: async () => undefined,
    async post(message) {
      show(message.text);
      return { ref };
    },
    async edit(_, message) {
      show(message.text);
      return {};
    },
    remove: async () => ({}),
  };
}
