import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { secretOf } from '../../src/config/secret.ts';
import { ConfigError } from '../../src/domain/errors.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docent-secret-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = () => path.join(folder, 'data', 'secret');
const make = () => secretOf(undefined, path.join(folder, 'data'));

test('a secret that is set is used, and nothing is written', () => {
  expect(secretOf('0123456789abcdef', folder)).toBe('0123456789abcdef');
  expect(readdirSync(folder)).toEqual([]);
});

test('otherwise one is made once, with its folder, for the eyes of its owner only', () => {
  const secret = make();
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(make()).toBe(secret);
  expect(readdirSync(path.dirname(file()))).toEqual(['secret']);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test('two folders have two secrets', () => {
  expect(make()).not.toBe(secretOf(undefined, path.join(folder, 'other')));
});

test('a file that others could read is closed to them', () => {
  const secret = make();
  chmodSync(file(), 0o644);
  expect(make()).toBe(secret);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test('of many processes that start at the same moment all have the same', async () => {
  const script = `
    const { secretOf } = await import(${JSON.stringify(path.resolve('src/config/secret.ts'))});
    console.log(secretOf(undefined, ${JSON.stringify(path.join(folder, 'data'))}));`;
  const starts = Array.from({ length: 4 }, () =>
    promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]),
  );
  const secrets = (await Promise.all(starts)).map(({ stdout }) => stdout.trim());
  expect(secrets).toEqual(Array.from({ length: 4 }, () => make()));
}, 30_000);

describe('what cannot be used is one readable problem', () => {
  const problem = () => {
    try {
      return make();
    } catch (error) {
      return (error as ConfigError).problems;
    }
  };

  test.each(['', 'abc', `${'g'.repeat(64)}\n`])('a damaged file (%j)', (content) => {
    make();
    writeFileSync(file(), content);
    expect(problem()).toEqual([
      `DOCENT_SECRET: expected a key in ${file()}, got something else. Bring it back from a backup, or remove it: open buttons and links then end.`,
    ]);
  });

  test('a file where the folder should be', () => {
    writeFileSync(path.join(folder, 'data'), '');
    expect(problem()).toEqual([
      `DOCENT_SECRET: expected ${file()} to be readable and writable, got ENOTDIR. Give the folder to the user that runs Docent, or set DOCENT_SECRET.`,
    ]);
  });
});
