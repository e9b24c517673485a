/** How a command is answered: within the acknowledgement when that is soon, else behind it. */
import type { Clock, Logger } from '../../ports/runtime.ts';
import type { Delivery } from './ingress.ts';
import { bodyOf, type Reply, sendReply } from './response-url.ts';

export interface CommandReplyMeans {
  readonly clock: Clock;
  readonly log: Logger;
}

/** What takes longer comes behind the acknowledgement. Unit: milliseconds. */
const ackLimitMs = 800;

export async function replyWith(
  working: Promise<Reply>,
  ack: Delivery['ack'],
  responseUrl: string | undefined,
  means: CommandReplyMeans,
): Promise<void> {
  const early = await Promise.race([working, means.clock.sleep(ackLimitMs).then(() => undefined)]);
  if (early !== undefined) return ack(bodyOf(early));
  await ack();
  await respond(responseUrl, await working, means);
}

/** To the person alone. A failure is only logged: what it is about has happened. */
export async function respond(
  responseUrl: string | undefined,
  reply: Reply,
  { log }: CommandReplyMeans,
): Promise<void> {
  if (responseUrl === undefined) return;
  try {
    await sendReply(responseUrl, reply);
  } catch (error) {
    log.warn({ error }, 'a command could not be answered');
  }
}
