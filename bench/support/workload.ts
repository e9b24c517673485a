/** What server and variants must agree on: sizes, and the words of a request, so that all requests weigh the same. */
import { chat } from '../../src/capabilities/chat.ts';
import { strategyFor, systemPrompt } from '../../src/turns/context.ts';

/** The long answer: 20,000 chunks. Unit: UTF-16 units. */
export const answerChars = 80_000;
export const answerChunks = 20_000;
/** Tool rounds of a turn, one call each; an answer follows. */
export const toolRounds = 20;
/** Turns of one sample: enough CPU time to be told from the clock's grain. */
export const turnsPerSample = 10;

export const question = 'How do the tides work?';
export const system = systemPrompt(chat, strategyFor(chat, 'label'));
/** What the tool of every variant returns. */
export const toolResult =
  'The tide rises and falls twice a day, because the earth turns under two bulges of water.';
