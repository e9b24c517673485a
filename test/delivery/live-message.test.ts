// One message kept equal to the newest content, on a platform that loses answers, refuses and forgets.
import { describe, expect, test } from 'vitest';
import { LiveMessage } from '../../src/delivery/live-message.ts';
import { LeaseLostError, TurnParkedError } from '../../src/domain/errors.ts';
import { ConversationId, TurnId } from '../../src/domain/ids.ts';
import type { SurfaceMessage } from '../../src/domain/surface-message.ts';
import { memoryConversations } from '../../src/store/memory.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';
import { quietLog } from '../support/quiet-log.ts';
import { inProcessSurface } from '../support/surface/in-process.ts';
import { FakePlatform } from '../support/surface/platform.ts';
import type { Fault, PlatformRules } from '../support/surface/platform-calls.ts';

const live = (text: string): SurfaceMessage => ({ kind: 'answer', state: 'live', text });
const final = (text: string): SurfaceMessage => ({ kind: 'answer', state: 'final', text });
const talk = ConversationId('fake:room');

async function startWorld(rules: Partial<PlatformRules> = {}) {
  const clock = manualClock();
  const platform = new FakePlatform(() => clock.now(), rules);
  const conversations = memoryConversations(clock);
  const stopper = new AbortController();
  const claimed = await conversations.claim(talk);
  const message = (claim = claimed) =>
    new LiveMessage({
      surface: inProcessSurface(platform, clock)('room'),
      ledger: claim.ledger(TurnId('t')),
      slot: 'answer:1',
      key: 'fake:room:t:answer:1',
      clock,
      log: quietLog,
      signal: stopper.signal,
    });
  return {
    clock,
    platform,
    conversations,
    stopper,
    message,
    fault: (fault: Fault) => platform.control({ control: 'fault', fault }),
    /** What was shown, message by message, version by version. */
    shown: () => platform.state().messages.map(({ versions }) => versions.map(({ text }) => text)),
  };
}

/** Lets time pass until the promise is settled. */
async function passing<T>(clock: ManualClock, done: Promise<T>): Promise<T> {
  const over = new AbortController();
  const watched = done.finally(() => over.abort());
  watched.catch(() => {}); // looked at by the caller
  while (!over.signal.aborted) await clock.advance(50);
  return watched;
}

test('what was wanted in between is skipped, and the last text is always shown', async () => {
  const { clock, message, shown } = await startWorld({ minEditGapMs: 1_000 });
  const answer = message();
  for (const text of ['a', 'ab', 'abc', 'abcd']) answer.set(live(text));
  await clock.advance(200);
  answer.set(live('abcde'));
  answer.set(final('abcdef'));
  await passing(clock, answer.settle());
  expect(shown()).toEqual([['abcd', 'abcdef']]);
});

describe.each(['refused', 'found'] as const)('on a platform where keys are %s', (keys) => {
  test.each(['refused', 'unclear', 'lost'] as const)(
    'a post that is %s leads to one message with the newest text',
    async (how) => {
      const { clock, message, shown, fault } = await startWorld({ keys });
      fault({ on: 'post', how, times: 1 });
      const answer = message();
      answer.set(live('half'));
      await clock.advance(100);
      answer.set(final('the whole'));
      await passing(clock, answer.settle());
      expect(shown()).toHaveLength(1);
      expect(shown()[0]?.at(-1)).toBe('the whole');
    },
  );

  test('a post of a process that died before it heard of it is taken over', async () => {
    const { clock, message, shown, fault, conversations } = await startWorld({ keys });
    fault({ on: 'post', how: 'lost', times: 1 });
    message().set(live('half'));
    await clock.advance(10);
    const next = message(await conversations.claim(talk));
    next.set(final('the whole'));
    await passing(clock, next.settle());
    expect(shown()).toHaveLength(1);
    expect(shown()[0]?.at(-1)).toBe('the whole');
  });
});

test('a rate limit is waited for, not counted as a failure', async () => {
  const { clock, message, shown } = await startWorld({ limit: { calls: 1, perMs: 60_000 } });
  const answer = message();
  answer.set(live('half'));
  await clock.advance(200);
  answer.set(final('the whole'));
  await passing(clock, answer.settle());
  expect(shown()).toEqual([['half', 'the whole']]);
});

test('a message that somebody deleted is let go', async () => {
  const { clock, message, platform } = await startWorld();
  const answer = message();
  answer.set(live('half'));
  await clock.advance(200);
  platform.control({ control: 'delete_message', id: 'm1' });
  answer.set(final('the whole'));
  await passing(clock, answer.settle());
  expect(platform.state().messages).toHaveLength(1);
});

test('a worker that was taken over writes nothing and says so', async () => {
  const { clock, message, shown, conversations } = await startWorld();
  const answer = message();
  answer.set(live('half'));
  await clock.advance(200);
  await conversations.claim(talk);
  answer.set(final('the whole'));
  await expect(passing(clock, answer.settle())).rejects.toThrow(LeaseLostError);
  expect(shown()).toEqual([['half']]);
});

test('a process that ends with the last text unshown does not call it settled', async () => {
  const { clock, message, fault, stopper } = await startWorld();
  fault({ on: 'post', how: 'refused', times: 8 });
  const answer = message();
  answer.set(final('the whole'));
  await clock.advance(2_000);
  stopper.abort(new TurnParkedError('this process ends'));
  await expect(passing(clock, answer.settle())).rejects.toThrow(TurnParkedError);
});
