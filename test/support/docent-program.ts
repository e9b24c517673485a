/** One role of the product in a process of its own; it says `ready` when it has started. */
import { type Part, runUntilStopped } from '../../src/app/lifecycle.ts';
import { rolesOf } from '../../src/app/roles.ts';
import { startFailure } from '../../src/cli/start-failure.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Role } from '../../src/config/role.ts';
import { systemClock } from '../../src/observe/clock.ts';
import { createLogger } from '../../src/observe/logger.ts';

const { config } = loadConfig(process.env, () => undefined);
const log = createLogger(config.logLevel);
const { parts } = await rolesOf(process.env['ROLE'] as Role, config, systemClock, log, console.error);
const ready: Part = { name: 'ready', start: async () => console.log('ready'), stop: async () => {} };

process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume();
try {
  process.exitCode = await runUntilStopped({
    parts: [...parts, ready],
    signals: process,
    log,
    clock: systemClock,
  });
} catch (error) {
  console.error(startFailure(error));
  process.exitCode = 1;
}
process.exit();
