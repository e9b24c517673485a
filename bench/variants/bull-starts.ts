/** From the adding of a raw BullMQ job to its start. Tells the median of so many. */
import type { Prepare } from '../support/pairs.ts';
import { rawQueue } from '../support/raw-queue.ts';
import { StartTimes } from '../support/start-times.ts';

export const prepare: Prepare = async (url, argument) => {
  const times = new StartTimes();
  const add = await rawQueue(url, () => times.started());
  return async () => ({ told: await times.median(Number(argument), add) });
};
