/** Many conversations, two workers, one of which is killed in the middle; and what became of every message. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Findings, findings, sumOf } from './journal-findings.ts';
import { nextMessage, Programs } from './programs.ts';
import { said } from './said.ts';
import { type TurnService, turnService } from './turn-service.ts';

const places = 200;
/** Half of the messages go to the first ones. */
const hotPlaces = 4;
/** Each sends one message after the other, to places of its own: so there is an order to be kept. */
const senders = 4;
/** Share of the messages that arrive twice. */
const repeated = 0.05;
/** How soon a worker counts as dead. Unit: milliseconds. */
const lockMs = 3_000;
const patienceMs = 60_000;

export async function survivingWork(redisUrl: string, messages: number): Promise<Findings> {
  const programs = new Programs();
  const service = turnService(redisUrl, lockMs);
  try {
    const start = () => programs.start('support/order-worker.ts', [redisUrl, String(lockMs)]);
    const doomed = await start();
    await nextMessage(doomed);
    await nextMessage(await start());
    const sent = await sendAll(service, messages, () => doomed.send('die'));
    await untilIdle(service);
    const found = await Promise.all(
      [...sent].map(async ([place, count]) => {
        const { records } = await service.conversations.claim(said(place, 0).conversation);
        return findings(records, count, doomed.pid ?? 0);
      }),
    );
    return sumOf(found);
  } finally {
    await programs.close();
    await service.close();
  }
}

/** Returns how many messages each place got; calls back when half of all are sent. */
async function sendAll(
  { accept }: TurnService,
  messages: number,
  onHalf: () => void,
): Promise<ReadonlyMap<number, number>> {
  const sent = new Map<number, number>();
  let all = 0;
  const send = async (sender: number) => {
    while (all < messages) {
      all += 1;
      if (all === Math.floor(messages / 2)) onHalf();
      const place = placeOf(sender);
      const number = (sent.get(place) ?? 0) + 1;
      sent.set(place, number);
      const message = said(place, all, String(number));
      await accept(message);
      if (Math.random() < repeated) await accept(message);
      await sleep(1);
    }
  };
  await Promise.all(Array.from({ length: senders }, (_, sender) => send(sender)));
  return sent;
}

/** Never a place of another sender. */
function placeOf(sender: number): number {
  const among = Math.random() < 0.5 ? hotPlaces : places;
  return sender + senders * Math.floor((Math.random() * among) / senders);
}

/** After a minute it returns all the same: what still waits then is lost. */
async function untilIdle({ conversations }: TurnService): Promise<void> {
  const end = Date.now() + patienceMs;
  while (Date.now() < end) {
    const waiting = await conversations.overdue(Number.MAX_SAFE_INTEGER);
    if (waiting.length === 0) return;
    await sleep(20);
  }
}
