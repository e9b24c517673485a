/** The first answer to an interaction, within the three seconds that Discord waits for it. */
import { RateLimitError, RESTJSONErrorCodes } from 'discord.js';
import type { Clock } from '../../ports/runtime.ts';
import { codeOf, isRefused } from './failures.ts';
import type { Call, Reply, Rest } from './rest.ts';

const maxTries = 3;
/** Unit: milliseconds. */
const askAgainMs = 300;
/** Later it would be too late. Unit: milliseconds. */
const maxWaitMs = 2_500;

/**
 * `unseen`: an earlier try did it, and its reply was lost. `refused`: another gateway, which hears the same, was faster, or it
 * is too late. Rejects when it is not known what came of it.
 */
export async function answerFirst(
  { rest, clock }: { readonly rest: Rest; readonly clock: Clock },
  call: Call,
): Promise<Reply | 'unseen' | 'refused'> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await rest(call);
    } catch (error) {
      if (isRefused(error)) {
        const isDone = codeOf(error) === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged;
        return tries > 1 && isDone ? 'unseen' : 'refused';
      }
      const waitMs = error instanceof RateLimitError && error.retryAfter > 0 ? error.retryAfter : askAgainMs;
      if (tries === maxTries || waitMs > maxWaitMs) throw error;
      // It may have happened: asked again, Discord says so.
      await clock.sleep(waitMs);
    }
  }
}
