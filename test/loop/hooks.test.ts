// Turns changed without touching the loop: the tracer, the path filter, the budget tweak, the pending task.
import { expect, test } from 'vitest';
import { textOf } from '../../src/domain/message.ts';
import { type Hooks, nestHooks } from '../../src/loop/hooks.ts';
import { manualClock } from '../support/clock.ts';
import { call, calling, Dialogue, say, tool } from '../support/dialogue.ts';

const twoSteps = () => [calling('``TOOL``\nLooking.', call('look_up', {}, 'a')), say('FINISH', 'Done.')];

function tracer(lines: string[]): Hooks {
  return {
    preStep: async (step, next) => {
      lines.push(`step ${step.step} with ${step.messages.length} messages`);
      return next();
    },
    onRecord: (record) => {
      if (record.type === 'turn/start') lines.push('running');
      if (record.type === 'tool/result') lines.push(`${record.status === 'ok' ? '✓' : '✗'} ${record.name}`);
      if (record.type === 'turn/end') lines.push('idle');
    },
    turnStopping: async () => void lines.push('stopping'),
  };
}

test('the tracer sees a turn with one tool, and changes nothing', async () => {
  const lines: string[] = [];
  const traced = new Dialogue(twoSteps(), { hooks: tracer(lines) });
  const plain = new Dialogue(twoSteps());
  await traced.hears();
  await plain.hears();
  expect(lines).toEqual([
    'running',
    'step 1 with 1 messages',
    '✓ look_up',
    'step 2 with 0 messages',
    'stopping',
    'idle',
  ]);
  expect(traced.records).toEqual(plain.records);
  expect(traced.requests).toEqual(plain.requests);
});

test('the sensitive-path filter refuses a step, the person learns why', async () => {
  const filter: Hooks = {
    preStep: async (step, next) => {
      const asks = step.messages.some((message) => textOf(message.content).includes('/etc/passwd'));
      return asks ? { kind: 'reject', reason: 'sensitive path' } : next();
    },
  };
  const bot = new Dialogue([], { hooks: filter });
  expect((await bot.hears('show me /etc/passwd')).outcome).toEqual({
    kind: 'blocked',
    reason: 'sensitive path',
  });
  expect(bot.requests).toEqual([]);
});

test('the budget tweak lowers the output limit of later steps', async () => {
  const tweak: Hooks = {
    request: async (step, next) => ({ ...(await next()), ...(step.step > 1 ? { maxTokens: 256 } : {}) }),
  };
  const bot = new Dialogue(twoSteps(), { hooks: tweak });
  await bot.hears();
  expect(bot.requests.map((request) => request.maxTokens)).toEqual([undefined, 256]);
});

test('a pending task continues the turn by steering, at most three times', async () => {
  let told = 0;
  const pending: Hooks = {
    turnStopping: async ({ continued, forced, steer }) => {
      told += 1;
      expect(forced).toBe(false);
      expect(continued).toBe(Math.min(told - 1, 3));
      steer('a task is left');
    },
  };
  const bot = new Dialogue(
    ['one', 'two', 'three', 'four'].map((text) => say('FINISH', text)),
    { hooks: pending },
  );
  const result = await bot.hears();
  expect(bot.answer()).toEqual(['one', 'two', 'three', 'four']);
  expect(result.parked).toEqual(['a task is left']);
});

test('a listener that throws at the end does not turn a good answer into an error', async () => {
  const bot = new Dialogue([say('FINISH', 'Good.')], {
    hooks: { turnStopping: () => Promise.reject(new Error('broken')) },
  });
  expect((await bot.hears()).outcome).toEqual({ kind: 'finish', answer: 'Good.' });
});

test('observers that throw change nothing', async () => {
  const broken: Hooks = {
    onEvent: () => {
      throw new Error('broken');
    },
    onRecord: () => {
      throw new Error('broken');
    },
  };
  const bot = new Dialogue(twoSteps(), { hooks: nestHooks(broken, tracer([])) });
  expect((await bot.hears()).outcome).toEqual({ kind: 'finish', answer: 'Done.' });
});

test('a preStep hook that throws ends the turn with an error, nothing is sent', async () => {
  const bot = new Dialogue([], { hooks: { preStep: () => Promise.reject(new Error('broken')) } });
  expect((await bot.hears()).outcome).toMatchObject({
    kind: 'error',
    failure: { code: 'internal', message: 'broken' },
  });
  expect(bot.requests).toEqual([]);
});

test('a preExecute hook that never answers denies the call after five seconds', async () => {
  const clock = manualClock();
  const bot = new Dialogue(twoSteps(), { clock, hooks: { preExecute: () => new Promise(() => {}) } });
  const running = bot.hears();
  for (let second = 0; second < 6; second += 1) await clock.advance(1_000);
  await running;
  expect(bot.log()).toContain('tool/result a(denied)');
});

test('execute may run a body again; every other hook may call next once', async () => {
  let runs = 0;
  const flaky = tool('flaky', () => {
    runs += 1;
    return runs === 1 ? { kind: 'failed', text: 'busy' } : { kind: 'text', text: 'fine' };
  });
  const retry: Hooks = {
    execute: async (_body, next) => {
      const first = await next();
      return first.kind === 'failed' ? next() : first;
    },
  };
  const bot = new Dialogue([calling('``TOOL``\nTrying.', call('flaky', {}, 'a')), say('FINISH', 'ok')], {
    tools: [flaky],
    hooks: nestHooks(retry, { execute: async (_body, next) => next() }),
  });
  await bot.hears();
  expect(bot.log()).toContain('tool/result a');
  const twice = nestHooks(
    { preStep: async (_step, next) => (await next(), next()) },
    { preStep: async (_step, next) => next() },
  );
  const refused = new Dialogue([], { hooks: twice });
  expect((await refused.hears()).outcome).toMatchObject({ kind: 'error' });
});

test('postExecute replaces a result; a throw makes it an error', async () => {
  const shouting: Hooks = {
    postExecute: async ({ result }) =>
      result.kind === 'text' ? { kind: 'text', text: result.text.toUpperCase() } : result,
  };
  const bot = new Dialogue(twoSteps(), { hooks: shouting });
  await bot.hears();
  expect(bot.records).toContainEqual(expect.objectContaining({ type: 'tool/result', content: 'FOUND' }));
  const broken = new Dialogue(twoSteps(), { hooks: { postExecute: () => Promise.reject(new Error('no')) } });
  await broken.hears();
  expect(broken.log()).toContain('tool/result a(error)');
});

test('the outermost hook has the last word, inner ones are wrapped', async () => {
  const order: string[] = [];
  const named = (name: string): Hooks => ({
    preExecute: async (_call, next) => {
      order.push(`${name} before`);
      const permission = await next();
      order.push(`${name} after`);
      return permission;
    },
  });
  const bot = new Dialogue(twoSteps(), { hooks: nestHooks(named('outer'), named('inner')) });
  await bot.hears();
  expect(order).toEqual(['outer before', 'inner before', 'inner after', 'outer after']);
});
