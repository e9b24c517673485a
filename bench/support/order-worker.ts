/**
 * A worker whose turns write down what they were given, with pauses in between, so that others could come between. Turns
 * are named after their process. Says when it is ready; told anything, it kills itself in the middle of its next turn.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { TurnId } from '../../src/domain/ids.ts';
import type { InboxItem } from '../../src/domain/inbound.ts';
import type { JournalRecord } from '../../src/domain/journal.ts';
import { turnService } from './turn-service.ts';

/** Longest pause inside a turn. Unit: milliseconds. */
const maxPauseMs = 20;

const [url = '', lockMs = ''] = process.argv.slice(2);
const { conversations, work } = turnService(url, Number(lockMs));
let turns = 0;
let isDoomed = false;

process.on('disconnect', () => process.exit());
process.on('message', () => void (isDoomed = true));
await work(async (conversation) => {
  const claim = await conversations.claim(conversation);
  if (claim.opening.length > 0) {
    const turn = TurnId(`${process.pid}-${(turns += 1)}`);
    await claim.append([{ type: 'turn/start', turn, protocol: 'native' }]);
    await sleep(Math.random() * maxPauseMs);
    if (isDoomed) process.kill(process.pid, 'SIGKILL');
    await claim.append(claim.opening.flatMap(recordOf));
    await sleep(Math.random() * maxPauseMs);
    await claim.append([{ type: 'turn/end', outcome: 'finish' }]);
  }
  return claim.commit();
});
process.send?.('ready');

function recordOf(item: InboxItem): JournalRecord[] {
  if (!('content' in item)) return [];
  return [{ type: 'user/message', source: 'person', content: item.content, item: item.id }];
}
