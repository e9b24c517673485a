import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ConversationId } from '../../../src/domain/ids.ts';
import type { TurnEvent } from '../../../src/domain/turn.ts';
import { systemClock } from '../../../src/observe/clock.ts';
import { conversationKeys } from '../../../src/store/redis/keys.ts';
import { redisLiveEvents } from '../../../src/store/redis/live-events.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const conversation = ConversationId('term:local');
const told = (text: string): TurnEvent => ({ type: 'told', text });

let server: TestRedis;
beforeAll(async () => void (server = await startTestRedis()));
afterAll(() => server.close());
beforeEach(() => server.clear());

/** Follows until the test ends it; `shown` holds what came. */
async function follower(redis = server.redis) {
  const shown: TurnEvent[] = [];
  const over = new AbortController();
  const live = redisLiveEvents({
    redis,
    connectForBlocking: () => server.connect(),
    clock: systemClock,
    log: quietLog,
  });
  const { done } = await live.follow(conversation, (events) => void shown.push(...events), over.signal);
  return {
    shown,
    live,
    async end() {
      over.abort();
      await done;
    },
  };
}

test('what is published is shown once, in order, also when a batch is sent again', async () => {
  const { shown, live, end } = await follower();
  await live.publish(conversation, [told('a'), told('b')], '1');
  await live.publish(conversation, [told('a'), told('b')], '1');
  await live.publish(conversation, [told('c')], '2');
  await expect.poll(() => shown).toEqual([told('a'), told('b'), told('c')]);
  await end();
});

test('a Redis that does not answer for a while does not end the following', async () => {
  const impatient = server.redis.duplicate({ commandTimeout: 50 });
  const { shown, end } = await follower(impatient);
  const { live: elsewhere, end: endElsewhere } = await follower(server.connect());
  // The follower reads, and its note of what it has shown gets no answer in time.
  await server.redis.multi().client('PAUSE', 300, 'WRITE').exec();
  const sent = elsewhere.publish(conversation, [told('one')], '1');
  await expect(impatient.set('x', 'y')).rejects.toThrow('timed out');
  await sent;
  await expect.poll(() => shown).toEqual([told('one')]);
  server.signal('SIGSTOP');
  await expect(impatient.set('x', 'y')).rejects.toThrow('timed out');
  server.signal('SIGCONT');
  await elsewhere.publish(conversation, [told('two')], '2');
  await expect.poll(() => shown).toEqual([told('one'), told('two')]);
  await Promise.all([end(), endElsewhere()]);
  impatient.disconnect();
});

test('a Redis that is full takes no note of what was shown, and the following goes on', async () => {
  const { shown, live, end } = await follower();
  await live.publish(conversation, [told('one')], '1');
  await expect.poll(() => shown).toEqual([told('one')]);
  const full = server.redis.multi();
  full.xadd(conversationKeys(conversation).live, '*', 'e', JSON.stringify([told('two')]), 'b', '2');
  await full.config('SET', 'maxmemory', '1').exec();
  await expect.poll(() => shown).toEqual([told('one'), told('two')]);
  await server.redis.config('SET', 'maxmemory', '0');
  await live.publish(conversation, [told('three')], '3');
  await expect.poll(() => shown).toEqual([told('one'), told('two'), told('three')]);
  await end();
});
