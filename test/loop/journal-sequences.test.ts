// What the journal shows, path by path: statements 173 to 186 of the loop's specification.
import { expect, test } from 'vitest';
import type { ModelChunk } from '../../src/ports/model.ts';
import { call, calling, Dialogue, plain, say, tool } from '../support/dialogue.ts';

const question = tool('ask', () => ({ kind: 'pause', question: { prompt: 'Which?' } }), {
  isQuestion: true,
  mode: 'exclusive',
});
const ok = (name: string) => tool(name, () => ({ kind: 'text', text: 'ok' }));

test('173: a plain answer', async () => {
  const bot = new Dialogue([say('FINISH', 'Hi.')]);
  await bot.hears();
  expect(bot.log()).toEqual([
    'turn/start',
    'step/start',
    'system/message',
    'user/message',
    'assistant/message',
    'step/end',
    'turn/end(finish)',
  ]);
});

test('174: one tool; the second step has no user message', async () => {
  const bot = new Dialogue([calling('``TOOL``\nLooking.', call('look_up', {}, 'a')), say('FINISH', 'Hi.')]);
  await bot.hears();
  expect(bot.log()).toEqual([
    'turn/start',
    'step/start',
    'system/message',
    'user/message',
    'assistant/message(a)',
    'tool/call a',
    'tool/result a',
    'step/end',
    'step/start',
    'assistant/message',
    'step/end',
    'turn/end(finish)',
  ]);
});

test('175: a refused first step leaves no step and no message', async () => {
  const bot = new Dialogue([], { hooks: { preStep: async () => ({ kind: 'reject', reason: 'no' }) } });
  await bot.hears();
  expect(bot.log()).toEqual(['turn/start', 'turn/end(blocked)']);
});

test('176: a claimed batch rewritten to nothing makes no model call', async () => {
  const bot = new Dialogue([], { hooks: { preStep: async () => ({ kind: 'enter', messages: [] }) } });
  await bot.hears();
  expect(bot.log()).toEqual(['turn/start', 'turn/end(finish)']);
});

test('177: of two parallel calls the faster one is recorded second', async () => {
  const finished: string[] = [];
  let release = () => {};
  const slow = tool('slow', async () => {
    await new Promise<void>((resolve) => (release = resolve));
    finished.push('slow');
    return { kind: 'text', text: 'slow' };
  });
  const fast = tool('fast', async () => {
    finished.push('fast');
    setImmediate(() => release());
    return { kind: 'text', text: 'fast' };
  });
  const bot = new Dialogue(
    [calling('``TOOL``\nBoth.', call('slow', {}, 'a'), call('fast', {}, 'b')), say('FINISH', 'Done.')],
    { tools: [slow, fast] },
  );
  await bot.hears();
  expect(finished).toEqual(['fast', 'slow']);
  expect(bot.log().filter((line) => line.startsWith('tool/'))).toEqual([
    'tool/call a',
    'tool/call b',
    'tool/result a',
    'tool/result b',
  ]);
});

test('178: stuck on the first of two calls', async () => {
  const again = (id: string, ...more: ModelChunk[]) =>
    calling('``TOOL``\nAgain.', call('look_up', {}, id), ...more);
  const bot = new Dialogue([
    again('x'),
    again('y'),
    again('a', call('look_up', { q: 2 }, 'b')),
    plain('All I know.'),
  ]);
  await bot.hears();
  expect(bot.log().slice(bot.log().indexOf('assistant/message(a,b)'))).toEqual([
    'assistant/message(a,b)',
    'tool/call a',
    'tool/result a',
    'tool/result b(skipped)',
    'guard/tripped',
    'step/end',
    'step/start',
    'user/message(stuck)',
    'assistant/message',
    'step/end',
    'turn/end(stuck)',
  ]);
});

test('179: a failed attempt and a good one are one step', async () => {
  async function* broken(): AsyncGenerator<ModelChunk> {
    yield { type: 'text', text: '``THINK``\nLet me' };
    throw new Error('connection lost');
  }
  const bot = new Dialogue([broken, say('FINISH', 'Hi.')], { hooks: { requestError: async () => 'retry' } });
  await bot.hears();
  expect(bot.log()).toEqual([
    'turn/start',
    'step/start',
    'system/message',
    'user/message',
    'assistant/attempt',
    'assistant/message',
    'step/end',
    'turn/end(finish)',
  ]);
});

test('180: the request hook throws; what the person wrote is recorded all the same', async () => {
  const bot = new Dialogue([], { hooks: { request: () => Promise.reject(new Error('no configuration')) } });
  await bot.hears();
  expect(bot.log()).toEqual([
    'turn/start',
    'step/start',
    'system/message',
    'user/message',
    'step/end',
    'turn/end(error)',
  ]);
});

test.each([
  [
    'with something visible',
    '``FINISH``\nThe slope',
    ['assistant/message(interrupted)', 'step/end', 'turn/end(aborted)'],
  ],
  ['with nothing visible', '', ['user/message', 'step/end', 'turn/end(aborted)']],
])('181: stopped while streaming, %s', async (_name, text, end) => {
  async function* stopped(signal: AbortSignal): AsyncGenerator<ModelChunk> {
    if (text !== '') yield { type: 'text', text };
    bot.stopper.abort('user');
    signal.throwIfAborted();
  }
  const bot = new Dialogue([stopped]);
  await bot.hears();
  expect(bot.log().slice(-3)).toEqual(end);
});

test('182: stopped in a batch of three after one has started', async () => {
  const stops = tool(
    'stops',
    () => {
      bot.stopper.abort('user');
      return { kind: 'text', text: 'too late' };
    },
    { mode: 'exclusive' },
  );
  const bot = new Dialogue(
    [calling('``TOOL``\nThree.', call('stops', {}, 'a'), call('b', {}, 'b'), call('c', {}, 'c'))],
    { tools: [stops, ok('b'), ok('c')] },
  );
  await bot.hears();
  expect(bot.log().slice(5)).toEqual([
    'tool/call a',
    'tool/result a(aborted)',
    'tool/call b',
    'tool/result b(aborted)',
    'tool/call c',
    'tool/result c(aborted)',
    'step/end',
    'turn/end(aborted)',
  ]);
});

test('183: a question pauses the turn, its answer resumes it', async () => {
  const bot = new Dialogue([calling('``TOOL``\nAsking.', call('ask', {}, 'q')), say('FINISH', 'Thanks.')], {
    tools: [question],
  });
  const { outcome } = await bot.hears();
  expect(bot.log().slice(4)).toEqual(['assistant/message(q)', 'tool/call q', 'turn/paused']);
  if (outcome.kind !== 'paused') throw new Error(`expected a pause, got ${outcome.kind}`);
  await bot.answers(outcome.callId, 'the first');
  expect(bot.log().slice(7)).toEqual([
    'tool/result q(answered)',
    'turn/resumed',
    'step/end',
    'step/start',
    'assistant/message',
    'step/end',
    'turn/end(finish)',
  ]);
});

test('184: after a crash behind the start of a call the turn goes on, the call is not run again', async () => {
  const ran: string[] = [];
  const effect = tool(
    'pay',
    () => {
      ran.push('pay');
      return { kind: 'text', text: 'paid' };
    },
    { effect: 'unsafe', mode: 'exclusive' },
  );
  const first = new Dialogue([calling('``TOOL``\nPaying.', call('pay', {}, 'b')), say('FINISH', 'Paid.')], {
    tools: [effect],
  });
  await first.hears();
  const second = new Dialogue([say('FINISH', 'I will check.')], { tools: [effect] });
  second.records.push(...first.records.slice(0, first.log().indexOf('tool/call b') + 1));
  ran.length = 0;
  await second.run({ kind: 'recover' });
  expect(second.log().slice(6)).toEqual([
    'tool/result b(outcome_unknown)',
    'step/end',
    'turn/resumed',
    'step/start',
    'user/message(resume)',
    'assistant/message',
    'step/end',
    'turn/end(finish)',
  ]);
  expect(ran).toEqual([]);
});

test('185: a message during the last response opens another step of the same turn', async () => {
  // The message arrives while the response is being received.
  async function* first(): AsyncGenerator<ModelChunk> {
    bot.steer('and in Spanish?');
    yield* say('FINISH', 'First.');
  }
  const bot = new Dialogue([first, say('FINISH', 'Primero.')]);
  await bot.hears();
  expect(bot.log().slice(4)).toEqual([
    'assistant/message',
    'step/end',
    'step/start',
    'user/message(steer)',
    'assistant/message',
    'step/end',
    'turn/end(finish)',
  ]);
  expect(bot.answer()).toEqual(['First.', 'Primero.']);
});

test('186: a concluding tool ends the turn without a second request', async () => {
  const grade = tool('grade', () => ({ kind: 'conclude', text: 'Seven of ten.' }));
  const bot = new Dialogue([calling('``TOOL``\nGrading.', call('grade', {}, 'c'))], { tools: [grade] });
  await bot.hears();
  expect(bot.log().slice(4)).toEqual([
    'assistant/message(c)',
    'tool/call c',
    'tool/result c',
    'step/end',
    'turn/end(concluded)',
  ]);
  expect(bot.answer()).toEqual(['Seven of ten.']);
});
