/** Answers as a model sends them: when each token arrives. */
import { chance } from '../chance.ts';

export interface AnswerShape {
  readonly tokensPerS: number;
  /** About how long text flows. Unit: seconds. */
  readonly flowsS: number;
  /** Tool calls and thinking in between. */
  readonly hasPauses: boolean;
  /** Text flows this much longer or shorter, at random. Unit: seconds. */
  readonly orElseS?: number;
}

export interface SentAnswer {
  /** Arrival times, rising. Unit: milliseconds. */
  readonly tokens: readonly number[];
  /** When the model had ended: the last text is final from then on. */
  readonly endsAt: number;
}

/** Tokens come at random about their rate; pauses of 1.5 to 5.5 s stand at random places, about one in 6 s of text. */
export function sentAnswer(
  { tokensPerS, flowsS, hasPauses, orElseS = 0 }: AnswerShape,
  seed: number,
  startAt = 0,
): SentAnswer {
  const { upTo, percent } = chance(seed);
  const meanMs = 1_000 / tokensPerS;
  const flowMs = (flowsS - orElseS) * 1_000 + upTo(orElseS * 2_000);
  const tokens: number[] = [startAt];
  let at = startAt;
  for (let flowed = 0; flowed < flowMs; ) {
    // Exponential, as arrivals are that know nothing of each other; no gap grows into a pause.
    const gapMs = Math.min(500, -Math.log(1 - upTo(999_999) / 1_000_000) * meanMs);
    flowed += gapMs;
    at += gapMs;
    if (hasPauses && percent((100 * gapMs) / 6_000)) at += 1_500 + upTo(4_000);
    tokens.push(at);
  }
  return { tokens, endsAt: at };
}

/** The shapes that the goals are about. */
export const shapes: readonly AnswerShape[] = [20, 50, 100].flatMap((tokensPerS) =>
  [6, 15, 40].flatMap((flowsS) => [false, true].map((hasPauses) => ({ tokensPerS, flowsS, hasPauses }))),
);
