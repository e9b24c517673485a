import path from 'node:path';
import type { Config } from '../config/load.ts';
import { ConfigError } from '../domain/errors.ts';
import { createLogger } from '../observe/logger.ts';
import type { Logger } from '../ports/runtime.ts';

/** The log file in the data folder. Throws `ConfigError` when it cannot be written. */
export function openLog({ logLevel, dataFolder }: Config): Logger {
  try {
    return createLogger(logLevel, path.join(dataFolder, 'docent.log'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError([
      `DOCENT_DATA: expected a folder that can be written, got ${dataFolder} (${why}). Name another one.`,
    ]);
  }
}
