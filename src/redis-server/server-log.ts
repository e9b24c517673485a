/** Why a server ended while it started, read from what it logged. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { dataFolderFailure, RedisServerError } from './failure.ts';
import type { ServerFolder } from './server-folder.ts';
import type { ServerProgram } from './server-program.ts';

/** The server cannot have the address it was given; another one may do. */
export class AddressTakenError extends Error {}

const addressTaken = /Failed listening on port|Opening Unix socket/i;
const newerData = /Can't handle RDB format version/;
/** As Redis 6.2 to 7.4 word it. */
const damagedData =
  /Bad file format|reading the append only file|Invalid AOF manifest|Unable to obtain the AOF file|Internal error in RDB/;
const folderReasons: readonly (readonly [RegExp, string])[] = [
  [/No space left on device/, 'ENOSPC'],
  [/Disk quota exceeded/, 'EDQUOT'],
  [/Read-only file system/, 'EROFS'],
  [/Permission denied/, 'EACCES'],
];

/** `log` is what the server wrote since it was started. */
export function startFailure(log: string, folder: ServerFolder, program: ServerProgram): unknown {
  const reason = lastLine(log);
  if (addressTaken.test(log)) return new AddressTakenError(reason);
  const code = folderReasons.find(([pattern]) => pattern.test(log))?.[1];
  if (code !== undefined) {
    return dataFolderFailure(Object.assign(new Error(reason), { code }), folder.dataFolder);
  }
  if (newerData.test(log)) {
    return new RedisServerError(
      `the data in ${folder.data} was written by a newer Redis than ${program.command}`,
      'Install that newer Redis, or set DOCENT_DATA to another folder to begin anew.',
    );
  }
  if (damagedData.test(log)) {
    return new RedisServerError(
      `the data in ${folder.data} (DOCENT_DATA) is damaged: ${reason}`,
      `Keep a copy of that folder, then cut off the damaged end with: ${repairLine(folder, program)}`,
    );
  }
  return new RedisServerError(
    `Redis (${program.command}) ended while it started: ${reason || 'it said nothing'}`,
    `See ${folder.log}.`,
  );
}

/** For a shell. Before Redis 7 the append-only file was a single one. */
function repairLine(folder: ServerFolder, { command, env = {} }: ServerProgram): string {
  const beside = path.join(path.dirname(command), 'redis-check-aof');
  const checker = existsSync(beside) ? beside : 'redis-check-aof';
  const manifest = path.join(folder.data, 'appendonlydir', 'appendonly.aof.manifest');
  const file = existsSync(manifest) ? manifest : path.join(folder.data, 'appendonly.aof');
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)} `);
  return `${variables.join('')}${quoted(checker)} --fix ${quoted(file)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Without the process number and the time in front. */
function lastLine(log: string): string {
  const lines = log.trim().split('\n');
  const telling =
    lines.findLast((line) => line.includes(' # ') && !line.includes('WARNING')) ?? lines.at(-1) ?? '';
  return telling.replace(/^\S+ \d+ \w+ \d+ [\d:.]+ [#*.-] /, '').trim();
}
