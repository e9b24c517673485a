// 10,000 reminders that are due in the same minute, over 200 rooms, in virtual time: people who ask meanwhile do not wait
// for them.
import { expect, test } from 'vitest';
import { LiveMessage } from '../../src/delivery/live-message.ts';
import { localRateBudgets } from '../../src/delivery/local-rate-budgets.ts';
import { ConversationId, TurnId, UserId } from '../../src/domain/ids.ts';
import type { SurfaceMessage } from '../../src/domain/surface-message.ts';
import { memoryConversations } from '../../src/store/memory.ts';
import { chance } from '../support/chance.ts';
import { manualClock } from '../support/clock.ts';
import { quietLog } from '../support/quiet-log.ts';
import { inProcessSurface } from '../support/surface/in-process.ts';
import { FakePlatform } from '../support/surface/platform.ts';
import type { PlatformLimit } from '../support/surface/platform-calls.ts';

const rooms = 200;
const remindersPerRoom = 50;
const latencyMs = 75;
const limit: PlatformLimit = { calls: 5, perMs: 5_000, counted: 'bucket', per: 'place', tells: 'headers' };

test('all are said, none is refused, and a first word waits for a second at most', async () => {
  const { upTo } = chance(7);
  const waits: number[] = [];
  // Rooms share no limit, so each has a time of its own.
  for (let room = 0; room < rooms; room += 1) waits.push(await inRoom(5_000 + upTo(30_000)));
  expect(Math.max(...waits)).toBeLessThanOrEqual(1_000 + 2 * latencyMs);
}, 60_000);

/** All reminders of a room are due at once, and somebody asks `atMs` later: how long the first words take. */
async function inRoom(atMs: number): Promise<number> {
  const clock = manualClock();
  const limits = { post: limit, edit: limit };
  const platform = new FakePlatform(() => clock.now(), { limits, latencyMs, maxChars: 10_000 });
  const budgets = localRateBudgets(clock);
  const store = memoryConversations(clock);
  const surface = inProcessSurface(platform, clock)('room');
  const shows = async (slot: string, message: SurfaceMessage): Promise<void> => {
    const live = new LiveMessage({
      surface,
      budgets,
      ledger: store.ledger(ConversationId('fake:room'), TurnId(slot)),
      slot,
      key: `room:${slot}`,
      clock,
      log: quietLog,
      signal: new AbortController().signal,
    });
    live.set(message);
    await live.settle();
  };
  const shown: string[] = [];
  let waitMs = 0;
  const answers = async () => {
    await clock.sleep(atMs);
    await shows('answer', { kind: 'answer', state: 'live', text: 'The first words.' });
    waitMs = clock.now() - atMs;
    shown.push('answer');
  };
  const reminds = async (n: number) => {
    const calls = UserId(`fake:${n}`);
    await shows(`reminder:${n}`, { kind: 'notice', state: 'final', text: `⏰ ${n}`, calls });
    shown.push(`reminder ${n}`);
  };
  const all = [answers(), ...Array.from({ length: remindersPerRoom }, (_, n) => reminds(n))];
  while (shown.length < all.length) await clock.advance(1_000);
  await Promise.all(all);
  const { calls, messages } = platform.state();
  expect(calls.filter(({ status }) => status === 429)).toEqual([]);
  expect(messages).toHaveLength(remindersPerRoom + 1);
  return waitMs;
}
