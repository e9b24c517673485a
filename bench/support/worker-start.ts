/** What a worker does before it connects to anything: its code is loaded, its settings are read, its parts are made. */
import { rolesOf } from '../../src/app/roles.ts';
import { readConfig } from '../../src/cli/read-config.ts';
import { start } from '../../src/cli/start.ts';
import { systemClock } from '../../src/observe/clock.ts';
import { createLogger } from '../../src/observe/logger.ts';

const config = readConfig('worker');
const { parts } = await rolesOf('worker', config, systemClock, createLogger('silent'), () => {});
// `start` is what the command line loads; calling it would connect.
process.exit(parts.length > 0 && typeof start === 'function' ? 0 : 1);
