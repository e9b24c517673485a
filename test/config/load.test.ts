import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import type { Role } from '../../src/config/role.ts';
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
      redisUrl: undefined,
      discord: { token: undefined, apiUrl: 'https://discord.com/api', shards: 'auto', guildId: undefined },
      placement: {},
      http: { host: '127.0.0.1', port: 3000, webToken: undefined },
      defaultZone: expect.any(String),
      turns: { concurrency: 200, lockMs: 15_000, poisonLimit: 2 },
      retentionDays: 180,
      catchUpMaxAgeMs: 86_400_000,
      maxBlobBytes: 1_073_741_824,
      secret: undefined,
      access: {
        admins: [],
        followAllThreads: false,
        allow: { servers: [], channels: [], roles: [], users: [], bots: [] },
        deny: { servers: [], channels: [], roles: [], users: [] },
      },
      quotas: { messagesPerMinute: 20, tokensPerDay: undefined },
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
  ['REDIS_URL', 'localhost:6379'],
  ['REDIS_URL', 'http://localhost:6379'],
  ['REDIS_URL', 'redis://'],
  ['HOST', 'http://localhost'],
  ['HOST', 'localhost:3000'],
  ['HOST', 'two words'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '80a'],
  ['WEB_TOKEN', 'two words'],
  ['DEFAULT_TZ', 'Berlin'],
  ['DEFAULT_TZ', '+02:00'],
  ['DEFAULT_TZ', 'Europe/Berlin/'],
  ['TURN_CONCURRENCY', '0'],
  ['LOCK_MS', '15s'],
  ['LOCK_MS', '999'],
  ['POISON_LIMIT', '0'],
  ['RETENTION_DAYS', '0'],
  ['RETENTION_DAYS', '1.5'],
  ['CATCH_UP_MAX_AGE', '24'],
  ['CATCH_UP_MAX_AGE', '1.5h'],
  ['CATCH_UP_MAX_AGE', '24 h'],
  ['CATCH_UP_MAX_AGE', '366d'],
  ['CATCH_UP_MAX_AGE', '1w'],
  ['MAX_BLOB_BYTES', '0'],
  ['MAX_BLOB_BYTES', 'lots'],
  ['MAX_BLOB_BYTES', '1g'],
  ['MAX_BLOB_BYTES', '1.5'],
  ['MAX_BLOB_BYTES', '99999999TiB'],
  ['DOCENT_SECRET', 'fifteen-letters'],
  ['FOLLOW_ALL_THREADS', 'yes'],
  ['QUOTA_MESSAGES_PER_MINUTE', '-1'],
  ['QUOTA_TOKENS_PER_DAY', '0'],
  ['ALLOW_USERS', 'x'.repeat(201)],
])('%s=%s is refused', (name, value) => {
  expect(problemsOf({ [name]: value })).toHaveLength(1);
});

test.each([
  ['30s', 30_000],
  ['15m', 900_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
  ['0s', 0],
])('the age %s is %i ms', (raw, ms) => {
  expect(loadConfig({ CATCH_UP_MAX_AGE: raw }, noFile).config.catchUpMaxAgeMs).toBe(ms);
});

test.each([
  ['1GiB', 1_073_741_824],
  ['512 MiB', 536_870_912],
  ['1.5gb', 1_500_000_000],
  ['64KiB', 65_536],
  ['900b', 900],
  ['1048576', 1_048_576],
])('the size %s is %i bytes', (raw, bytes) => {
  expect(loadConfig({ MAX_BLOB_BYTES: raw }, noFile).config.maxBlobBytes).toBe(bytes);
});

test('lists have commas or spaces between their ids, and name each once', () => {
  const { access } = loadConfig(
    { DOCENT_ADMINS: 'discord:42, slack:U1  42,,discord:42', ALLOW_BOTS: ',', DENY_ROLES: '7' },
    noFile,
  ).config;
  expect(access.admins).toEqual(['discord:42', 'slack:U1', '42']);
  expect(access.allow.bots).toEqual([]);
  expect(access.deny.roles).toEqual(['7']);
});

test.each(['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires', 'America/Port-au-Prince', 'Etc/GMT+1'])(
  '%s is a time zone',
  (zone) => {
    expect(loadConfig({ DEFAULT_TZ: zone }, noFile).config.defaultZone).toBe(zone);
  },
);

test('without a time zone that of the machine counts', () => {
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(loadConfig({}, noFile).config.defaultZone).toBe(here);
});

test.each([
  'redis://localhost:6379/0',
  'rediss://mia:p%40ss@redis.example',
  'redis+cluster://a:7000,b:7001',
  'redis+sentinel://a:26379,b:26379/main',
  'unix:///run/redis.sock',
])('%s is an address of Redis', (url) => {
  expect(loadConfig({ REDIS_URL: url }, noFile).config.redisUrl).toBe(url);
});

describe('where answers stand', () => {
  test.each([
    ['auto', {}],
    ['thread', { discord: 'thread', slack: 'thread' }],
    ['discord:thread', { discord: 'thread' }],
    ['discord:thread, slack:channel', { discord: 'thread', slack: 'channel' }],
  ])('ANSWER_PLACEMENT=%s', (written, placement) => {
    expect(loadConfig({ ANSWER_PLACEMENT: written }, () => undefined).config.placement).toEqual(placement);
  });

  test.each(['sideways', 'web:thread', 'discord', 'discord:thread:x', 'discord:thread,'])(
    'not %s',
    (written) => {
      expect(problemsOf({ ANSWER_PLACEMENT: written })[0]).toMatch(
        /^ANSWER_PLACEMENT: expected auto, channel/,
      );
    },
  );
});

describe('the web page needs a token', () => {
  const asking = (env: Record<string, string>, role?: Role) => {
    try {
      loadConfig(env, noFile, role);
      return [];
    } catch (error) {
      return (error as ConfigError).problems;
    }
  };

  test('where other machines can reach it, and the problem stands beside all others', () => {
    expect(asking({ HOST: '0.0.0.0', LOG_LEVEL: 'loud' }, 'all')).toEqual([
      expect.stringContaining('LOG_LEVEL: expected'),
      'WEB_TOKEN: expected a token, because HOST 0.0.0.0 can be reached from other machines. Make one with: openssl rand -hex 32, or leave HOST out for 127.0.0.1.',
    ]);
  });

  test.each([
    ['web', '0.0.0.0', 1],
    ['all', '::', 1],
    ['all', '[::]', 1],
    ['all', 'docent.example', 1],
    ['all', '127.0.0.1.example', 1],
    ['all', 'localhost', 0],
    ['all', '127.0.0.2', 0],
    ['all', '::1', 0],
    ['all', '[::1]', 0],
    ['web', '0:0:0:0:0:0:0:1', 0],
    ['gateway', '0.0.0.0', 0],
    ['worker', '0.0.0.0', 0],
    [undefined, '0.0.0.0', 0],
  ] as const)('role %s on %s: %i problems', (role, host, problems) => {
    expect(asking({ HOST: host }, role)).toHaveLength(problems);
    expect(asking({ HOST: host, WEB_TOKEN: 'open-sesame' }, role)).toEqual([]);
  });

  test('a HOST that is no address is one problem, not two', () => {
    expect(asking({ HOST: 'a b' }, 'all')).toEqual([expect.stringMatching(/^HOST: expected/)]);
  });
});

test('no secret is printed, wherever it was pasted', () => {
  const secret = 'sk-proj-0123456789abcdef';
  const problems = problemsOf({
    OPENAI_API_KEY: `${secret} ${secret}`,
    LOG_LEVEL: secret,
    OPENAI_BASE_URL: 'https://mia:hunter2@llm.example',
    REDIS_URL: 'mia:hunter2/@redis.example',
    WEB_TOKEN: 'hunter2 hunter2',
    DOCENT_SECRET: 'hunter2',
  });
  expect(problems).toHaveLength(6);
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
    ['ALLOW_USER', 'ALLOW_USERS'],
    ['DENY_CHANNEL', 'DENY_CHANNELS'],
    ['RETENTION_DAY', 'RETENTION_DAYS'],
    ['QUOTA_TOKENS_A_DAY', 'QUOTA_TOKENS_PER_DAY'],
    ['OPENAI_MODEL_FALLBACK', 'OPENAI_FALLBACK_MODEL'],
  ])('%s is told apart from %s', (name, meant) => {
    expect(warningsOf({ [name]: 'x' })).toEqual([`${name} is no setting of Docent. Did you mean ${meant}?`]);
  });

  test('are told with the problems of a start that fails', () => {
    expect(problemsOf({ PORT: 'x', REDIS_URI: 'redis://localhost' })).toEqual([
      'PORT: expected a whole number from 0 to 65535, got "x". Leave it out for 3000.',
      'REDIS_URI is no setting of Docent. Did you mean REDIS_URL?',
    ]);
  });

  test('a name that is near nothing points to the list', () => {
    const name = 'OPENAI_SOMETHING_COMPLETELY_ELSE';
    expect(warningsOf({ [name]: 'x' })).toEqual([
      `${name} is no setting of Docent. The names of all settings: docent --help.`,
    ]);
  });

  test('settings of other versions are said to do nothing', () => {
    expect(warningsOf({ SLACK_APP_TOKEN: 'x', SLACK_BOT_TOKEN: 'x' })).toEqual([
      'SLACK_APP_TOKEN is set, but not used by this version.',
      'SLACK_BOT_TOKEN is set, but not used by this version.',
    ]);
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

test('lines of .env that set nothing are told, without what they hold', () => {
  expect(
    warningsOf({}, '# a comment\n\nexport LOG_LEVEL=info\nsk-secret\nOPENAI_API_KEY="a\nb"\nPORT 3000\n'),
  ).toEqual([
    '.env: line 4 is not NAME=value and is ignored. Correct or remove it.',
    '.env: line 7 is not NAME=value and is ignored. Correct or remove it.',
  ]);
});
