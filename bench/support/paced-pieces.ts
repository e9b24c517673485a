/** Many answers that are written at the same time, as models write them: in pieces, some every few milliseconds. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pieces } from './answer-text.ts';

/** Answers of one sample, all live at once. */
const answers = 200;
/** Pieces of each, and in how much time they come. Unit: milliseconds. */
const count = 500;
const withinMs = 1_000;
/** Pieces that come together, as they do from a socket. */
const together = 10;

/** 500 pieces of text; the same every time. */
const words = pieces(
  'The earth turns under two bulges of water; most coasts see two tides. '.repeat(40),
).slice(0, count);

/** The pieces of an answer as they come: some at a time. */
export type Written = AsyncIterable<readonly string[]>;

/**
 * Shows every answer by `show`, which resolves with what is shown in the end. Returns the number of answers; throws when
 * one is not whole.
 */
export async function showAll(show: (answer: Written) => Promise<string>): Promise<number> {
  const ticks = Array.from({ length: count / together }, (_, tick) =>
    sleep(((tick + 1) * withinMs * together) / count),
  );
  const shown = await Promise.all(Array.from({ length: answers }, () => show(written(ticks))));
  const wrong = shown.find((text) => text !== words.join(''));
  if (wrong !== undefined) throw new Error(`shown was: ${wrong.slice(0, 200)}`);
  return answers;
}

async function* written(ticks: readonly Promise<void>[]): AsyncGenerator<readonly string[]> {
  for (const [tick, due] of ticks.entries()) {
    await due;
    yield words.slice(tick * together, (tick + 1) * together);
  }
}
