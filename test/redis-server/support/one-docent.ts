/** A process that uses the Redis of the folder in its argument: says in one line how it went, and stops on SIGTERM. */
import { systemClock } from '../../../src/observe/clock.ts';
import { startRedisServer } from '../../../src/redis-server/run-server.ts';
import { quietLog } from '../../support/quiet-log.ts';

const [dataFolder = ''] = process.argv.slice(2);
try {
  const server = await startRedisServer({ dataFolder, clock: systemClock, log: quietLog });
  process.on('SIGTERM', () => void server.stop());
  say({ url: server.url, owned: server.owned });
} catch (error) {
  say({ failure: error instanceof Error ? error.message : String(error) });
}

function say(line: unknown): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
