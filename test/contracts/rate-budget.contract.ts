/** What every rate budget must do; each implementation runs this suite, in virtual time. */
import { beforeEach, describe, expect, test } from 'vitest';
import type {
  CallReply,
  Importance,
  RateBudget,
  RateBudgets,
  RateHeaders,
} from '../../src/ports/rate-budget.ts';
import { fixedWindow } from '../support/pace/platforms.ts';

const edits = { surface: 'discord', route: 'edit', scope: 'room' };
const discord = { calls: 5, perMs: 5_000 };
const slack = { calls: 50, perMs: 60_000 };

export function rateBudgetContract(
  name: string,
  open: (now: () => number) => Promise<RateBudgets> | RateBudgets,
): void {
  describe(name, () => {
    let now = 0;
    let budgets: RateBudgets;
    let budget: RateBudget;

    beforeEach(async () => {
      now = 1_000_000;
      budgets = await open(() => now);
      budget = budgets.budget({ name: edits, rule: discord });
    });

    /** `go`, or how many milliseconds to wait. */
    const ask = async (message: string, importance: Importance = 'text', unseenMs = 0) => {
      const turn = await budget.ask({ message, importance, unseenMs });
      return turn.granted ? 'go' : turn.waitMs;
    };
    const written = (message: string, headers?: RateHeaders) =>
      budget.learn(message, { callMs: 100, outcome: 'written', ...(headers && { headers }) });
    const refused = (message: string, told: Pick<CallReply, 'retryAfterMs'> = {}) =>
      budget.learn(message, { callMs: 100, outcome: 'refused', ...told });
    /** One write that is answered 100 ms later. */
    const write = async (message: string, importance: Importance, headers?: RateHeaders) => {
      expect(await ask(message, importance)).toBe('go');
      now += 100;
      await written(message, headers);
    };
    const left = (remaining: number, resetAfterMs: number): RateHeaders => ({
      limit: 5,
      remaining,
      resetAfterMs,
    });

    test('the first text goes out at once, the next one after its share of the window', async () => {
      await write('a', 'first', left(4, 5_000));
      // 5 writes in 5,100 ms; a little later than evenly, counted from when the text came.
      expect(await ask('a', 'text', 80)).toBe(970);
      now += 970;
      expect(await ask('a', 'text', 80 + 970)).toBe('go');
    });

    test('a final text does not wait for its share', async () => {
      await write('a', 'first', left(4, 5_000));
      expect(await ask('b', 'text', 80)).toBe(970);
      expect(await ask('a', 'final', 80)).toBe('go');
    });

    test('what is left in a window after a pause is spread without the last one: that is for a final text', async () => {
      await write('a', 'first', left(4, 5_000));
      now += 3_000;
      await write('a', 'text', left(3, 1_900));
      // 2,000 ms from the write to the end of the window, 3 left: two texts and one final.
      expect(await ask('a')).toBe(567);
    });

    test('with nothing left even a final text waits for the end of the window', async () => {
      await write('a', 'first', left(0, 4_000));
      expect(await ask('a', 'final')).toBe(4_000);
      expect(await ask('b', 'text')).toBe(4_250);
      now += 4_000;
      expect(await ask('a', 'final', 4_000)).toBe('go');
    });

    test('after the end of a window one call finds out, the others wait for its answer', async () => {
      await write('a', 'first', left(0, 4_000));
      now += 4_000;
      expect(await ask('a', 'final')).toBe('go');
      expect(await ask('b', 'final')).toBe(100);
      now += 100;
      await written('a', left(4, 4_900));
      for (const one of ['b', 'c', 'd', 'e']) expect(await ask(one, 'final')).toBe('go');
      expect(await ask('f', 'final')).toBeGreaterThan(4_000);
    });

    test('calls that are on their way are not counted twice and not forgotten', async () => {
      await write('a', 'first', left(4, 5_000));
      expect(await ask('b', 'final')).toBe('go');
      expect(await ask('c', 'final')).toBe('go');
      now += 100;
      // Only b was counted when this was told.
      await written('b', left(3, 4_900));
      expect(await ask('d', 'final')).toBe('go');
      expect(await ask('e', 'final')).toBe('go');
      expect(await ask('f', 'final')).toBe(4_900);
    });

    test('answers may come in any order: the lowest number counts', async () => {
      await write('a', 'first', left(4, 5_000));
      for (const one of ['b', 'c', 'd']) expect(await ask(one, 'final')).toBe('go');
      now += 100;
      // The platform counted c, d and b, in this order.
      await written('b', left(1, 4_900));
      await written('d', left(2, 4_900));
      await written('c', left(3, 4_900));
      expect(await ask('e', 'final')).toBe('go');
      expect(await ask('f', 'final')).toBeGreaterThan(4_800);
    });

    test('a call whose answer told nothing may have been counted', async () => {
      await write('a', 'first', left(2, 5_000));
      expect(await ask('b', 'final')).toBe('go');
      await budget.learn('b', { callMs: 10_000, outcome: 'failed' });
      expect(await ask('c', 'final')).toBe('go');
      expect(await ask('d', 'final')).toBe(5_000);
    });

    test('calls that find nothing out are no more than a window has', async () => {
      await write('a', 'first', left(0, 4_000));
      now += 4_000;
      for (let call = 0; call < 5; call += 1) {
        expect(await ask('a', 'final')).toBe('go');
        now += 100;
        await budget.learn('a', { callMs: 100, outcome: 'failed' });
      }
      expect(await ask('a', 'final')).toBeGreaterThan(3_000);
    });

    test('an answer that tells of a window gone by says nothing about this one', async () => {
      await write('a', 'first', left(1, 1_000));
      expect(await ask('slow', 'final')).toBe('go');
      now += 1_000;
      await write('b', 'final', left(4, 4_900));
      await budget.learn('slow', { callMs: 1_100, outcome: 'written', headers: left(0, 400) });
      for (const one of ['c', 'd', 'e', 'f']) expect(await ask(one, 'final')).toBe('go');
    });

    test('a call from the last window that arrived in this one is counted', async () => {
      await write('a', 'first', left(1, 1_000));
      expect(await ask('slow', 'final')).toBe('go');
      now += 1_000;
      expect(await ask('b', 'final')).toBe('go');
      now += 100;
      // The platform counted b first; its answer was slower.
      await budget.learn('slow', { callMs: 1_100, outcome: 'written', headers: left(3, 4_900) });
      await written('b', left(4, 4_900));
      for (const one of ['c', 'd', 'e']) expect(await ask(one, 'final')).toBe('go');
      expect(await ask('f', 'final')).toBeGreaterThan(4_000);
    });

    test('a platform whose reset moves with every call is a bucket: the next call is free before it is full', async () => {
      await write('a', 'final', left(4, 1_000));
      await write('b', 'final', left(3, 1_900));
      await write('c', 'final', left(2, 2_800));
      await write('d', 'final', left(1, 3_700));
      await write('e', 'final', left(0, 4_600));
      // A window would be over in 4,600 ms; a bucket that is full by then gets one call per second.
      expect(await ask('f', 'final')).toBe(600);
    });

    test('a platform that tells of a new window without all its calls is a bucket, and told when the next call was free', async () => {
      await write('a', 'final', left(4, 1_000));
      await write('b', 'final', left(3, 900));
      await write('c', 'final', left(2, 800));
      await write('d', 'final', left(1, 700));
      now += 700;
      await write('e', 'final', left(1, 1_000));
      // The one that is free is kept for a final text; two are in a second.
      expect(await ask('f', 'text', 80)).toBe(1_000);
      expect(await ask('f', 'final', 80)).toBe('go');
    });

    test('a window in which others write, too, stays one', async () => {
      await write('a', 'first', left(4, 5_000));
      now += 5_000;
      await write('b', 'final', left(2, 4_800));
      for (const one of ['c', 'd']) expect(await ask(one, 'final')).toBe('go');
      expect(await ask('e', 'final')).toBe(4_800);
    });

    test('where answers come in 2 ms, a window is not believed to be over one of them early', async () => {
      for (const remaining of [4, 3, 2, 1, 0]) {
        expect(await ask('a', 'final')).toBe('go');
        now += 2;
        const headers = left(remaining, 5_000 - (4 - remaining) * 2);
        await budget.learn('a', { callMs: 2, outcome: 'written', headers });
      }
      expect(await ask('a', 'final')).toBe(4_992);
    });

    test('an answer that a busy process tells late does not make a bucket of a window', async () => {
      await write('a', 'first', left(4, 5_000));
      expect(await ask('b', 'final')).toBe('go');
      now += 400;
      // It took 50 ms. What it tells of the end of the window is as old as that, or as old as the call may be.
      await budget.learn('b', { callMs: 50, outcome: 'written', headers: left(3, 4_850) });
      for (const one of ['c', 'd', 'e']) expect(await ask(one, 'final')).toBe('go');
      expect(await ask('f', 'final')).toBe(4_600);
    });

    test('a bucket that tells when it is full may round what is left of it', async () => {
      await write('a', 'final', left(4, 1_000));
      await write('b', 'final', left(3, 1_900));
      await write('c', 'final', left(2, 2_800));
      // Two are left, to the millisecond, or nearly so.
      await write('d', 'final', left(1, 3_000));
      for (const one of ['e', 'f']) expect(await ask(one, 'final')).toBe('go');
      expect(await ask('g', 'final')).not.toBe('go');
    });

    test('one call of a bucket is kept for a final text', async () => {
      await write('a', 'final', left(4, 1_000));
      await write('b', 'final', left(3, 1_900));
      await write('c', 'final', left(2, 2_800));
      await write('d', 'final', left(1, 3_700));
      expect(await ask('e', 'text', 80)).toBe(900);
      expect(await ask('e', 'final', 80)).toBe('go');
    });

    test('who is more important goes first, and of equals who has waited longer', async () => {
      await write('z', 'first', left(0, 100));
      const start = now;
      const waiting = new Map<string, { importance: Importance; unseenMs: number; askAt: number }>([
        ['thinking', { importance: 'thinking', unseenMs: 900, askAt: now }],
        ['tools', { importance: 'tools', unseenMs: 900, askAt: now }],
        ['young', { importance: 'text', unseenMs: 100, askAt: now }],
        ['old', { importance: 'text', unseenMs: 200, askAt: now }],
        ['first', { importance: 'first', unseenMs: 0, askAt: now }],
        ['click', { importance: 'click', unseenMs: 0, askAt: now }],
        ['question', { importance: 'question', unseenMs: 0, askAt: now }],
        ['final', { importance: 'final', unseenMs: 0, askAt: now }],
      ]);
      const went: string[] = [];
      while (waiting.size > 0) {
        now = Math.max(now, Math.min(...[...waiting.values()].map(({ askAt }) => askAt)));
        for (const [message, one] of waiting) {
          if (one.askAt > now) continue;
          const wait = await ask(message, one.importance, one.unseenMs + now - start);
          if (wait !== 'go') {
            waiting.set(message, { ...one, askAt: now + wait });
            continue;
          }
          went.push(message);
          waiting.delete(message);
          await written(message, left(0, 100));
        }
      }
      expect(went).toEqual(['final', 'question', 'click', 'first', 'old', 'young', 'tools', 'thinking']);
    });

    test('text that waited for much more than a round of all answers goes before final ones', async () => {
      await write('z', 'first', left(0, 1_000));
      expect(await ask('a', 'text', 2_600)).not.toBe('go');
      expect(await ask('b', 'final', 100)).not.toBe('go');
      now += 1_000;
      expect(await ask('b', 'final', 1_100)).not.toBe('go');
      expect(await ask('a', 'text', 3_600)).toBe('go');
    });

    test('the last call of a window is for text that cannot wait for the next one, otherwise for a final text', async () => {
      await write('z', 'first', left(1, 2_000));
      // Due 2,800 ms after it came: in 800 ms.
      expect(await ask('old', 'text', 2_000)).not.toBe('go');
      expect(await ask('b', 'final')).not.toBe('go');
      await budget.leave('old');
      expect(await ask('young', 'text', 100)).not.toBe('go');
      expect(await ask('b', 'final')).toBe('go');
    });

    // Text is due after a round of all that share the budget: the more they are, the longer it can wait for a final text.
    const sharers: [string, 'counts' | 'does not count', Importance, { isLast: boolean; agoMs: number }][] = [
      ['still grows', 'counts', 'text', { isLast: false, agoMs: 0 }],
      ['is full and goes on in another one', 'does not count', 'text', { isLast: true, agoMs: 0 }],
      ['has just ended', 'counts', 'final', { isLast: true, agoMs: 0 }],
      ['ended 10 s ago', 'does not count', 'final', { isLast: true, agoMs: 10_000 }],
      [
        'has wanted nothing for 20 s: its process died,',
        'does not count',
        'text',
        { isLast: false, agoMs: 20_500 },
      ],
    ];
    test.each(sharers)('a message that %s %s', async (_, counts, importance, { isLast, agoMs }) => {
      for (const one of ['1', '2', '3', '4', '5', '6', '7', '8']) {
        expect(await ask(one, importance)).toBe('go');
        now += 300;
        const headers = left(4, 100);
        await budget.learn(one, { callMs: 100, outcome: 'written', headers, ...(isLast && { isLast }) });
        now += 200;
      }
      now += agoMs;
      await write('z', 'first', left(1, 2_000));
      await ask('old', 'text', 2_000);
      expect((await ask('b', 'final')) === 'go').toBe(counts === 'counts');
    });

    test('who does not come when told loses the place', async () => {
      await write('z', 'first', left(0, 1_000));
      expect(await ask('gone', 'final')).toBe(1_000);
      expect(await ask('a', 'text')).toBe(1_250);
      now += 1_250;
      expect(await ask('a', 'text')).not.toBe('go');
      now += 1;
      expect(await ask('a', 'text')).toBe('go');
    });

    test('who leaves makes way at once', async () => {
      await write('z', 'first', left(0, 1_000));
      await ask('stopped', 'final');
      await ask('a', 'text');
      await budget.leave('stopped');
      now += 1_000;
      expect(await ask('a', 'text')).toBe('go');
    });

    test('after a refusal everybody waits as long as the platform said, then one tries', async () => {
      await write('a', 'first', left(4, 5_000));
      expect(await ask('a', 'final')).toBe('go');
      now += 100;
      await refused('a', { retryAfterMs: 7_000 });
      expect(await ask('a', 'final')).toBe(7_000);
      now += 7_000;
      expect(await ask('a', 'final')).toBe('go');
      expect(await ask('b', 'final')).toBe(100);
    });

    test('a refusal of an hour is an hour', async () => {
      await write('a', 'first', left(4, 5_000));
      expect(await ask('a', 'final')).toBe('go');
      await refused('a', { retryAfterMs: 3_600_000 });
      expect(await ask('a', 'final')).toBe(3_600_000);
      now += 3_599_000;
      expect(await ask('a', 'final')).toBe(1_000);
    });

    test('however old text is after a refusal: final texts go first', async () => {
      await write('a', 'first', left(4, 5_000));
      expect(await ask('a', 'text', 2_000)).not.toBe('go');
      expect(await ask('b', 'final')).toBe('go');
      await refused('b', { retryAfterMs: 60_000 });
      await ask('b', 'final');
      await ask('a', 'text', 2_000);
      now += 60_000;
      expect(await ask('a', 'text', 62_000)).not.toBe('go');
      expect(await ask('b', 'final', 60_000)).toBe('go');
    });

    test('a call that was on its way when another was refused unlocks nothing', async () => {
      await write('a', 'first', left(4, 5_000));
      for (const one of ['b', 'c']) expect(await ask(one, 'final')).toBe('go');
      now += 100;
      await refused('b', { retryAfterMs: 1_000 });
      await written('c', left(2, 4_900));
      expect(await ask('d', 'final')).toBe(1_000);
      now += 1_000;
      expect(await ask('d', 'final')).toBe('go');
      expect(await ask('e', 'final')).toBe(100);
    });

    test('numbers that make no sense are not believed', async () => {
      await write('a', 'first', { limit: 0, remaining: 0, resetAfterMs: 1_000 });
      await write('a', 'final', { limit: 5, remaining: Number.NaN, resetAfterMs: Number.NaN });
      now += 5_000;
      await write('a', 'final', left(0, Number.POSITIVE_INFINITY));
      await write('b', 'final', left(4, 0));
      expect(await ask('a', 'final')).toBe('go');
      await refused('a', { retryAfterMs: Number.POSITIVE_INFINITY });
      expect(await ask('a', 'final')).toBe(24 * 3_600_000);
    });

    test('refusals without a time wait longer each time, a minute at most', async () => {
      const waits: unknown[] = [];
      for (let round = 0; round < 8; round++) {
        expect(await ask('a', 'final')).toBe('go');
        await refused('a');
        const wait = await ask('a', 'final');
        waits.push(wait);
        now += Number(wait);
      }
      expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
      await write('a', 'final');
      now += 60_000;
      expect(await ask('a', 'final')).toBe('go');
      await refused('a');
      expect(await ask('a', 'final')).toBe(1_000);
    });

    test('without headers calls are counted: no window of the platform gets more than its calls', async () => {
      budget = budgets.budget({ name: { ...edits, scope: 'workspace' }, rule: slack });
      const calls: number[] = [];
      while (now < 1_300_000) {
        const turn = await ask('a', calls.length % 7 === 0 ? 'final' : 'text');
        if (turn === 'go') {
          calls.push(now);
          await written('a');
        } else {
          now += turn;
        }
      }
      const most = Math.max(
        ...calls.map((from) => calls.filter((at) => at >= from && at < from + 60_000).length),
      );
      expect(most).toBeGreaterThan(47);
      expect(most).toBeLessThanOrEqual(50);
    });

    test('without headers one call is kept for a final text', async () => {
      budget = budgets.budget({ name: { ...edits, scope: 'workspace' }, rule: slack });
      await write('a', 'first');
      expect(await ask('b')).toBe(1_130);
      expect(await ask('a', 'final')).toBe('go');
      expect(await ask('b', 'final')).toBe(1_130);
    });

    test('a rule of one call per second knows no reserve', async () => {
      budget = budgets.budget({ name: { ...edits, route: 'post' }, rule: { calls: 1, perMs: 1_000 } });
      await write('a', 'final');
      expect(await ask('b', 'final')).toBe(1_150);
      now += 1_150;
      expect(await ask('b', 'final')).toBe('go');
    });

    test('a process that died with a call on its way does not take a call from others for ever', async () => {
      // A bucket.
      await write('a', 'final', left(4, 1_000));
      await write('b', 'final', left(3, 1_900));
      await write('c', 'final', left(2, 2_800));
      expect(await ask('dead', 'final')).toBe('go');
      now += 30_000;
      await write('d', 'final', left(4, 1_000));
      for (const one of ['e', 'f', 'g', 'h']) expect(await ask(one, 'final')).toBe('go');
      expect(await ask('i', 'final')).not.toBe('go');
    });

    test('what a process had on its way when it died counts as done', async () => {
      await write('a', 'first', left(2, 60_000));
      expect(await ask('dead', 'final')).toBe('go');
      now += 30_000;
      expect(await ask('b', 'final')).toBe('go');
      expect(await ask('c', 'final')).toBe(30_000);
    });

    test('also when another process goes on with its message', async () => {
      await write('a', 'first', left(2, 60_000));
      expect(await ask('dead', 'final')).toBe('go');
      now += 1_000;
      await write('dead', 'final');
      expect(await ask('b', 'final')).toBeGreaterThan(50_000);
    });

    test('a limit that changes is learned anew', async () => {
      await write('a', 'first', left(4, 5_000));
      await write('a', 'final', { limit: 2, remaining: 1, resetAfterMs: 1_000 });
      // Two in a second: half a second from the last write.
      expect(await ask('a', 'text', 100)).toBe(450);
    });

    test('a window that was believed to be over too early is waited for longer, for a while', async () => {
      const place = fixedWindow(5, 5_000);
      /** How long a sixth write waits. */
      const waitAtEnd = async () => {
        for (let round = 0; round < 5; round++) await write('a', 'final', place.call(now + 50).headers);
        const wait = Number(await ask('a', 'final'));
        now += wait;
        return wait;
      };
      await waitAtEnd();
      const before = await waitAtEnd();
      expect(await ask('a', 'final')).toBe('go');
      await refused('a', { retryAfterMs: 1_000 });
      now += 1_000;
      const after = await waitAtEnd();
      expect(after - before).toBeGreaterThan(40);
      for (let round = 0; round < 10; round++) await waitAtEnd();
      expect(Math.abs((await waitAtEnd()) - before)).toBeLessThan(10);
    });

    test('budgets of different places, routes and surfaces know nothing of each other', async () => {
      await write('a', 'first', left(0, 5_000));
      for (const other of [{ scope: 'hall' }, { route: 'post' }, { surface: 'slack' }]) {
        budget = budgets.budget({ name: { ...edits, ...other }, rule: discord });
        expect(await ask('a', 'first')).toBe('go');
      }
      budget = budgets.budget({ name: edits, rule: discord });
      expect(await ask('a', 'final')).toBe(5_000);
    });
  });
}
