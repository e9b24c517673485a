/** Log lines as JSON through pino. Secrets and what people wrote never reach them: see `log-fields.ts`. */
import { pino } from 'pino';
import { maskSecrets } from '../domain/secrets.ts';
import type { Logger } from '../ports/runtime.ts';
import { safeFields } from './log-fields.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';
type Fields = Readonly<Record<string, unknown>>;

/**
 * `destination`: a file, made with its folders and readable by its owner only, or a stream; without one, standard
 * output. Lines are written before the call returns, so nothing is lost with the process. Throws when the file cannot
 * be opened.
 */
export function createLogger(level: LogLevel, destination?: string | { write(line: string): void }): Logger {
  const target =
    typeof destination === 'object'
      ? destination
      : pino.destination({ dest: destination ?? 1, mkdir: true, mode: 0o600, sync: true });
  const lines = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    target,
  );
  return {
    debug: (fields, message) => lines.debug(safeFields(fields), maskSecrets(message)),
    info: (fields, message) => lines.info(safeFields(fields), maskSecrets(message)),
    warn: (fields, message) => lines.warn(safeFields(fields), maskSecrets(message)),
    error: (fields, message) => lines.error(safeFields(fields), maskSecrets(message)),
  };
}

/** The same log with `bound` (conversation, turn, round) on every line; a field of the line itself wins. */
export function withFields(logger: Logger, bound: Fields): Logger {
  return {
    debug: (fields, message) => logger.debug({ ...bound, ...fields }, message),
    info: (fields, message) => logger.info({ ...bound, ...fields }, message),
    warn: (fields, message) => logger.warn({ ...bound, ...fields }, message),
    error: (fields, message) => logger.error({ ...bound, ...fields }, message),
  };
}
