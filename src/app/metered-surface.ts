/** A surface whose edits, refusals and first answer text are counted. */
import { RateLimitedError } from '../domain/errors.ts';
import type { Meter } from '../ports/meter.ts';
import type { Clock } from '../ports/runtime.ts';
import type { Surface } from '../ports/surface.ts';

/** `name` is the label in `/metrics`; the time to the first text counts from now. */
export function meteredSurface(surface: Surface, name: string, meter: Meter, clock: Clock): Surface {
  const from = clock.now();
  let hasText = false;
  const counted = async <T>(write: Promise<T>): Promise<T> => {
    try {
      return await write;
    } catch (error) {
      if (error instanceof RateLimitedError) meter.count('rate_limited', { surface: name });
      throw error;
    }
  };
  return {
    limits: surface.limits,
    find: (key, signal) => surface.find(key, signal),
    async post(message, key, signal) {
      const ref = await counted(surface.post(message, key, signal));
      if (message.kind === 'answer' && !hasText) meter.time('first_text', clock.now() - from);
      hasText ||= message.kind === 'answer';
      return ref;
    },
    async edit(ref, message, signal) {
      await counted(surface.edit(ref, message, signal));
      meter.count('edits', { surface: name });
    },
  };
}
