/**
 * One turn of Docent against a model service: the chat capability under the label protocol, the product's model with
 * its own `fetch`, and a journal that is written down record by record.
 */
import { chat } from '../../src/capabilities/chat.ts';
import { ConversationId, TurnId } from '../../src/domain/ids.ts';
import { recover } from '../../src/loop/recover.ts';
import { runLoop } from '../../src/loop/run-loop.ts';
import { defaultLoopSettings } from '../../src/loop/settings.ts';
import { openAiModel } from '../../src/model/openai.ts';
import { estimateTokens } from '../../src/model/token-estimate.ts';
import { systemClock } from '../../src/observe/clock.ts';
import type { Model } from '../../src/ports/model.ts';
import type { Logger } from '../../src/ports/runtime.ts';
import type { Tool } from '../../src/ports/tool.ts';
import { strategyFor } from '../../src/turns/context.ts';
import { DesiredText } from './desired-text.ts';
import { question, system, toolRounds } from './workload.ts';

const silentLog: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const strategy = strategyFor(chat, 'label');
const settings = { ...defaultLoopSettings, exploration: toolRounds + 5 };

export function productModel(baseUrl: string, model: string): Model {
  const notes = { get: async () => undefined, set: async () => {} };
  return openAiModel({ baseUrl, apiKey: 'none', model, notes, clock: systemClock, log: silentLog });
}

/** Runs the turn and returns what its answer came to. Throws when it ends in any other way. */
export async function productTurn(model: Model, tools: readonly Tool[]): Promise<string> {
  const screen = new DesiredText();
  const journal: string[] = [];
  let ids = 0;
  const { outcome } = await runLoop(
    {
      conversation: ConversationId('test:talk'),
      turn: TurnId('t1'),
      key: 'bench:t1',
      user: undefined,
      address: undefined,
      isScheduled: false,
      recovered: recover([], strategy, settings),
      start: {
        kind: 'open',
        messages: async () => [{ type: 'user/message', source: 'person', content: question }],
      },
      system,
      strategy,
      tools,
      settings,
      scenes: chat.scenes,
      rules: chat.rules,
    },
    {
      model,
      journal: {
        append: async (records) => void journal.push(...records.map((record) => JSON.stringify(record))),
      },
      inbox: { waiting: async () => ({ messages: false, notes: false }), take: async () => [] },
      emit: screen.emit,
      settle: async () => {},
      hooks: {},
      clock: systemClock,
      log: silentLog,
      newId: () => `id-${ids++}`,
      estimateTokens,
      signal: new AbortController().signal,
      onUnpaired: 'repair',
    },
  );
  if (outcome.kind !== 'finish') throw new Error(`the turn ended as ${JSON.stringify(outcome)}`);
  return screen.text;
}
