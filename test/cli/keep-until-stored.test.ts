import { expect, test } from 'vitest';
import { keepUntilStored } from '../../src/cli/keep-until-stored.ts';
import { EventId, UserId } from '../../src/domain/ids.ts';
import type { InboxItem } from '../../src/domain/inbound.ts';
import { manualClock } from '../support/clock.ts';
import { quietLog } from '../support/quiet-log.ts';

const typed = (content: string): InboxItem => ({
  kind: 'message',
  id: EventId(content),
  author: UserId('term:you'),
  address: { surface: 'term', place: 'local' },
  content,
});

/** A Redis that is away until `isAway` is set to false. */
function awayRedis() {
  const stored: string[] = [];
  const told: string[] = [];
  const over = new AbortController();
  const clock = manualClock(0);
  const redis = { isAway: true };
  const store = keepUntilStored({
    accept: async (item) => {
      if (redis.isAway) throw new Error('away');
      stored.push(item.id);
      return 'queued';
    },
    onAway: () => void told.push('away'),
    clock,
    log: quietLog,
    signal: over.signal,
  });
  return { stored, told, over, clock, redis, store };
}

test('what was typed while Redis was away is stored in the order in which it was typed, and told once', async () => {
  const { stored, told, clock, redis, store } = awayRedis();
  const first = store(typed('first'));
  await clock.advance(600);
  const second = store(typed('second'));
  await clock.advance(300);
  redis.isAway = false;
  await clock.advance(50);
  expect(stored).toEqual([]);
  await clock.advance(100);
  expect([await first, await second]).toEqual(['queued', 'queued']);
  expect(stored).toEqual(['first', 'second']);
  expect(told).toEqual(['away']);
});

test('when the person leaves, what is not stored is dropped', async () => {
  const { stored, over, store } = awayRedis();
  const [first, second] = [store(typed('first')), store(typed('second'))];
  over.abort();
  expect([await first, await second]).toEqual([undefined, undefined]);
  expect(stored).toEqual([]);
});
