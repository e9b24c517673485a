import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ModelError } from '../../src/domain/errors.ts';
import { createLogger, type LogLevel, withFields } from '../../src/observe/logger.ts';

function recorded(level: LogLevel = 'info') {
  const lines: string[] = [];
  const logger = createLogger(level, { write: (line) => lines.push(line) });
  return { logger, lines, fields: () => lines.map((line) => withoutWhenAndWhere(JSON.parse(line))) };
}

function withoutWhenAndWhere({ time: _time, pid: _pid, ...line }: Record<string, unknown>) {
  return line;
}

test('a line is one JSON object with level, message and the fields', () => {
  const { logger, lines, fields } = recorded();
  withFields(withFields(logger, { conversation: 'term:local', turn: 't1' }), { round: 2 }).info(
    { ms: 12 },
    'round ended',
  );
  expect(fields()).toEqual([
    { level: 'info', msg: 'round ended', conversation: 'term:local', turn: 't1', round: 2, ms: 12 },
  ]);
  expect(lines[0]).toMatch(/"time":"\d{4}-\d\d-\d\dT[\d:.]+Z"/);
  expect(lines[0]?.endsWith('}\n')).toBe(true);
});

test('lines below the level are not written', () => {
  const { logger, fields } = recorded('warn');
  logger.debug({}, 'a');
  logger.info({}, 'b');
  logger.warn({}, 'c');
  logger.error({}, 'd');
  expect(fields().map(({ msg }) => msg)).toEqual(['c', 'd']);

  const quiet = recorded('silent');
  quiet.logger.error({}, 'e');
  expect(quiet.lines).toEqual([]);
});

describe('secrets', () => {
  test('are masked by the name of their field, at any depth', () => {
    const { logger, fields } = recorded();
    const headers = { Authorization: 'x', cookie: 'y', accept: 'json' };
    logger.info({ apiKey: 'a', OPENAI_API_KEY: 'b', botToken: 'c', request: { headers } }, 'asked');
    expect(fields()[0]).toMatchObject({
      apiKey: '[secret]',
      OPENAI_API_KEY: '[secret]',
      botToken: '[secret]',
      request: { headers: { Authorization: '[secret]', cookie: '[secret]', accept: 'json' } },
    });
  });

  test('are masked by their shape in messages, fields, lists and errors', () => {
    const { logger, lines } = recorded();
    const secret = 'sk-proj-0123456789abcdef';
    const error = new Error(`wrong key ${secret}`, { cause: new Error(`sent Bearer ${'k'.repeat(20)}`) });
    logger.error({ error, urls: [`https://mia:${secret}@llm.example`], detail: secret }, `refused ${secret}`);
    expect(lines[0]).not.toMatch(/0123456789|kkkk/);
    expect(lines[0]).toContain('refused [secret]');
  });

  test('token counts are no secrets', () => {
    const { logger, fields } = recorded();
    logger.info({ tokens: 12, promptTokens: 3, maxTokens: 100 }, 'used');
    expect(fields()[0]).toMatchObject({ tokens: 12, promptTokens: 3, maxTokens: 100 });
  });
});

test('what people wrote is reduced to its length', () => {
  const { logger, lines, fields } = recorded();
  const call = { name: 'ask_user', args: '{"private":1}' };
  logger.info(
    { text: 'private', messages: ['private', 'private'], question: { intro: 'private' }, call },
    'noted',
  );
  expect(lines[0]).not.toContain('private');
  expect(fields()[0]).toMatchObject({
    text: '[7 characters]',
    messages: '[2 items]',
    question: '[withheld]',
    call: { name: 'ask_user', args: '[13 characters]' },
  });
});

test('an error keeps its code, message, hint, stack and cause, but none of its other fields', () => {
  const { logger, fields } = recorded();
  const detail = { hint: 'Check OPENAI_BASE_URL.', retryable: true };
  const error = new ModelError('unreachable', 'no answer', detail, { cause: new TypeError('fetch failed') });
  logger.error({ error: Object.assign(error, { request: 'private' }) }, 'model failed');
  expect(fields()[0]?.error).toEqual({
    type: 'ModelError',
    code: 'model.unreachable',
    message: 'no answer',
    hint: 'Check OPENAI_BASE_URL.',
    stack: expect.stringContaining('no answer'),
    cause: { type: 'TypeError', message: 'fetch failed', stack: expect.any(String) },
  });
});

test('odd values end in a line, never in a throw', () => {
  const { logger, fields } = recorded();
  const circle: Record<string, unknown> = {
    big: 10n,
    when: new Date(Number.NaN),
    run: () => 1,
    level: 'x',
    msg: 'y',
  };
  circle.self = circle;
  circle.list = Array.from({ length: 60 }, () => 'a');
  circle.long = 'x'.repeat(5_000);
  logger.info(circle, 'odd');
  const [line] = fields();
  expect(line).toMatchObject({
    level: 'info',
    msg: 'odd',
    level_: 'x',
    msg_: 'y',
    big: '10',
    self: '[circle]',
  });
  expect(line).toMatchObject({ when: 'Invalid Date', run: '[function]' });
  expect(line?.list).toHaveLength(51);
  expect(String(line?.long)).toHaveLength(2_000);
});

test('a log file is made with its folder, is private, and is continued by the next process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-log-'));
  const path = join(folder, 'data', 'docent.log');
  createLogger('info', path).info({}, 'first');
  createLogger('info', path).info({}, 'second');
  const messages = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(messages.map((line) => JSON.parse(line).msg)).toEqual(['first', 'second']);
  expect(statSync(path).mode & 0o077).toBe(0);
  rmSync(folder, { recursive: true });
});

test('a log file that cannot be opened is an error at the start', () => {
  expect(() => createLogger('info', '/dev/null/docent.log')).toThrow(/ENOTDIR|EEXIST/);
});
