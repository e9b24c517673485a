/** A surface whose edits, refusals and first answer text are counted. */
import { RateLimitedError } from '../domain/errors.ts';
import type { SurfaceMessage } from '../domain/surface-message.ts';
import type { Meter } from '../ports/meter.ts';
import type { Clock } from '../ports/runtime.ts';
import type { Posted, Surface } from '../ports/surface.ts';

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
  const edited = async <T>(write: Promise<T>): Promise<T> => {
    const done = await counted(write);
    meter.count('edits', { surface: name });
    return done;
  };
  const posted = async (message: SurfaceMessage, write: Promise<Posted>): Promise<Posted> => {
    const done = await counted(write);
    if (message.kind === 'answer' && !hasText) meter.time('first_text', clock.now() - from);
    hasText ||= message.kind === 'answer';
    return done;
  };
  const { limits, stream } = surface;
  return {
    limits,
    get budgets() {
      return surface.budgets;
    },
    post: (message, key, signal) => posted(message, surface.post(message, key, signal)),
    find: (key, signal, message) => surface.find(key, signal, message),
    edit: (ref, message, signal) => edited(surface.edit(ref, message, signal)),
    remove: (ref, signal) => counted(surface.remove(ref, signal)),
    ...(stream !== undefined && {
      stream: {
        budgets: stream.budgets,
        maxMs: stream.maxMs,
        start: (message, key, signal) => posted(message, stream.start(message, key, signal)),
        append: (ref, text, signal) => edited(stream.append(ref, text, signal)),
        stop: (ref, rest, message, signal) => counted(stream.stop(ref, rest, message, signal)),
      },
    }),
  };
}
