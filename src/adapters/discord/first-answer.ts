/** The first answer to an interaction, within the three seconds that Discord waits for it. */
import { RESTJSONErrorCodes } from 'discord.js';
import type { Clock } from '../../ports/runtime.ts';
import { codeOf, isRefused } from './failures.ts';
import type { Call, Reply, Rest } from './rest.ts';

const maxTries = 3;
/** Unit: milliseconds. */
const askAgainMs = 300;

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
      // It may have happened: asked again, Discord says so.
      if (tries === maxTries) throw error;
      await clock.sleep(askAgainMs);
    }
  }
}
