/** Raw BullMQ jobs: added, taken by a worker that does nothing, removed. Items: jobs. */
import { Countdown } from '../support/countdown.ts';
import { inFlight } from '../support/in-flight.ts';
import type { Prepare } from '../support/pairs.ts';
import { rawQueue } from '../support/raw-queue.ts';

export const prepare: Prepare = async (url, argument) => {
  const jobs = Number(argument);
  const ended = new Countdown();
  const add = await rawQueue(url, () => ended.done());
  return async () => {
    const all = ended.wait(jobs);
    await inFlight(jobs, add);
    await all;
    return jobs;
  };
};
