/** How a command is answered: within the acknowledgement when that is soon, else behind it. */
import type { types } from '@slack/bolt';
import type { Clock, Logger } from '../../ports/runtime.ts';
import type { Delivery } from './ingress.ts';
import { section } from './private-words.ts';

export interface CommandReplyMeans {
  readonly clock: Clock;
  readonly log: Logger;
}

/** Slack's markup, and what stands below it. */
export interface Reply {
  readonly text: string;
  readonly blocks?: readonly types.KnownBlock[];
}

/** What takes longer comes behind the acknowledgement. Unit: milliseconds. */
const ackLimitMs = 800;
const sendLimitMs = 10_000;

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
    const answer = await fetch(responseUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(reply)),
      redirect: 'error',
      signal: AbortSignal.timeout(sendLimitMs),
    });
    if (!answer.ok) log.warn({ status: answer.status }, 'a command could not be answered');
  } catch (error) {
    log.warn({ error }, 'a command could not be answered');
  }
}

function bodyOf({ text, blocks = [] }: Reply) {
  const shown = blocks.length === 0 ? {} : { blocks: [section(text), ...blocks] };
  return { response_type: 'ephemeral', text, ...shown };
}
