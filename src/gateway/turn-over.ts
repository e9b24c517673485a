/** A message shows the end of an answer a moment before its turn is over: a change made in that moment is one behind the answer. */
import type { ConversationId } from '../domain/ids.ts';
import type { Clock } from '../ports/runtime.ts';

export interface TurnOverMeans {
  /** Whether a turn runs there. Rejects while the store is away. */
  readonly isBusy: (conversation: ConversationId) => Promise<boolean>;
  readonly clock: Clock;
}

/** Unit: milliseconds. */
const waitMs = 1_000;
const lookEveryMs = 100;

/** Resolves when no turn runs there, or after a second in which one did. */
export async function untilTurnOver(
  { isBusy, clock }: TurnOverMeans,
  conversation: ConversationId,
): Promise<void> {
  const until = clock.now() + waitMs;
  while (clock.now() < until && (await isBusy(conversation))) await clock.sleep(lookEveryMs);
}
