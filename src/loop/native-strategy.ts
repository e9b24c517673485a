/** Native protocol: a response without calls is the answer; text beside calls is narration. */

import { stripThinking } from './reading/think-tags.ts';
import type { Strategy, Verdict } from './strategy.ts';

/** A label that a label strategy once wrote at the head of a journaled response. */
const writtenLabel = /^``[A-Z_]+``\n?/;

export const nativeStrategy: Strategy = {
  name: 'native',
  prompt: () => '',
  reader: (_mode, to) => ({ feed: (text) => to.answer(text), end: () => {} }),
  judge(reply, mode): Verdict {
    if (reply.calls.length > 0) return { kind: 'tools' };
    if (reply.text.trim() === '' && mode.kind !== 'continuation') return { kind: 'nudge' };
    if (reply.stop === 'length' || reply.stop === 'cut') return { kind: 'continue' };
    return { kind: 'finish', text: reply.text };
  },
  write: (answer) => answer,
  labelIn: () => '',
  answerIn: stripThinking,
  replay: (content) => content.replace(writtenLabel, ''),
};
