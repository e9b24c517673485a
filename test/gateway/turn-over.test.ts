import { expect, test } from 'vitest';
import { ConversationId } from '../../src/domain/ids.ts';
import { untilTurnOver } from '../../src/gateway/turn-over.ts';
import { manualClock } from '../support/clock.ts';

const talk = ConversationId('discord:7');

/** How long it waits for a turn that runs so long. Unit: milliseconds. */
async function waitsFor(busyMs: number): Promise<number> {
  const clock = manualClock();
  let waited = 0;
  const over = untilTurnOver({ isBusy: async () => clock.now() < busyMs, clock }, talk).then(() => {
    waited = clock.now();
  });
  await clock.advance(5_000);
  await over;
  return waited;
}

test('where no turn runs it does not wait', async () => {
  expect(await waitsFor(0)).toBe(0);
});

test('a turn that comes to its end is waited for', async () => {
  expect(await waitsFor(250)).toBe(300);
});

test('one that goes on is waited for no longer than a second', async () => {
  expect(await waitsFor(60_000)).toBe(1_000);
});
