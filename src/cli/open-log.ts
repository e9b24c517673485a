import path from 'node:path';
import type { Config } from '../config/load.ts';
import { createLogger } from '../observe/logger.ts';
import type { Logger } from '../ports/runtime.ts';
import { dataFolderFailure } from '../redis-server/failure.ts';

/** The log file in the data folder. Throws `RedisServerError` when it cannot be written. */
export function openLog({ logLevel, dataFolder }: Config): Logger {
  try {
    return createLogger(logLevel, path.join(dataFolder, 'docent.log'));
  } catch (error) {
    throw dataFolderFailure(error, dataFolder);
  }
}
