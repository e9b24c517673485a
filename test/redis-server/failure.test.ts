import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { dataFolderFailure, RedisServerError } from '../../src/redis-server/failure.ts';
import { openServerFolder } from '../../src/redis-server/server-folder.ts';
import { AddressTakenError, startFailure } from '../../src/redis-server/server-log.ts';
import { newFolder } from './support/docents.ts';

describe('a data folder that cannot be used', () => {
  test.each([
    ['EACCES', 'it belongs to another user or is read-only'],
    ['EROFS', 'its disk is read-only'],
    ['ENOTDIR', 'there is a file in its place'],
    ['ENOSPC', 'its disk is full'],
    ['EDQUOT', 'your quota there is used up'],
    ['ENAMETOOLONG', 'its name is too long'],
  ])('%s: %s', (code, fact) => {
    const failure = dataFolderFailure(Object.assign(new Error(code), { code }), './.docent');
    if (!(failure instanceof RedisServerError)) throw new Error('expected an error for people');
    expect(failure.message).toBe(
      `DOCENT_DATA: expected a folder that can be written, got ./.docent (${fact})`,
    );
    expect(failure.hint).toMatch(/^(?:Name another folder|Name a folder|Free some space).*\.$/);
  });

  test('what is no matter of the folder is left alone', () => {
    const error = new Error('socket hang up');
    expect(dataFolderFailure(error, './.docent')).toBe(error);
  });
});

describe('a server that ended while it started', () => {
  const line = (mark: string, text: string) => `4711:M 30 Nov 2026 01:43:39.459 ${mark} ${text}\n`;
  const start = line(
    '#',
    'WARNING Memory overcommit must be enabled! Without it, a background save may fail.',
  );

  test.each([
    [
      line('#', 'Bad file format reading the append only file appendonly.aof.1.incr.aof: make a backup'),
      '(DOCENT_DATA) is damaged: Bad file format reading the append only file',
    ],
    [
      line('#', 'Invalid AOF manifest file format'),
      '(DOCENT_DATA) is damaged: Invalid AOF manifest file format',
    ],
    [
      line(
        '#',
        'Unable to obtain the AOF file appendonly.aof.1.base.rdb length. stat: No such file or directory',
      ),
      '(DOCENT_DATA) is damaged: Unable to obtain',
    ],
    [
      line('#', "Can't handle RDB format version 99") +
        line('#', 'Unrecoverable error reading the append only file'),
      'was written by a newer Redis than /usr/bin/redis-server',
    ],
    [
      line('#', "Can't open or create append-only dir appendonlydir: No space left on device"),
      'DOCENT_DATA: expected a folder that can be written',
    ],
    [
      line('#', "Can't open or create append-only dir appendonlydir: Permission denied"),
      'it belongs to another user or is read-only',
    ],
    [line('#', 'Fatal: something new'), 'ended while it started: Fatal: something new'],
    ['', 'ended while it started: it said nothing'],
  ])('%j', async (log, message) => {
    const folder = await openServerFolder(newFolder());
    const failure = startFailure(log === '' ? '' : start + log, folder, { command: '/usr/bin/redis-server' });
    if (!(failure instanceof RedisServerError)) throw new Error('expected an error for people');
    expect(failure.message).toContain(message);
  });

  test.each([
    'Failed listening on port 6399 (TCP), aborting.',
    'Failed opening Unix socket: bind: Operation not supported',
    'Opening Unix socket: bind: Operation not supported',
  ])('%s: another address may do', async (text) => {
    const folder = await openServerFolder(newFolder());
    expect(startFailure(line('#', text), folder, { command: 'redis-server' })).toBeInstanceOf(
      AddressTakenError,
    );
  });

  test('the line that repairs damaged data has the libraries of an unpacked Redis, and quotes', async () => {
    const folder = await openServerFolder(newFolder("it's here"));
    const bin = newFolder();
    writeFileSync(path.join(bin, 'redis-check-aof'), '');
    const program = { command: path.join(bin, 'redis-server'), env: { LD_LIBRARY_PATH: '/d/lib' } };
    const failure = startFailure(line('#', 'Bad file format'), folder, program);
    if (!(failure instanceof RedisServerError)) throw new Error('expected an error for people');
    expect(failure.hint).toContain(`LD_LIBRARY_PATH='/d/lib' '${bin}/redis-check-aof' --fix '`);
    expect(failure.hint).toContain("it'\\''s here");
  });
});
