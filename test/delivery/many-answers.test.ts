/** Live messages that share a channel's limit, end to end in virtual time; the policy alone: `pace-goals.test.ts`. */
import { expect, test } from 'vitest';
import { LiveMessage } from '../../src/delivery/live-message.ts';
import { localRateBudgets } from '../../src/delivery/local-rate-budgets.ts';
import { ConversationId, TurnId } from '../../src/domain/ids.ts';
import { memoryConversations } from '../../src/store/memory.ts';
import { manualClock } from '../support/clock.ts';
import { quietLog } from '../support/quiet-log.ts';
import { inProcessSurface } from '../support/surface/in-process.ts';
import { FakePlatform } from '../support/surface/platform.ts';
import type { PlatformLimit } from '../support/surface/platform-calls.ts';

const perRoom = (counted: PlatformLimit['counted']): PlatformLimit => ({
  calls: 5,
  perMs: 5_000,
  counted,
  per: 'place',
  tells: 'headers',
});
/** Text comes so often for so long; answers begin and end so far apart. Unit: milliseconds. */
const everyMs = 100;
const flowsMs = 60_000;
const apartMs = 5_000;

const cases = (['window', 'bucket'] as const).flatMap((counted) => [
  { counted, answers: 8, rooms: 1 },
  { counted, answers: 40, rooms: 8 },
]);

test.each(cases)('$answers answers in $rooms rooms that count in a $counted', async (world) => {
  const { refused, worstGapMs, worstFinalMs, texts } = await run(world);
  const perRoomNow = world.answers / world.rooms;
  expect(refused).toBe(0);
  expect(worstGapMs).toBeLessThanOrEqual(1.25 * perRoomNow * 1_000 + everyMs);
  expect(worstFinalMs).toBeLessThanOrEqual(5_000);
  expect(texts).toEqual(Array.from({ length: world.answers }, (_, index) => `answer ${index} is whole`));
});

async function run({ counted, answers, rooms }: (typeof cases)[number]) {
  const clock = manualClock();
  const limits = { post: perRoom(counted), edit: perRoom(counted) };
  const platform = new FakePlatform(() => clock.now(), { limits, latencyMs: 75, maxChars: 10_000 });
  const store = memoryConversations(clock);
  const budgets = localRateBudgets(clock);
  const lagsMs: number[] = [];
  const changedAt = new Map<string, number>();
  const surfaceAt = inProcessSurface(platform, clock);
  let worstGapMs = 0;

  const answer = async (index: number): Promise<void> => {
    const place = `room-${index % rooms}`;
    const conversation = ConversationId(`fake:${place}:${index}`);
    const surface = surfaceAt(place);
    const message = new LiveMessage({
      surface: {
        ...surface,
        async edit(ref, content, signal) {
          const before = changedAt.get(ref.id);
          if (before !== undefined && content.state === 'live')
            worstGapMs = Math.max(worstGapMs, clock.now() - before);
          changedAt.set(ref.id, clock.now());
          return surface.edit(ref, content, signal);
        },
      },
      budgets,
      ledger: store.ledger(conversation, TurnId('t')),
      slot: 'answer:1',
      key: `${conversation}:t:answer:1`,
      clock,
      log: quietLog,
      signal: new AbortController().signal,
    });
    await clock.sleep(Math.floor(index / rooms) * apartMs);
    for (let words = 1; words <= flowsMs / everyMs; words++) {
      message.grow(() => ({ kind: 'answer', state: 'live', text: 'word '.repeat(words) }));
      await clock.sleep(everyMs);
    }
    const endedAt = clock.now();
    message.set({ kind: 'answer', state: 'final', text: `answer ${index} is whole` });
    await message.settle();
    lagsMs.push(clock.now() - endedAt);
  };

  const all = Array.from({ length: answers }, (_, index) => answer(index));
  while (lagsMs.length < answers) await clock.advance(1_000);
  await Promise.all(all);
  const { calls, messages } = platform.state();
  return {
    refused: calls.filter(({ status }) => status === 429).length,
    worstGapMs,
    worstFinalMs: Math.max(...lagsMs),
    texts: messages
      .map(({ versions }) => versions.at(-1)?.text ?? '')
      .toSorted((one, other) => Number(one.split(' ')[1]) - Number(other.split(' ')[1])),
  };
}
