/** S2: how much of a labelled reply is routed in a millisecond of CPU, against DeepTutor's labelled step. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { NotHere, Pair, Row } from '../harness.ts';
import { labelledPieces } from '../support/answer-text.ts';
import { startDeepTutor } from '../support/deeptutor.ts';
import { Programs } from '../support/programs.ts';

/** Characters of the reply, and replies in one sample. */
const chars = 8_000;
const replies = 100;

export const labelRouting: Row = {
  id: 'S2',
  metric:
    'characters of a labelled reply routed from memory / by run_labeled_step of DeepTutor; per ms of CPU',
  kind: 'cpu',
  goal: 6,
  bound: 'min',
  warmUps: { quick: 2, full: 3 },
  rounds: { quick: 5, full: 15 },
  open,
};

async function open(): Promise<Pair | NotHere> {
  const source = process.env.DEEPTUTOR_SRC;
  if (source === undefined || source === '') {
    return { notHere: 'DEEPTUTOR_SRC is not set; give it the folder that holds the package deeptutor' };
  }
  if (!existsSync(join(source, 'deeptutor/core/agentic/labeled_step.py'))) {
    return { notHere: `no deeptutor/core/agentic/labeled_step.py in DEEPTUTOR_SRC=${source}` };
  }
  const deepTutor = await startDeepTutor(source, { texts: labelledPieces(chars), replies });
  if ('notHere' in deepTutor) return deepTutor;
  const programs = new Programs();
  const close = async () => void (await Promise.all([deepTutor.close(), programs.close()]));
  try {
    const [product] = await programs.hold('', `memory-answer.ts:${chars}x${replies}`);
    if (product === undefined) throw new Error('nothing was prepared');
    return {
      product: async () => 1_000 / (await product()),
      anchor: async () => 1_000 / (await deepTutor.cpuPerCharacter()),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
