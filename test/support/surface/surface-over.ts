/** The product's `Surface` over the fake platform, and how its answers read there. */
import {
  RateLimitedError,
  StreamEndedError,
  SurfaceError,
  SurfaceGoneError,
  WriteRefusedError,
} from '../../../src/domain/errors.ts';
import type { NamedBudget, RateRule } from '../../../src/ports/rate-budget.ts';
import type { Posted, Route, Surface, Written } from '../../../src/ports/surface.ts';
import type { PlatformAnswer, PlatformCall, PlatformRules } from './platform-calls.ts';

export const surfaceName = 'fake';

/** Rejects when no answer came, with the signal's reason when that is why. */
export type SendCall = (call: PlatformCall, signal: AbortSignal) => Promise<PlatformAnswer>;

/** What a bot believes of a route that has no limit. */
const freely: RateRule = { calls: 500, perMs: 5_000 };

export function surfaceOver(send: SendCall, place: string, by: string, rules: PlatformRules): Surface {
  const ask = async (call: PlatformCall, signal: AbortSignal): Promise<PlatformAnswer> => {
    const answer = await send(call, signal);
    const why = `${call.do}: ${answer.status} ${answer.why ?? ''}`;
    switch (answer.status) {
      case 200:
        return answer;
      case 400:
        throw new WriteRefusedError('content', why);
      case 403:
        throw new WriteRefusedError('message', why);
      case 404:
        throw new SurfaceGoneError(why);
      case 410:
        throw new StreamEndedError(why);
      case 429:
        throw new RateLimitedError(answer.retryAfterMs);
      case 503:
        throw new SurfaceError(why);
    }
  };
  const refTo = (id: string) => ({ surface: surfaceName, place, id });
  const write = async (call: PlatformCall, signal: AbortSignal): Promise<Written> => {
    const { rate } = await ask(call, signal);
    return rate === undefined ? {} : { rate };
  };
  const post = async (call: PlatformCall, signal: AbortSignal): Promise<Posted> => {
    const { id, rate } = await ask(call, signal);
    if (id === undefined) throw new SurfaceError(`${call.do}: an answer without a message`);
    return { ref: refTo(id), ...(rate !== undefined && { rate }) };
  };
  const budget = (route: Route): NamedBudget => {
    const limit = rules.limits[route];
    const scope = limit?.per === 'workspace' ? 'everywhere' : place;
    return { name: { surface: surfaceName, route, scope }, rule: limit ?? freely };
  };
  return {
    limits: { maxChars: rules.maxChars, ...(rules.unit !== undefined && { unit: rules.unit }) },
    budgets: { post: budget('post'), edit: budget('edit'), remove: budget('remove') },
    post: (message, key, signal) => post({ do: 'post', place, by, message, key }, signal),
    async find(key, signal) {
      const { id } = await ask({ do: 'find', place, by, key }, signal);
      return id === undefined ? undefined : refTo(id);
    },
    edit: (ref, message, signal) => write({ do: 'edit', place: ref.place, by, message, id: ref.id }, signal),
    remove: (ref, signal) => write({ do: 'remove', place: ref.place, by, id: ref.id }, signal),
    ...(rules.stream !== undefined && {
      stream: {
        budgets: { start: budget('start'), append: budget('append'), stop: budget('stop') },
        maxMs: rules.stream.maxMs,
        start: (message, key, signal) => post({ do: 'start', place, by, message, key }, signal),
        append: (ref, text, signal) =>
          write({ do: 'append', place: ref.place, by, text, id: ref.id }, signal),
        stop: (ref, rest, message, signal) =>
          write({ do: 'stop', place: ref.place, by, text: rest, message, id: ref.id }, signal),
      },
    }),
  };
}
