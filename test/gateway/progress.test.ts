// How far everything is stored, whatever order it is stored in.
import { expect, test } from 'vitest';
import { timeOf } from '../../src/adapters/discord/snowflake.ts';
import { isNewer, Progress } from '../../src/gateway/progress.ts';

test('nothing was ever heard', () => {
  expect(new Progress(undefined).until).toBeUndefined();
  expect(new Progress('90').until).toBe('90');
});

test('it never goes past a message that is not stored yet', () => {
  const progress = new Progress('90');
  for (const id of ['100', '105', '110']) progress.heard(id);
  progress.stored('110');
  expect(progress.until).toBe('99');
  progress.stored('100');
  expect(progress.until).toBe('104');
  progress.stored('105');
  expect(progress.until).toBe('110');
});

test('an older message that comes late does not take it back', () => {
  const progress = new Progress('90');
  progress.heard('80');
  progress.stored('80');
  expect(progress.until).toBe('90');
});

test('it does not go past what may have been said in a gap', () => {
  const progress = new Progress('90');
  const [later, earlier] = [progress.hold('100'), progress.hold('95')];
  progress.heard('120');
  progress.stored('120');
  expect(progress.until).toBe('95');
  earlier.release();
  expect(progress.until).toBe('100');
  later.release();
  expect(progress.until).toBe('120');
});

test('ids are compared as numbers and tell the time', () => {
  expect(isNewer('1000', '999')).toBe(true);
  expect(isNewer(null, '1')).toBe(false);
  expect(new Date(timeOf('175928847299117063')).toISOString()).toBe('2016-04-30T11:18:25.796Z');
});
