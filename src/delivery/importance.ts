/** What a write of a message is for, told from the message. Pure. */
import type { SurfaceMessage } from '../domain/surface-message.ts';
import type { Importance } from '../ports/rate-budget.ts';

/**
 * `isFirst`: nothing of it is to be seen yet. A trace that ended counts as text: its rows must come to rest, but not
 * before the answer. Whoever knows that only thinking changed says `thinking` instead.
 */
export function importanceOf({ kind, state, calls }: SurfaceMessage, isFirst: boolean): Importance {
  switch (kind) {
    case 'question':
      return state === 'open' ? 'question' : 'click';
    case 'trace':
      return state === 'live' ? 'tools' : 'text';
    case 'answer':
    case 'notice':
      // A reminder comes by itself: who waits for an answer does not wait for the reminders of others.
      if (calls !== undefined) return 'tools';
      if (state !== 'live') return 'final';
      return isFirst ? 'first' : 'text';
  }
}
