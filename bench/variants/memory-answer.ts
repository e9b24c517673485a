/**
 * An answer from memory through the parts that read it: step, label strategy, answer feed, judgement. No socket, no
 * store. The argument is its length and how often it is read in a sample: `64000x16`. Items: characters.
 */
import { chat } from '../../src/capabilities/chat.ts';
import { AnswerFeed } from '../../src/loop/answer-feed.ts';
import { defaultLoopSettings } from '../../src/loop/settings.ts';
import { runStep } from '../../src/loop/step.ts';
import { estimateTokens } from '../../src/model/token-estimate.ts';
import { systemClock } from '../../src/observe/clock.ts';
import type { ModelChunk } from '../../src/ports/model.ts';
import { strategyFor } from '../../src/turns/context.ts';
import { labelledPieces } from '../support/answer-text.ts';
import { DesiredText } from '../support/desired-text.ts';
import type { Prepare } from '../support/pairs.ts';

const strategy = strategyFor(chat, 'label');
/** As in a turn, so that call markup in the text is looked for. */
const tools = [{ name: 'look_up', description: 'Looks a topic up.', parameters: { type: 'object' } }];

export const prepare: Prepare = (_baseUrl, argument) => {
  const [chars = 0, times = 0] = argument.split('x').map(Number);
  const texts = labelledPieces(chars);
  return async () => {
    for (let done = 0; done < times; done++) {
      const { length } = await read(texts);
      if (length !== chars) throw new Error(`${length} of ${chars} characters were shown`);
    }
    return chars * times;
  };
};

/** Throws unless it comes out as a finished answer. */
async function read(texts: readonly string[]): Promise<string> {
  const screen = new DesiredText();
  const feed = new AnswerFeed(screen.emit);
  const mode = { kind: 'step' } as const;
  feed.begin('paragraph');
  const result = await runStep({
    open: () => chunksOf(texts),
    strategy,
    mode,
    tools,
    limits: defaultLoopSettings.limits,
    clock: systemClock,
    signal: new AbortController().signal,
    onAnswer: (text) => feed.write(text),
    onThinking: () => {},
    onRetrying: () => {},
    estimateTokens,
    estimatedPrompt: 100,
  });
  const verdict = result.kind === 'reply' ? strategy.judge(result.reply, mode) : result;
  if (verdict.kind !== 'finish') throw new Error(`the reply was read as ${JSON.stringify(verdict)}`);
  screen.emit({ type: 'turn.ended', outcome: { kind: 'finish', answer: verdict.text } });
  return screen.text;
}

async function* chunksOf(texts: readonly string[]): AsyncGenerator<ModelChunk> {
  for (const text of texts) yield { type: 'text', text };
  yield { type: 'finish', reason: 'stop' };
  yield { type: 'usage', usage: { prompt: 100, completion: texts.length } };
}
