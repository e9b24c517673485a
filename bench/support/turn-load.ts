/** How much is sent in one sample of the rows about the queue. */
import type { Mode } from '../harness.ts';

export const messages: Readonly<Record<Mode, number>> = { quick: 2_000, full: 4_000 };
/** Several messages wait in each at a time. */
export const fewConversations = 500;
