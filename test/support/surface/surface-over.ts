/** The product's `Surface` over the fake platform, and how its answers read there. */
import { RateLimitedError, SurfaceError, SurfaceGoneError } from '../../../src/domain/errors.ts';
import type { Surface } from '../../../src/ports/surface.ts';
import type { PlatformAnswer, PlatformCall, PlatformRules } from './platform-calls.ts';

export const surfaceName = 'fake';

/** Rejects when no answer came, with the signal's reason when that is why. */
export type SendCall = (call: PlatformCall, signal: AbortSignal) => Promise<PlatformAnswer>;

export function surfaceOver(
  send: SendCall,
  place: string,
  by: string,
  limits: Pick<PlatformRules, 'maxChars' | 'minEditGapMs'>,
): Surface {
  const ask = async (call: PlatformCall, signal: AbortSignal): Promise<string | undefined> => {
    const answer = await send(call, signal);
    switch (answer.status) {
      case 200:
        return answer.id;
      case 404:
        throw new SurfaceGoneError(`${call.do}: not there`);
      case 429:
        throw new RateLimitedError(answer.retryAfterMs ?? 1_000);
      case 400:
      case 503:
        throw new SurfaceError(`${call.do}: ${answer.status} ${answer.why ?? ''}`);
    }
  };
  const refTo = (id: string) => ({ surface: surfaceName, place, id });
  return {
    limits: { maxChars: limits.maxChars, minEditGapMs: limits.minEditGapMs },
    async post(message, key, signal) {
      const id = await ask({ do: 'post', place, by, message, key }, signal);
      if (id === undefined) throw new SurfaceError('post: an answer without a message');
      return refTo(id);
    },
    async find(key, signal) {
      const id = await ask({ do: 'find', place, by, key }, signal);
      return id === undefined ? undefined : refTo(id);
    },
    async edit(ref, message, signal) {
      await ask({ do: 'edit', place: ref.place, by, message, id: ref.id }, signal);
    },
  };
}
