import { expect, test } from 'vitest';
import { chat } from '../../src/capabilities/chat.ts';
import { ConversationId, EventId, UserId } from '../../src/domain/ids.ts';
import type { InboxItem } from '../../src/domain/inbound.ts';
import { textOf } from '../../src/domain/message.ts';
import type { TurnEvent } from '../../src/domain/turn.ts';
import type { ModelChunk, ModelRequest } from '../../src/ports/model.ts';
import { memoryConversations, memoryModelNotes } from '../../src/store/memory.ts';
import { askUser } from '../../src/tools/ask-user.ts';
import { protocolChoice } from '../../src/turns/protocol-choice.ts';
import { type FinishedTurn, runTurn, type TurnServices } from '../../src/turns/run-turn.ts';
import { manualClock } from '../support/clock.ts';
import { call, calling, plain, say, shownBy } from '../support/dialogue.ts';
import { quietLog } from '../support/quiet-log.ts';

const talk = ConversationId('test:talk');
const ann = UserId('test:ann');

/** A bot over the memory store, with a scripted model. */
function startBot(...responses: readonly (readonly ModelChunk[])[]) {
  const script = [...responses];
  const requests: ModelRequest[] = [];
  const events: TurnEvent[] = [];
  const conversations = memoryConversations();
  const clock = manualClock();
  let ids = 0;
  const services: TurnServices = {
    conversations,
    model: {
      name: 'scripted',
      contextWindow: 100_000,
      async *stream(request) {
        requests.push(request);
        yield* script.shift() ?? [];
      },
    },
    protocol: protocolChoice('auto', 'http://model', memoryModelNotes(clock), quietLog),
    tools: new Map([['ask_user', askUser]]),
    capability: chat,
    settings: {},
    hooks: {},
    clock,
    log: quietLog,
    newId: () => `id-${(ids += 1)}`,
    estimateTokens: (text) => text.length,
  };
  const run = (): Promise<FinishedTurn | undefined> =>
    runTurn(services, talk, (event) => void events.push(event), new AbortController().signal);
  return {
    requests,
    run,
    services,
    answers: () => shownBy(events).messages,
    async hears(text: string, kind: 'message' | 'next' = 'message') {
      const item: InboxItem = { kind, id: EventId(`m-${(ids += 1)}`), author: ann, content: text };
      await conversations.append(talk, item);
      return run();
    },
  };
}

const asks = calling(
  '``TOOL``\nI ask.',
  call('ask_user', { questions: [{ prompt: 'Which?', options: ['sums', 'equations'] }] }, 'q'),
);

test('a message is answered, and the next one sees what was said', async () => {
  const bot = startBot(say('FINISH', 'x = 4'), say('FINISH', 'Because 2 · 4 = 8.'));
  await bot.hears('solve 2x = 8');
  await bot.hears('why?');
  expect(bot.answers()).toEqual(['x = 4', 'Because 2 · 4 = 8.']);
  expect(bot.requests[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(bot.requests[1]?.messages[2]).toMatchObject({ content: '``FINISH``\nx = 4' });
});

test('a question pauses the turn; a typed number answers it and the same turn goes on', async () => {
  const bot = startBot(asks, say('FINISH', 'Equations it is.'));
  const paused = await bot.hears('help me practise');
  expect(paused?.outcome).toMatchObject({ kind: 'paused', callId: 'q' });
  const resumed = await bot.hears('2');
  expect(resumed?.outcome).toEqual({ kind: 'finish', answer: 'Equations it is.' });
  const result = bot.requests[1]?.messages.at(-1);
  expect(result).toMatchObject({ role: 'tool', callId: 'q', status: 'answered' });
  expect(JSON.parse(textOf(result?.content ?? ''))).toEqual({
    answers: [{ id: 'q1', selected: ['equations'], text: '', status: 'answered' }],
    by: 'test:ann',
    at: '1970-01-01T00:00:00.000Z',
  });
});

test('nothing to do: no item, no model call', async () => {
  const bot = startBot();
  expect(await bot.run()).toBeUndefined();
  expect(bot.requests).toEqual([]);
});

test('only tools that exist are offered to the model', async () => {
  const bot = startBot(say('FINISH', 'Hi.'));
  await bot.hears('hello');
  expect(bot.requests[0]?.tools.map(({ name }) => name)).toEqual(['ask_user']);
});

test('a bare sum is computed before the model is asked, which gets no tools', async () => {
  const bot = startBot(say('FINISH', '12 · 7 = 84'));
  await bot.hears('12*7');
  expect(bot.requests[0]?.toolChoice).toBe('none');
  expect(JSON.stringify(bot.requests[0]?.messages.at(-1)?.content)).toContain('the result is 84');
});

test('a model that could not hold the protocol in two turns is asked natively from then on', async () => {
  const broken = [plain('a'), plain('b'), plain('c'), plain('closing')];
  const bot = startBot(...broken, ...broken, plain('Hello.'));
  await bot.hears('one');
  await bot.hears('two');
  expect((await bot.hears('three'))?.outcome).toEqual({ kind: 'finish', answer: 'Hello.' });
  const system = bot.requests.at(-1)?.messages[0];
  expect(system?.content).not.toContain('``FINISH``');
});
