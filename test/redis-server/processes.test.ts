import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { markOf, readMark, stateOf } from '../../src/redis-server/processes.ts';

test('a process runs until it ends', async () => {
  const child = spawn('sleep', ['60']);
  const mark = markOf(child.pid ?? 0);
  if (mark === undefined) throw new Error('the child runs');
  expect(stateOf(mark)).toBe('running');
  child.kill();
  await once(child, 'exit');
  expect(stateOf(mark)).toBe('gone');
  expect(markOf(mark.pid)).toBeUndefined();
});

test('a number that another process has now is not taken for the first one', () => {
  const mark = markOf(process.pid);
  if (mark === undefined) throw new Error('this process runs');
  expect(stateOf({ ...mark, began: '1' })).toBe('gone');
});

test('a process of another container, or of before the last boot, is unknown', () => {
  const mark = markOf(process.pid);
  if (mark === undefined) throw new Error('this process runs');
  expect(stateOf({ ...mark, space: 'another' })).toBe('unknown');
});

test.each([['{"pid":1,'], ['null'], ['7'], ['{"pid":"1","began":"2","space":"3"}'], [undefined], [[]]])(
  '%j is no mark',
  (source) => {
    expect(readMark(source)).toBeUndefined();
  },
);

test('a mark survives being written down', () => {
  const mark = markOf(process.pid);
  expect(readMark(JSON.stringify(mark))).toEqual(mark);
});
