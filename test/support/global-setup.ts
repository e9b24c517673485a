/** Before all tests: a real Redis server on PATH, found or fetched the way the product does it. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findRedisServer } from '../../src/redis-server/find-server.ts';

export async function setup(): Promise<void> {
  const dataFolder = path.resolve('.docent');
  const {
    command,
    args = [],
    env = {},
  } = await findRedisServer({
    dataFolder,
    env: process.env,
    log: (line) => console.error(line),
  });
  // The copy that is unpacked without root needs its own libraries: a small program of the same name brings them along.
  const folder = path.join(dataFolder, 'test-bin');
  mkdirSync(folder, { recursive: true });
  const settings = Object.entries(env).map(([name, value]) => `export ${name}='${value}'`);
  const lines = [
    '#!/bin/sh',
    ...settings,
    `exec '${command}' ${args.map((arg) => `'${arg}'`).join(' ')} "$@"`,
    '',
  ];
  const program = path.join(folder, 'redis-server');
  writeFileSync(program, lines.join('\n'));
  chmodSync(program, 0o755);
  process.env['PATH'] = `${folder}${path.delimiter}${process.env['PATH'] ?? ''}`;
}
