// A turn on a surface that folds: the whole trace goes along, and an answer says whether it may be asked for anew.

import { expect, test } from 'vitest';
import { ownPaceBudgets } from '../../src/delivery/own-pace.ts';
import { CallId, ConversationId, TurnId } from '../../src/domain/ids.ts';
import type { OpenPause } from '../../src/domain/pause.ts';
import type { SurfaceMessage } from '../../src/domain/surface-message.ts';
import type { Outcome, TurnEvent } from '../../src/domain/turn.ts';
import { MessageScreen } from '../../src/render/message-screen.ts';
import { wordsFor } from '../../src/render/notices.ts';
import { memoryConversations } from '../../src/store/memory.ts';
import { manualClock } from '../support/clock.ts';
import { quietLog } from '../support/quiet-log.ts';
import { everythingIn } from '../support/surface/everything-in.ts';

const turn = TurnId('t1');

const budget = (route: string) => ({
  name: { surface: 'test', route, scope: 'room' },
  rule: { calls: 1_000, perMs: 1_000 },
});

/** A screen over messages that are kept by their slots. */
function screenThat({ folds }: { readonly folds?: true }) {
  const shown = new Map<string, SurfaceMessage>();
  const clock = manualClock(1_000);
  const screen = new MessageScreen({
    ...everythingIn({
      limits: { maxChars: 10_000, ...(folds === undefined ? {} : { folds }) },
      budgets: { post: budget('post'), edit: budget('edit'), remove: budget('remove') },
      async post(message, key) {
        shown.set(key.replace('talk:t1:', ''), message);
        return { ref: { surface: 'test', place: 'room', id: key } };
      },
      find: async () => undefined,
      async edit({ id }, message) {
        shown.set(id.replace('talk:t1:', ''), message);
        return {};
      },
      async remove({ id }) {
        shown.delete(id.replace('talk:t1:', ''));
        return {};
      },
    }),
    budgets: ownPaceBudgets(clock),
    ledger: memoryConversations(clock).ledger(ConversationId('test:talk'), turn),
    clock,
    log: quietLog,
    signal: new AbortController().signal,
    words: wordsFor('en'),
    key: 'talk:t1',
    turn,
    isHarmless: (tool) => tool === 'read_memory',
  });
  const show = (...events: TurnEvent[]) => events.forEach((event) => screen.show(event));
  /** Lets time pass until the work is done: writes have their pace. */
  const done = async (work: Promise<unknown>) => {
    const states = ['waiting'];
    const ended = work.finally(() => states.push('done'));
    while (states.length === 1) await clock.advance(50);
    await ended;
  };
  const finish = (outcome: Outcome) => done(screen.finish(outcome));
  return { screen, shown, show, clock, done, finish };
}

const answer: TurnEvent = { type: 'answer.delta', text: 'x = 4' };
const thought: TurnEvent = { type: 'thinking.delta', text: 'Half of it.\nThen check.' };
const tool = (name: string): TurnEvent[] => [
  { type: 'tool.started', call: { id: CallId(name), name, args: '{"query":"goal"}' } },
  { type: 'tool.finished', callId: CallId(name), name, status: 'ok', ms: 300 },
];
const finished = { kind: 'finish', answer: 'x = 4' } as const;

test('the whole of the trace goes along, line by line, above the answer', async () => {
  const { shown, show, finish } = screenThat({ folds: true });
  show({ type: 'phase', phase: 'reading' }, thought, ...tool('read_memory'), answer);
  await finish(finished);
  expect([...shown.keys()]).toEqual(['trace', 'answer:1']);
  expect(shown.get('trace')).toMatchObject({
    kind: 'trace',
    state: 'final',
    text: expect.stringMatching(/Thought for 1 s · 1 tool/),
    details: ['🧠 Half of it.', '   Then check.', '✓ recalling goal · 0.3 s'],
  });
});

test('elsewhere nothing of it goes along', async () => {
  const { shown, show, finish } = screenThat({});
  show({ type: 'phase', phase: 'reading' }, thought, answer);
  await finish(finished);
  expect(shown.get('trace')).not.toHaveProperty('details');
});

test('a growing thought is put together anew now and then, and whole at the end', async () => {
  const { shown, show, clock, finish } = screenThat({ folds: true });
  for (let at = 0; at < 100; at++) {
    show({ type: 'thinking.delta', text: `${at} ` });
    await clock.advance(10);
  }
  expect(String(shown.get('trace')?.details).length).toBeGreaterThan(100);
  await finish(finished);
  expect(shown.get('trace')?.details?.join('')).toContain('98 99');
});

test('behind a question a new trace begins, and the old one stays', async () => {
  const { screen, shown, show, done, finish } = screenThat({ folds: true });
  const callId = CallId('q');
  const pause: OpenPause = {
    turn,
    callId,
    question: { prompt: 'Which?' },
    address: { surface: 'test', place: 'room' },
    asker: undefined,
    askedAt: 1,
    expiresAt: 2,
    answers: [],
    used: [],
    told: [],
  };
  show(thought);
  await done(screen.ask(pause));
  await finish({ kind: 'paused', callId, question: pause.question });
  await done(screen.closeCard(pause, 'answered', []));
  const call = { id: callId, name: 'ask_user', args: '{}' };
  const asked: TurnEvent[] = [thought, { type: 'tool.started', call }];
  show({ type: 'turn.resumed', by: 'answer', closedAnswers: [], work: asked });
  show({ type: 'tool.finished', callId, name: 'ask_user', status: 'answered', ms: 0 });
  show({ type: 'thinking.delta', text: 'Now I know.' }, answer);
  await finish(finished);
  expect([...shown.keys()]).toEqual(['trace', 'question:q', 'trace:q', 'answer:1']);
  expect(shown.get('trace')?.details).toEqual(['🧠 Half of it.', '   Then check.']);
  expect(shown.get('trace:q')?.details?.at(-1)).toContain('Now I know.');
  expect(shown.get('trace:q')?.details?.join()).not.toContain('asking you');
});

test.each([
  ['after thinking', [thought, answer], finished, turn],
  ['after a tool that leaves nothing behind', [...tool('read_memory'), answer], finished, turn],
  ['after a tool that does', [...tool('cron'), answer], finished, undefined],
  ['when it was stopped', [answer], { kind: 'aborted', answer: 'x', cause: 'user' }, turn],
  [
    'when it failed',
    [],
    { kind: 'error', failure: { code: 'x', message: 'x', hint: 'Wait.' }, retryable: true },
    turn,
  ],
  [
    'when another one was finished before it',
    [answer, { type: 'answer.closed' }, answer],
    finished,
    undefined,
  ],
] as const)('an answer %s says whether it may be asked for anew', async (_when, events, outcome, again) => {
  const { shown, show, finish } = screenThat({ folds: true });
  show(...(events as readonly TurnEvent[]));
  await finish(outcome);
  expect([...shown].findLast(([slot]) => slot.startsWith('answer'))?.[1].again).toBe(again);
});

test('while it grows, or waits for an answer, it does not say so', async () => {
  const { shown, show, clock, finish } = screenThat({ folds: true });
  show(answer);
  await clock.advance(10);
  expect(shown.get('answer:1')).toMatchObject({ state: 'live' });
  expect(shown.get('answer:1')).not.toHaveProperty('again');
  await finish({ kind: 'paused', callId: CallId('q'), question: {} });
  expect(shown.get('answer:1')).not.toHaveProperty('again');
});
