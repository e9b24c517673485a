import { expect, test } from 'vitest';
import { ownPaceBudgets } from '../../src/delivery/own-pace.ts';
import type { Importance } from '../../src/ports/rate-budget.ts';
import { manualClock } from '../support/clock.ts';

const name = { surface: 'web', route: 'edit', scope: 'talk' };
const rule = { calls: 1, perMs: 1_000 };

test('each message has its own pace; what matters at once waits for nothing', async () => {
  const clock = manualClock(0);
  const budgets = ownPaceBudgets(clock);
  const ask = (message: string, importance: Importance) =>
    budgets.budget({ name, rule }).ask({ message, importance, unseenMs: 0 });
  expect(await ask('a', 'text')).toEqual({ granted: true });
  expect(await ask('b', 'text')).toEqual({ granted: true });
  expect(await ask('a', 'text')).toEqual({ granted: false, waitMs: 50 });
  await clock.advance(30);
  expect(await ask('a', 'thinking')).toEqual({ granted: false, waitMs: 20 });
  expect(await ask('a', 'final')).toEqual({ granted: true });
  expect(await ask('a', 'text')).toEqual({ granted: false, waitMs: 50 });
  await clock.advance(50);
  expect(await ask('a', 'text')).toEqual({ granted: true });
});
