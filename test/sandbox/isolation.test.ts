import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { firstThatWorks, outerWalls } from '../../src/sandbox/isolation.ts';

const run = ([command = '', ...args]: readonly string[], line: string) =>
  spawnSync(command, [...args, 'sh', '-c', line], { env: {}, encoding: 'utf8' }).stdout.trim();

test('a program whose worker was killed has only so much CPU time left', async () => {
  expect(run(await outerWalls(), 'ulimit -t')).toBe('30');
});

test('what the system does not have is left out', async () => {
  expect(await firstThatWorks([['no-such-command'], ['false'], ['env']])).toEqual(['env']);
  expect(await firstThatWorks([['no-such-command']])).toEqual([]);
});
