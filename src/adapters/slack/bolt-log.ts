/** What Bolt tells its log, as far as it matters: what it sends and gets, tokens and all, stays out. */
import { type Logger as BoltLogger, LogLevel } from '@slack/bolt';
import type { Logger } from '../../ports/runtime.ts';

export function boltLog(log: Logger): BoltLogger {
  // Most of it is about connections that end, which is dealt with.
  const tell = (...what: unknown[]) => log.debug({ what: what.map(String).join(' ') }, 'Bolt tells');
  return {
    debug() {},
    info: tell,
    warn: tell,
    error: tell,
    setLevel() {},
    getLevel: () => LogLevel.INFO,
    setName() {},
  };
}
