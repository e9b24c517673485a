/** What stops Redis from being used, worded for the person who starts Docent. */
import { TutorError } from '../domain/errors.ts';

/** Docent's own Redis cannot be found, started or shared. */
export class RedisServerError extends TutorError {
  readonly code = 'redis.server';
  constructor(
    message: string,
    readonly hint: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A failure of the file system below the data folder as an error that names DOCENT_DATA; other values are returned. */
export function dataFolderFailure(error: unknown, dataFolder: string): unknown {
  const why = folderReasons[errorCode(error)];
  if (why === undefined) return error;
  return new RedisServerError(
    `DOCENT_DATA: expected a folder that can be written, got ${dataFolder} (${why.fact})`,
    why.remedy,
    { cause: error },
  );
}

/** `ENOENT` and the like; empty when the value carries none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

const another = 'Name another folder';
const folderReasons: Readonly<Record<string, { fact: string; remedy: string }>> = {
  EACCES: {
    fact: 'it belongs to another user or is read-only',
    remedy: `${another}, or give this one to the user that runs Docent (chown -R).`,
  },
  EPERM: {
    fact: 'it belongs to another user or is read-only',
    remedy: `${another}, or give this one to the user that runs Docent (chown -R).`,
  },
  EROFS: { fact: 'its disk is read-only', remedy: `${another}, on a disk that can be written.` },
  ENOENT: { fact: 'no folder can be made there', remedy: `${another}.` },
  ENOTDIR: { fact: 'there is a file in its place', remedy: `${another}, or move the file away.` },
  EEXIST: { fact: 'there is a file in its place', remedy: `${another}, or move the file away.` },
  ENOSPC: { fact: 'its disk is full', remedy: `Free some space there, or name a folder on another disk.` },
  EDQUOT: {
    fact: 'your quota there is used up',
    remedy: `Free some space there, or name a folder on another disk.`,
  },
  ENAMETOOLONG: { fact: 'its name is too long', remedy: `Name a folder with a shorter path.` },
};
