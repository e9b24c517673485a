/** From a message at the door to the start of its turn. Tells the median of so many. */
import type { Prepare } from '../support/pairs.ts';
import { said } from '../support/said.ts';
import { StartTimes } from '../support/start-times.ts';
import { turnService } from '../support/turn-service.ts';

export const prepare: Prepare = async (url, argument) => {
  const { accept, conversations, work } = turnService(url);
  const times = new StartTimes();
  await work(async (conversation) => {
    times.started();
    const claim = await conversations.claim(conversation);
    claim.accept(claim.opening);
    return claim.commit();
  });
  let sent = 0;
  return async () => ({
    told: await times.median(Number(argument), () => accept(said(sent, sent++))),
  });
};
