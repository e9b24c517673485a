/** Answers that are shown on one limited place, in virtual time: every wait is an event, nothing sleeps. */
import type { Importance, RateBudget } from '../../../src/ports/rate-budget.ts';
import type { SentAnswer } from './answers.ts';
import type { LimitedPlace } from './platforms.ts';

export interface RunOptions {
  readonly answers: readonly SentAnswer[];
  readonly place: LimitedPlace;
  /** Made with the run's own time. */
  readonly budget: (now: () => number) => RateBudget | Promise<RateBudget>;
  /** On the way to the platform and back, and how long a busy process takes to begin and to tell of it. Unit: ms. */
  readonly way: () => { readonly thereMs: number; readonly backMs: number; readonly busyMs: number };
  /** Whether the budget hears the platform's headers. */
  readonly hasHeaders: boolean;
}

export interface ShownAnswer {
  readonly answer: SentAnswer;
  /** Writes that the platform took, in order. */
  readonly writes: readonly Write[];
  readonly refused: number;
}

export interface Write {
  /** When it could be seen. */
  readonly at: number;
  /** How many tokens it showed. */
  readonly tokens: number;
  readonly isFinal: boolean;
}

interface Live {
  readonly name: string;
  readonly answer: SentAnswer;
  readonly writes: Write[];
  refused: number;
  isWriting: boolean;
  /** The event that will look at it again; an older one has no effect. */
  look: number;
  isDone: boolean;
}

interface Event {
  readonly at: number;
  readonly run: () => void | Promise<void>;
}

export async function runAnswers(options: RunOptions): Promise<readonly ShownAnswer[]> {
  let now = 0;
  let events: readonly Event[] = [];
  const at = (time: number, run: Event['run']) => {
    const index = events.findLastIndex((event) => event.at <= time) + 1;
    events = events.toSpliced(index, 0, { at: time, run });
  };
  const budget = await options.budget(() => now);
  const all = options.answers.map((answer, index): Live => {
    const name = `m${index}`;
    return { name, answer, writes: [], refused: 0, isWriting: false, look: 0, isDone: false };
  });

  const lookAt = (live: Live, time: number) => {
    live.look += 1;
    const { look } = live;
    at(time, () => (look === live.look ? consider(live) : undefined));
  };

  const consider = async (live: Live) => {
    if (live.isWriting || live.isDone) return;
    const { tokens, endsAt } = live.answer;
    const shown = live.writes.at(-1)?.tokens ?? 0;
    const unseenSince = tokens[shown] ?? endsAt;
    if (unseenSince > now) return lookAt(live, unseenSince);
    const importance: Importance = now >= endsAt ? 'final' : shown === 0 ? 'first' : 'text';
    const turn = await budget.ask({ message: live.name, importance, unseenMs: now - unseenSince });
    if (turn.granted) return write(live);
    const askAt = now + turn.waitMs;
    // The end of the answer interrupts the wait.
    lookAt(live, now < endsAt ? Math.min(askAt, endsAt) : askAt);
  };

  const write = (live: Live) => {
    const { tokens, endsAt } = live.answer;
    const isFinal = now >= endsAt;
    const count = arrived(tokens, now);
    const { thereMs, backMs, busyMs } = options.way();
    live.isWriting = true;
    at(now + busyMs + thereMs, () => {
      const { isTaken, headers } = options.place.call(now);
      if (isTaken) live.writes.push({ at: now, tokens: count, isFinal });
      else live.refused += 1;
      at(now + backMs + busyMs, async () => {
        live.isWriting = false;
        live.isDone = isTaken && isFinal;
        await budget.learn(live.name, {
          callMs: thereMs + backMs,
          outcome: isTaken ? 'written' : 'refused',
          ...(options.hasHeaders && { headers }),
          ...(!isTaken && { retryAfterMs: headers.resetAfterMs }),
          ...(live.isDone && { isLast: true }),
        });
        await consider(live);
      });
    });
  };

  for (const live of all) lookAt(live, live.answer.tokens[0] ?? 0);
  for (let next = events[0]; next !== undefined; next = events[0]) {
    events = events.slice(1);
    now = Math.max(now, next.at);
    await next.run();
  }
  return all.map(({ answer, writes, refused }) => ({ answer, writes, refused }));
}

/** How many have come by `now`. */
function arrived(tokens: readonly number[], now: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle] ?? 0) <= now) low = middle + 1;
    else high = middle;
  }
  return low;
}
