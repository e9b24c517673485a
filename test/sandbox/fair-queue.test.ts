import { expect, test } from 'vitest';
import { FairQueue } from '../../src/sandbox/fair-queue.ts';

const never = new AbortController().signal;

test('whoever has many waiting does not hold up the one of another', async () => {
  const queue = new FairQueue<string>(1);
  const done: string[] = [];
  const work = (name: string) => async () => void done.push(name);
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((name) => queue.run('ann', work(name), never)),
    ...['b1', 'b2'].map((name) => queue.run('bob', work(name), never)),
    queue.run('cem', work('c1'), never),
  ]);
  expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('as many run at once as there may, also after failures', async () => {
  const queue = new FairQueue<string>(2);
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((go) => setImmediate(go));
    running -= 1;
    throw new Error('failed');
  };
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => queue.run(`person ${n % 3}`, work, never)),
  );
  expect(results.every(({ status }) => status === 'rejected')).toBe(true);
  expect(most).toBe(2);
});

test('who does not want to wait any more leaves the line', async () => {
  const queue = new FairQueue<string>(1);
  let finish = () => {};
  const first = queue.run('ann', () => new Promise<void>((resolve) => void (finish = resolve)), never);
  const leaving = new AbortController();
  const left = queue.run('bob', async () => 'ran', leaving.signal);
  const stays = queue.run('cem', async () => 'ran', never);
  leaving.abort(new Error('stopped'));
  await expect(left).rejects.toThrow('stopped');
  finish();
  await first;
  expect(await stays).toBe('ran');
});
