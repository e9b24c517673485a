// One message kept equal to the newest content, on a platform that loses answers, refuses and forgets.
import { describe, expect, test } from 'vitest';
import { LiveMessage } from '../../src/delivery/live-message.ts';
import { localRateBudgets } from '../../src/delivery/local-rate-budgets.ts';
import { LeaseLostError, SurfaceError, TurnParkedError } from '../../src/domain/errors.ts';
import { ConversationId, TurnId } from '../../src/domain/ids.ts';
import type { SurfaceMessage } from '../../src/domain/surface-message.ts';
import type { RateBudgets } from '../../src/ports/rate-budget.ts';
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
  const local = localRateBudgets(clock);
  const learned: string[] = [];
  const budgets: RateBudgets = {
    budget(named) {
      const budget = local.budget(named);
      return {
        ...budget,
        async learn(about, reply) {
          learned.push(`${named.name.route}${reply.isLast ? ' last' : ''}`);
          return budget.learn(about, reply);
        },
      };
    },
  };
  const stopper = new AbortController();
  const claimed = await conversations.claim(talk);
  const message = (claim = claimed, slot = '1', after?: LiveMessage) =>
    new LiveMessage({
      surface: inProcessSurface(platform, clock)('room'),
      budgets,
      ledger: claim.ledger(TurnId('t')),
      slot: `answer:${slot}`,
      key: `fake:room:t:answer:${slot}`,
      ...(after !== undefined && { after }),
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
    /** The kinds of writes whose answers came, and which were the last ones. */
    learned,
    fault: (fault: Fault) => platform.control({ control: 'fault', fault }),
    /** Every call with its answer, in order. */
    calls: () => platform.state().calls.map((call) => `${call.do} ${call.status}`),
    /** What can be read now. */
    visible: () =>
      platform
        .state()
        .messages.filter(({ isDeleted }) => !isDeleted)
        .map(({ versions }) => versions.at(-1)?.text),
    /** What was shown, message by message, version by version. */
    shown: () => platform.state().messages.map(({ versions }) => versions.map(({ text }) => text)),
  };
}

/** Each below the one before it. */
function chainOf(message: Awaited<ReturnType<typeof startWorld>>['message']) {
  const first = message(undefined, '1');
  const second = message(undefined, '2', first);
  return [first, second, message(undefined, '3', second)] as const;
}

/** Lets time pass until the promise is settled. */
async function passing<T>(clock: ManualClock, done: Promise<T>, stepMs = 50): Promise<T> {
  const over = new AbortController();
  const watched = done.finally(() => over.abort());
  watched.catch(() => {}); // looked at by the caller
  while (!over.signal.aborted) await clock.advance(stepMs);
  return watched;
}

test('what was wanted in between is skipped, and the last text is always shown', async () => {
  const { clock, message, shown } = await startWorld();
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

test('text that grows fast is looked at when it can be written, not for every word', async () => {
  const { clock, message, shown } = await startWorld();
  const answer = message();
  let words = 0;
  let drafts = 0;
  for (; words < 500; words++) {
    answer.grow(() => {
      drafts += 1;
      return live(`${words} words`);
    });
    await clock.advance(10);
  }
  answer.set(final('the whole'));
  await passing(clock, answer.settle());
  expect(shown()[0]?.slice(0, 4)).toEqual(['0 words', '1 words', '25 words', '50 words']);
  expect(shown()[0]?.at(-1)).toBe('the whole');
  expect(drafts).toBeLessThan(100);
});

describe('a platform that refuses more writes', () => {
  const waits: [string, { retryAfterMs?: number }, number][] = [
    ['says how long', { retryAfterMs: 30_000 }, 30_000],
    ['says an hour', { retryAfterMs: 3_600_000 }, 3_600_000],
    ['does not say how long', {}, 1_000],
  ];
  test.each(waits)('and %s is left alone for that time, then hears the newest text', async (_, wait, ms) => {
    const { clock, message, shown, fault, calls } = await startWorld();
    const answer = message();
    answer.set(live('half'));
    await clock.advance(10);
    fault({ on: 'edit', how: 'limited', times: 1, ...wait });
    answer.set(live('more'));
    await clock.advance(1_000);
    const refusedAt = calls().length;
    answer.set(final('the whole'));
    await clock.advance(ms - 1_001);
    expect(calls()).toHaveLength(refusedAt);
    await passing(clock, answer.settle());
    expect(shown()).toEqual([['half', 'the whole']]);
  });

  test.each(['window', 'bucket'] as const)(
    'is never asked too much when it counts in a %s',
    async (counted) => {
      const edit = { calls: 5, perMs: 5_000, counted, per: 'place', tells: 'headers' } as const;
      const { clock, message, shown, calls } = await startWorld({ limits: { edit } });
      const answer = message();
      for (let words = 1; words <= 200; words++) {
        answer.set(live('word '.repeat(words)));
        await clock.advance(100);
      }
      answer.set(final('the whole'));
      await passing(clock, answer.settle());
      expect(calls().filter((call) => call.endsWith('429'))).toEqual([]);
      expect(shown()[0]?.length).toBeGreaterThan(20);
      expect(shown()[0]?.at(-1)).toBe('the whole');
    },
  );
});

test('an unchanged text is not written again', async () => {
  const { clock, message, calls } = await startWorld();
  const answer = message();
  answer.set(final('the whole'));
  await passing(clock, answer.settle());
  answer.set(final('the whole'));
  await passing(clock, answer.settle());
  expect(calls()).toEqual(['post 200']);
});

test('a text that was shown for good is not written again by the next process', async () => {
  const { clock, message, calls, conversations } = await startWorld();
  const before = message();
  before.set(live('half'));
  await clock.advance(200);
  before.set(final('the whole'));
  await passing(clock, before.settle());
  const next = message(await conversations.claim(talk));
  next.set(final('the whole'));
  await passing(clock, next.settle());
  expect(calls()).toEqual(['post 200', 'edit 200']);
});

test('but it is when the process before had begun to write something else', async () => {
  const { clock, message, shown, conversations } = await startWorld();
  const before = message();
  before.set(final('the whole'));
  await passing(clock, before.settle());
  before.set(live('again'));
  await clock.advance(2_000);
  const next = message(await conversations.claim(talk));
  next.set(final('the whole'));
  await passing(clock, next.settle());
  expect(shown()).toEqual([['the whole', 'again', 'the whole']]);
});

test('text may be taken back', async () => {
  const { clock, message, shown } = await startWorld();
  const answer = message();
  answer.set(live('I think it is 5'));
  await clock.advance(200);
  answer.set(live('I think'));
  await clock.advance(2_000);
  answer.set(final('It is 4'));
  await passing(clock, answer.settle());
  expect(shown()).toEqual([['I think it is 5', 'I think', 'It is 4']]);
});

test('text that is taken back while nobody knows whether it was shown is taken back', async () => {
  const { clock, message, shown, fault } = await startWorld();
  const answer = message();
  answer.set(live('I think'));
  await clock.advance(2_000);
  fault({ on: 'edit', how: 'lost', times: 1 });
  answer.set(live('I think it is 5'));
  await clock.advance(100);
  answer.set(live('I think'));
  await clock.advance(2_000);
  expect(shown()).toEqual([['I think', 'I think it is 5', 'I think']]);
});

test('a text that no platform takes leaves what is shown as it is', async () => {
  const { clock, message, visible } = await startWorld();
  const answer = message();
  answer.set(live('half'));
  await clock.advance(200);
  answer.set(final('x'.repeat(2_001)));
  await passing(clock, answer.settle());
  expect(visible()).toEqual(['half']);
});

describe('a message that is taken away', () => {
  test('is not there any more, and comes back as another one when it is wanted again', async () => {
    const { clock, message, visible } = await startWorld();
    const page = message();
    page.set(live('page two'));
    await clock.advance(200);
    page.remove();
    await passing(clock, page.settle());
    expect(visible()).toEqual([]);
    page.set(final('page two after all'));
    await passing(clock, page.settle());
    expect(visible()).toEqual(['page two after all']);
  });

  test('before it was ever posted costs nothing', async () => {
    const { clock, message, calls } = await startWorld();
    const page = message();
    page.remove();
    await passing(clock, page.settle());
    expect(calls()).toEqual([]);
  });

  test.each(['lost', 'unclear', 'refused'] as const)(
    'is gone and comes back once, also when the removal is %s',
    async (how) => {
      const { clock, message, visible, fault } = await startWorld();
      const page = message();
      page.set(live('page two'));
      await clock.advance(200);
      fault({ on: 'remove', how, times: 1 });
      page.remove();
      await passing(clock, page.settle());
      expect(visible()).toEqual([]);
      page.set(final('again'));
      await passing(clock, page.settle());
      expect(visible()).toEqual(['again']);
    },
  );

  test('by a process that died before it could is taken away by the next', async () => {
    const { clock, message, visible, fault, conversations } = await startWorld();
    const page = message();
    page.set(live('page two'));
    await clock.advance(200);
    fault({ on: 'remove', how: 'refused', times: 1 });
    page.remove();
    await clock.advance(400);
    const next = message(await conversations.claim(talk));
    next.set(final('again'));
    await passing(clock, next.settle());
    expect(visible()).toEqual(['again']);
  });
});

test('a message that refuses to be edited is followed by one that says it all', async () => {
  const { clock, message, visible, platform } = await startWorld();
  const answer = message();
  answer.set(live('half'));
  await clock.advance(200);
  platform.control({ control: 'close_message', id: 'm1' });
  answer.set(final('the whole'));
  await passing(clock, answer.settle());
  expect(visible()).toEqual(['the whole']);
});

test('a text that no platform takes is given up and named in the log; it holds nobody up', async () => {
  const { clock, message, platform } = await startWorld();
  const answer = message();
  answer.set(final('x'.repeat(2_001)));
  await expect(passing(clock, answer.settle())).resolves.toBeUndefined();
  expect(platform.state().violations).toHaveLength(1);
});

test('a last text that could not be shown for minutes is not called settled', async () => {
  const { clock, message, fault } = await startWorld();
  fault({ on: 'post', how: 'refused', times: 1_000 });
  const answer = message();
  answer.set(final('the whole'));
  await expect(passing(clock, answer.settle(), 10_000)).rejects.toThrow(SurfaceError);
});

test('a trace that cannot be shown holds nobody up', async () => {
  const { clock, message, fault } = await startWorld();
  fault({ on: 'post', how: 'refused', times: 1_000 });
  const trace = message();
  trace.set({ kind: 'trace', state: 'final', text: '2 tools' });
  await expect(passing(clock, trace.settle(), 10_000)).resolves.toBeUndefined();
});

describe('a message that grows on the platform', () => {
  const stream = { livesMs: 300_000, maxMs: 240_000 };
  const slack = { keys: 'found', stream } as const;

  test('is appended to, and ended with the rest of the last text in one call', async () => {
    const { clock, message, shown, calls } = await startWorld(slack);
    const answer = message();
    answer.set(live('It'));
    await clock.advance(300);
    answer.set(live('It is'));
    await clock.advance(300);
    answer.set(final('It is 4.'));
    await passing(clock, answer.settle());
    expect(calls()).toEqual(['start 200', 'append 200', 'stop 200']);
    expect(shown()).toEqual([['It', 'It is', 'It is 4.']]);
  });

  test('gets only what will not change while it grows', async () => {
    const { clock, message, shown, calls } = await startWorld(slack);
    const answer = message();
    const growing = (text: string, settledChars: number) => ({ ...live(text), settledChars });
    answer.set(growing('a **b**', 5));
    await clock.advance(300);
    answer.set(growing('a **bold**', 8));
    await clock.advance(300);
    answer.set(final('a **bold** word'));
    await passing(clock, answer.settle());
    expect(shown()).toEqual([['a **b', 'a **bold', 'a **bold** word']]);
    expect(calls()).toEqual(['start 200', 'append 200', 'stop 200']);
  });

  test('is ended and edited from then on when text is taken back', async () => {
    const { clock, message, shown, calls, platform } = await startWorld(slack);
    const answer = message();
    answer.set(live('It is 5'));
    await clock.advance(300);
    answer.set(live('It is'));
    await clock.advance(2_000);
    answer.set(live('It is not'));
    await clock.advance(2_000);
    answer.set(final('It is not 5.'));
    await passing(clock, answer.settle());
    expect(calls()).toEqual(['start 200', 'stop 200', 'edit 200', 'edit 200', 'edit 200']);
    expect(shown()[0]?.at(-1)).toBe('It is not 5.');
    expect(platform.state().violations).toEqual([]);
  });

  test('rolls over to edits before the platform ends it', async () => {
    const { clock, message, shown, calls } = await startWorld(slack);
    const answer = message();
    for (let minute = 0; minute < 7; minute++) {
      answer.set(live('word '.repeat(minute + 1)));
      await clock.advance(60_000);
    }
    answer.set(final('the whole of seven minutes'));
    await passing(clock, answer.settle());
    expect(calls().filter((call) => call.endsWith(' 410'))).toEqual([]);
    expect(calls().slice(-4)).toEqual(['stop 200', 'edit 200', 'edit 200', 'edit 200']);
    expect(calls().filter((call) => call.startsWith('stop'))).toEqual(['stop 200']);
    expect(shown()).toHaveLength(1);
    expect(shown()[0]?.at(-1)).toBe('the whole of seven minutes');
  });

  test('goes on by edits when the platform has ended it', async () => {
    const { clock, message, visible, calls, platform } = await startWorld(slack);
    const answer = message();
    answer.set(live('half'));
    await clock.advance(300);
    platform.control({ control: 'end_stream', id: 'm1' });
    answer.set(live('half an'));
    await clock.advance(2_000);
    answer.set(final('half an answer'));
    await passing(clock, answer.settle());
    expect(calls()).toEqual(['start 200', 'append 410', 'edit 200', 'edit 200']);
    expect(visible()).toEqual(['half an answer']);
  });

  test.each(['lost', 'unclear', 'refused', 'limited'] as const)(
    'has no part doubled when an append is %s',
    async (how) => {
      const { clock, message, visible, fault, calls } = await startWorld(slack);
      const answer = message();
      answer.set(live('half '));
      await clock.advance(300);
      fault({ on: 'append', how, times: 1 });
      answer.set(live('half an '));
      await clock.advance(3_000);
      answer.set(final('half an answer'));
      await passing(clock, answer.settle());
      expect(visible()).toEqual(['half an answer']);
      expect(calls().filter((call) => call.startsWith('append'))).toHaveLength(1);
    },
  );

  test.each(['lost', 'unclear', 'refused'] as const)(
    'has no part doubled when its end is %s',
    async (how) => {
      const { clock, message, visible, fault } = await startWorld(slack);
      const answer = message();
      answer.set(live('half '));
      await clock.advance(300);
      fault({ on: 'stop', how, times: 1 });
      answer.set(final('half an answer'));
      await passing(clock, answer.settle());
      expect(visible()).toEqual(['half an answer']);
    },
  );

  test.each(['refused', 'found'] as const)('is one message when its start is lost, keys %s', async (keys) => {
    const { clock, message, visible, fault, platform } = await startWorld({ ...slack, keys });
    const answer = message();
    fault({ on: 'start', how: 'lost', times: 1 });
    answer.set(live('half'));
    await clock.advance(3_000);
    answer.set(final('the whole'));
    await passing(clock, answer.settle());
    expect(visible()).toEqual(['the whole']);
    expect(platform.state().violations).toEqual([]);
  });

  test('is ended before it is edited by the process that goes on', async () => {
    const { clock, message, visible, calls, conversations } = await startWorld(slack);
    message().set(live('half'));
    await clock.advance(300);
    const next = message(await conversations.claim(talk));
    next.set(final('the whole'));
    await passing(clock, next.settle());
    expect(calls()).toEqual(['start 200', 'stop 200', 'edit 200']);
    expect(visible()).toEqual(['the whole']);
  });

  test('does not grow while nobody goes on with it', async () => {
    const { clock, message, platform, calls } = await startWorld(slack);
    const answer = message();
    answer.set(live('Which chapter?'));
    await passing(clock, answer.settle());
    answer.set(live('Which chapter? Three.'));
    await passing(clock, answer.settle());
    expect(platform.state().messages[0]?.growsSince).toBeUndefined();
    expect(calls()).toEqual(['post 200', 'edit 200']);
  });

  const perMinute = (calls: number) =>
    ({ calls, perMs: 60_000, counted: 'window', per: 'workspace', tells: 'nothing' }) as const;

  test('is posted and edited where there are too many of them', async () => {
    const limits = { start: perMinute(1), append: perMinute(100), stop: perMinute(20) };
    const { clock, message, visible, calls } = await startWorld({ ...slack, limits });
    const [one, two] = [message(undefined, '1'), message(undefined, '2')];
    one.set(live('one'));
    await clock.advance(300);
    two.set(live('two'));
    await clock.advance(300);
    expect(calls()).toEqual(['start 200', 'post 200']);
    two.set(final('two.'));
    one.set(final('one.'));
    await passing(clock, Promise.all([one.settle(), two.settle()]));
    expect(visible()).toEqual(['one.', 'two.']);
    expect(calls().filter((call) => call.endsWith('429'))).toEqual([]);
  });

  test('shows its last text although its end has to wait', async () => {
    const limits = { start: perMinute(20), append: perMinute(100), stop: perMinute(1) };
    const { clock, message, visible, calls } = await startWorld({ ...slack, limits });
    const both = [message(undefined, '1'), message(undefined, '2')];
    for (const [index, one] of both.entries()) {
      one.set(live(`answer ${index}`));
      await clock.advance(4_000);
    }
    for (const [index, one] of both.entries()) one.set(final(`answer ${index} is whole`));
    await clock.advance(2_000);
    expect(visible()).toEqual(['answer 0 is whole', 'answer 1 is whole']);
    await passing(clock, Promise.all(both.map((one) => one.settle())), 1_000);
    expect(calls().filter((call) => call.startsWith('stop'))).toEqual(['stop 200', 'stop 200']);
  });

  test('goes on by edits where appends have to wait too long', async () => {
    const limits = { start: perMinute(20), append: perMinute(2), stop: perMinute(20) };
    const { clock, message, visible, calls } = await startWorld({ ...slack, limits });
    const answer = message();
    for (let words = 1; words < 40; words++) {
      answer.set(live('word '.repeat(words)));
      await clock.advance(1_000);
    }
    answer.set(final('the whole'));
    await passing(clock, answer.settle());
    expect(visible()).toEqual(['the whole']);
    expect(calls().filter((call) => call.startsWith('append')).length).toBeLessThanOrEqual(1);
    expect(calls().filter((call) => call.startsWith('edit')).length).toBeGreaterThan(10);
  });
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

test.each(['before', 'after'])('a place that is gone %s the first post is let go', async (when) => {
  const { clock, message, platform, calls } = await startWorld();
  const answer = message();
  if (when === 'before') platform.control({ control: 'delete_place', place: 'room' });
  answer.set(live('half'));
  await clock.advance(200);
  platform.control({ control: 'delete_place', place: 'room' });
  answer.set(final('the whole'));
  await passing(clock, answer.settle());
  expect(calls()).toEqual(when === 'before' ? ['post 404'] : ['post 200', 'edit 404']);
});

test('a page stands below the one before it, unless that one was given up', async () => {
  const { clock, message, visible, fault } = await startWorld({ maxChars: 20 });
  const [first, second, third] = chainOf(message);
  fault({ on: 'post', how: 'refused', times: 1 });
  first.set(final('one'));
  second.set(final('longer than any platform takes'));
  third.set(final('three'));
  await passing(clock, Promise.all([first.settle(), second.settle(), third.settle()]));
  expect(visible()).toEqual(['one', 'three']);
});

test('a message shares what its place takes while it grows, and no longer', async () => {
  const { clock, message, learned } = await startWorld();
  const answer = message();
  for (const content of [live('a'), live('ab'), final('abc')]) {
    answer.set(content);
    await clock.advance(2_000);
  }
  // It is posted once: that is its last write of this kind.
  expect(learned).toEqual(['post last', 'edit', 'edit last']);
});

test('a page is posted when the one above it says all that it is to say', async () => {
  const { clock, message, visible, fault } = await startWorld();
  const [first, second] = chainOf(message);
  first.set(live('half'));
  await clock.advance(200);
  fault({ on: 'edit', how: 'limited', times: 1, retryAfterMs: 5_000 });
  first.set(final('the whole'), true);
  second.set(live('and more'));
  await clock.advance(4_000);
  expect(visible()).toEqual(['half']);
  await clock.advance(2_000);
  expect(visible()).toEqual(['the whole', 'and more']);
});

test('a page that is given up while it is brought to its end holds nobody up', async () => {
  const { clock, message, visible } = await startWorld({ maxChars: 20 });
  const [first, second] = chainOf(message);
  first.set(live('half'));
  await clock.advance(200);
  first.set(final('longer than any platform takes'), true);
  second.set(live('and more'));
  await clock.advance(2_000);
  expect(visible()).toEqual(['half', 'and more']);
});

test('a page that may be there is away before the one above it is, so that both come back in order', async () => {
  const { clock, message, visible, fault } = await startWorld({ keys: 'refused' });
  const [first, second, third] = chainOf(message);
  first.set(final('one'));
  second.set(final('two'));
  await passing(clock, Promise.all([first.settle(), second.settle()]));
  fault({ on: 'post', how: 'unclear', times: 1 });
  third.set(live('three'));
  await clock.advance(100);
  fault({ on: 'post', how: 'limited', times: 1, retryAfterMs: 5_000 });
  await clock.advance(1_000);
  third.remove();
  second.remove();
  await clock.advance(1_000);
  second.set(final('two'));
  third.set(final('three'));
  await passing(clock, Promise.all([first.settle(), second.settle(), third.settle()]));
  expect(visible()).toEqual(['one', 'two', 'three']);
});

test('a page that is to be taken away is looked after for as long as a last text', async () => {
  const { clock, message, visible, fault } = await startWorld();
  const page = message();
  page.set(live('half'));
  await clock.advance(200);
  fault({ on: 'remove', how: 'refused', times: 20 });
  page.remove();
  await passing(clock, page.settle(), 1_000);
  expect(visible()).toEqual([]);
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
