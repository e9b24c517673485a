import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { schema } from '../../src/config/schema.ts';
import { laterSettings, settings } from '../../src/config/settings.ts';
import { ConfigError } from '../../src/domain/errors.ts';

const noFile = () => undefined;

function problemsOf(
  env: Record<string, string>,
  readEnvFile: () => string | undefined = noFile,
): readonly string[] {
  try {
    loadConfig(env, readEnvFile);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

function warningsOf(env: Record<string, string>, file = ''): readonly string[] {
  return loadConfig(env, () => file).warnings;
}

function broken(): string {
  throw Object.assign(new Error('EISDIR: illegal operation'), { code: 'EISDIR' });
}

test('without any setting everything has its default', () => {
  expect(loadConfig({}, noFile)).toEqual({
    config: {
      model: { apiKey: undefined, baseUrl: undefined, name: undefined, fallbackName: undefined },
      loop: {
        protocol: 'auto',
        maxRepairs: 3,
        limits: { firstChunkMs: 120_000, idleMs: 60_000, finalIdleMs: 8_000 },
      },
      logLevel: 'info',
      dataFolder: './.docent',
    },
    warnings: [],
  });
});

test('values are read from the environment, then from .env', () => {
  const env = {
    OPENAI_BASE_URL: 'http://localhost:11434/v1/',
    LOOP_PROTOCOL: 'native',
    MODEL_IDLE_S: ' 0.5 ',
  };
  const file = 'LOOP_PROTOCOL=label\nOPENAI_MODEL="llama3:8b" # local\nexport LOG_LEVEL=debug\n';
  const { config, warnings } = loadConfig(env, () => file);
  expect(config.model).toEqual({
    apiKey: undefined,
    baseUrl: 'http://localhost:11434/v1',
    name: 'llama3:8b',
    fallbackName: undefined,
  });
  expect(config.loop.protocol).toBe('native');
  expect(config.loop.limits.idleMs).toBe(500);
  expect(config.logLevel).toBe('debug');
  expect(warnings).toEqual([]);
});

test('an empty value counts as unset, so the file or the default applies', () => {
  const { config } = loadConfig(
    { LOG_LEVEL: '', OPENAI_API_KEY: '  ', OPENAI_MODEL: '' },
    () => 'OPENAI_MODEL=m\n',
  );
  expect([config.logLevel, config.model.apiKey, config.model.name]).toEqual(['info', undefined, 'm']);
});

test('all problems are listed at once, each with its remedy', () => {
  const env = { LOOP_PROTOCOL: 'labels', MODEL_FIRST_CHUNK_S: '2 min', LOG_LEVEL: 'verbose' };
  expect(problemsOf(env, () => 'OPENAI_BASE_URL=http://localhost:11434\n')).toEqual([
    'OPENAI_BASE_URL: expected an http(s) address that ends in /v1, got "http://localhost:11434" (in .env). Did you mean http://localhost:11434/v1 ?',
    'LOOP_PROTOCOL: expected auto, label or native, got "labels". Use one of these, or leave it out for auto.',
    'MODEL_FIRST_CHUNK_S: expected a number of seconds above 0, at most 86400, got "2 min". Leave it out for 120.',
    'LOG_LEVEL: expected debug, info, warn, error or silent, got "verbose". Use one of these, or leave it out for info.',
  ]);
});

describe('the address of the service', () => {
  test.each([
    ['https://llm.example/v1', 'https://llm.example/v1'],
    ['http://127.0.0.1:8080/openai/v1//', 'http://127.0.0.1:8080/openai/v1'],
  ])('%s is used as %s', (raw, used) => {
    expect(loadConfig({ OPENAI_BASE_URL: raw }, noFile).config.model.baseUrl).toBe(used);
  });

  test.each([
    ['localhost:11434', 'Did you mean http://localhost:11434/v1 ?'],
    ['llm.example/api/', 'Did you mean http://llm.example/api/v1 ?'],
    ['https://llm.example/v1/chat/completions', 'Did you mean https://llm.example/v1 ?'],
    ['https://llm.example/v1?key=1', 'Did you mean https://llm.example/v1 ?'],
    ['https://llm.example/v10', 'Did you mean https://llm.example/v10/v1 ?'],
    ['ftp://llm.example/v1', 'Write it like http://localhost:11434/v1.'],
    ['http://', 'Write it like http://localhost:11434/v1.'],
    ['my server', 'Write it like http://localhost:11434/v1.'],
  ])('%s is refused with advice', (raw, advice) => {
    const [problem] = problemsOf({ OPENAI_BASE_URL: raw });
    expect(problem).toMatch(/^OPENAI_BASE_URL: expected an http\(s\) address that ends in \/v1, got "/);
    expect(problem?.endsWith(advice)).toBe(true);
  });
});

test.each([
  ['MODEL_IDLE_S', '0'],
  ['MODEL_IDLE_S', '-1'],
  ['MODEL_IDLE_S', '1e3'],
  ['MODEL_IDLE_S', 'Infinity'],
  ['MODEL_IDLE_S', '999999'],
  ['MODEL_FINAL_IDLE_S', '٣'],
  ['LOOP_MAX_REPAIRS', '1.5'],
  ['LOOP_MAX_REPAIRS', '101'],
  ['LOOP_PROTOCOL', 'LABEL'],
  ['OPENAI_MODEL', 'two words'],
  ['DOCENT_DATA', 'a\0b'],
])('%s=%s is refused', (name, value) => {
  expect(problemsOf({ [name]: value })).toHaveLength(1);
});

test('no secret is printed, wherever it was pasted', () => {
  const secret = 'sk-proj-0123456789abcdef';
  const problems = problemsOf({
    OPENAI_API_KEY: `${secret} ${secret}`,
    LOG_LEVEL: secret,
    OPENAI_BASE_URL: 'https://mia:hunter2@llm.example',
  });
  expect(problems).toHaveLength(3);
  expect(problems.join('\n')).not.toMatch(/0123456789|hunter2/);
  expect(problems[0]).toContain('got something else of 49 characters (not shown)');
});

describe('warnings', () => {
  test.each([
    ['OPENAI_APIKEY', 'OPENAI_API_KEY'],
    ['OPENAI_API_BASE', 'OPENAI_BASE_URL'],
    ['LOOP_PROTOKOLL', 'LOOP_PROTOCOL'],
    ['MODEL_IDLE_MS', 'MODEL_IDLE_S'],
    ['DISCORD_TOKENS', 'DISCORD_TOKEN'],
    ['DOCENT_DATE', 'DOCENT_DATA'],
  ])('%s is told apart from %s', (name, meant) => {
    expect(warningsOf({ [name]: 'x' })).toEqual([`${name} is no setting of Docent. Did you mean ${meant}?`]);
  });

  test('a name that is near nothing points to the list', () => {
    const name = 'OPENAI_SOMETHING_COMPLETELY_ELSE';
    expect(warningsOf({ [name]: 'x' })).toEqual([
      `${name} is no setting of Docent. The names of all settings: docent --help.`,
    ]);
  });

  test('settings of other versions are said to do nothing', () => {
    expect(warningsOf({ DISCORD_TOKEN: 'x', ALLOW_USERS: 'x' })).toEqual([
      'DISCORD_TOKEN is set, but not used by this version.',
      'ALLOW_USERS is set, but not used by this version.',
    ]);
  });

  test('names shared with other programs are warned about in .env only', () => {
    expect(warningsOf({ PORT: '80', HOST: 'x', GITHUB_TOKEN: 'x' })).toEqual([]);
    expect(warningsOf({}, 'PORT=80\n')).toEqual(['PORT is set, but not used by this version.']);
  });

  test('foreign and unrelated names are left alone', () => {
    expect(
      warningsOf({ OPENAI_ORG_ID: 'x', OPENAI_PROJECT_ID: 'x', OPENAI_ORGANIZATION: 'x', PATH: 'x' }),
    ).toEqual([]);
  });

  test('an empty value is no reason to warn', () => {
    expect(warningsOf({ OPENAI_APIKEY: '' })).toEqual([]);
  });
});

describe('.env', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-env-'));
  const before = process.cwd();
  afterEach(() => process.chdir(before));

  test('is read from the working folder, and need not exist', () => {
    process.chdir(folder);
    expect(loadConfig({}).config.model.name).toBeUndefined();
    writeFileSync('.env', '\uFEFFOPENAI_MODEL=from-file\n');
    expect(loadConfig({}).config.model.name).toBe('from-file');
    rmSync(folder, { recursive: true });
  });

  test('that cannot be read is a problem like any other', () => {
    expect(problemsOf({ LOG_LEVEL: 'x' }, broken)).toEqual([
      '.env: expected a readable text file, got EISDIR. Correct or remove it.',
      expect.stringContaining('LOG_LEVEL: expected'),
    ]);
  });
});

test('every setting has one row in the table and one reader', () => {
  const names = settings.map(({ name }) => name);
  expect(new Set([...names, ...laterSettings]).size).toBe(names.length + laterSettings.length);
  expect(Object.keys(schema.shape)).toEqual(names);
});
