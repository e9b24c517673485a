// The tool over the real client, against a server with the answers of GitHub.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CallId } from '../../src/domain/ids.ts';
import { githubApi } from '../../src/pages/github.ts';
import { githubTool } from '../../src/tools/github.ts';
import { manualClock } from '../support/clock.ts';

let server: Server;
let origin: string;
let asked: { path: string; headers: IncomingHttpHeaders }[];
let answers: Record<string, { status?: number; headers?: Record<string, string>; body?: unknown }>;

const repo = {
  full_name: 'ann/sums',
  html_url: 'https://github.com/ann/sums',
  private: false,
  description: 'Adds up',
  language: 'C',
  license: { spdx_id: 'MIT' },
  stargazers_count: 12,
  open_issues_count: 3,
  default_branch: 'main',
  pushed_at: '2026-11-01T10:00:00Z',
  archived: false,
};

beforeAll(async () => {
  server = createServer(({ url = '', headers }, response) => {
    asked.push({ path: url, headers });
    const {
      status = 200,
      headers: more = {},
      body = { message: 'Not Found' },
    } = answers[url] ?? { status: 404 };
    response.writeHead(status, more).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  origin = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : '';
});
afterAll(() => server.close());
beforeEach(() => {
  asked = [];
  answers = { '/repos/ann/sums': { body: repo } };
});

async function look(query_type: string, target: string, token?: string) {
  const clock = manualClock(Date.parse('2026-11-30T18:00Z'));
  const tool = githubTool(githubApi({ origin, token, clock }));
  const result = await tool.run(
    { query_type, target },
    {
      callId: CallId('c1'),
      idempotencyKey: 'discord:7:t1:c1',
      user: undefined,
      signal: new AbortController().signal,
    },
  );
  return 'text' in result ? `${result.kind}: ${result.text}` : result.kind;
}

test('a repository in three lines', async () => {
  expect(await look('repo', 'ann/sums')).toBe(
    'text: ann/sums\nhttps://github.com/ann/sums\nAdds up\nC · 12 stars · 3 open issues and pull requests · MIT · default branch main · pushed 2026-11-01',
  );
});

test('a file, from its address in a browser as well', async () => {
  const body = {
    path: 'src/add.c',
    type: 'file',
    size: 20,
    html_url: 'https://github.com/ann/sums/blob/main/src/add.c',
    encoding: 'base64',
    content: Buffer.from('int add(int a, int b);').toString('base64'),
  };
  answers['/repos/ann/sums/contents/src/add.c'] = { body };
  answers['/repos/ann/sums/contents/src/add.c?ref=v2'] = { body };
  expect(await look('file', 'ann/sums/src/add.c')).toContain('int add(int a, int b);');
  expect(await look('file', 'https://github.com/ann/sums/blob/main/src/add.c')).toContain('int add');
  expect(await look('file', 'ann/sums/src/add.c@v2')).toContain('int add');
});

test('a folder is listed, and a picture is no text', async () => {
  const file = { path: 'a.png', type: 'file', size: 3, html_url: null };
  answers['/repos/ann/sums/contents/a.png'] = {
    body: { ...file, encoding: 'base64', content: Buffer.from([1, 0, 2]).toString('base64') },
  };
  answers['/repos/ann/sums/contents/src'] = { body: [file] };
  expect(await look('file', 'ann/sums/src')).toBe('text: 1 entries\na.png (file, 3 bytes)');
  expect(await look('file', 'ann/sums/a.png')).toBe('failed: a.png is no text.');
});

test('an issue and what was said to it', async () => {
  const path = '/repos/ann/sums/issues/7';
  answers[path] = {
    body: {
      number: 7,
      title: 'Wrong sum',
      html_url: 'https://github.com/ann/sums/issues/7',
      state: 'open',
      user: { login: 'bob' },
      body: '2 + 2 is 5',
    },
  };
  answers[`${path}/comments?per_page=10`] = { body: [{ user: { login: 'ann' }, body: 'Fixed.' }] };
  expect(await look('issue', 'ann/sums#7')).toBe(
    'text: #7 Wrong sum\n\nhttps://github.com/ann/sums/issues/7\nopen, by bob\n\n2 + 2 is 5\n\nann: Fixed.',
  );
});

test('a run with the steps that failed', async () => {
  const path = '/repos/ann/sums/actions/runs/99';
  answers[path] = {
    body: { name: 'CI', run_number: 5, status: 'completed', conclusion: 'failure', html_url: 'https://x' },
  };
  answers[`${path}/jobs?per_page=50`] = {
    body: {
      jobs: [
        {
          name: 'test',
          status: 'completed',
          conclusion: 'failure',
          steps: [
            { name: 'build', conclusion: 'success' },
            { name: 'check', conclusion: 'failure' },
          ],
        },
      ],
    },
  };
  expect(await look('run', 'ann/sums/99')).toBe(
    'text: CI #5: failure\nhttps://x\n  test: failure\n    failed: check',
  );
});

test('what is private stays so, whatever the token may read', async () => {
  answers['/repos/ann/secret'] = { body: { ...repo, private: true } };
  for (const [type, target] of [
    ['repo', 'ann/secret'],
    ['file', 'ann/secret/key.pem'],
    ['issue', 'ann/secret#1'],
    ['pr', 'ann/secret#1'],
    ['run', 'ann/secret/1'],
  ] as const)
    expect(await look(type, target, 'tok')).toBe('failed: GitHub has nothing public there.');
  expect(asked.map(({ path }) => path)).toEqual(Array.from({ length: 5 }, () => '/repos/ann/secret'));
  expect(asked[0]?.headers.authorization).toBe('Bearer tok');
  await look('search', 'key');
  expect(asked.at(-1)?.path).toBe('/search/issues?q=key+is%3Apublic&per_page=10');
});

test('a repository that was renamed is found; nobody else hears the token', async () => {
  answers['/repos/ann/old'] = { status: 301, headers: { location: `${origin}/repos/ann/sums` } };
  answers['/repos/ann/moved'] = { status: 301, headers: { location: 'http://127.0.0.2:1/x' } };
  expect(await look('repo', 'ann/old')).toContain('Adds up');
  expect(await look('repo', 'ann/moved', 'tok')).toBe('failed: GitHub sends elsewhere for it.');
});

test.each([
  [
    'the limit',
    { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1796065200' } },
    /no more questions from me until 19:00 UTC/,
  ],
  ['too many at once', { status: 429, headers: { 'retry-after': '60' } }, /until 18:01 UTC/],
  ['a refused token', { status: 401 }, /does not take GITHUB_TOKEN/],
  ['nothing there', { status: 404 }, /nothing public there/],
  ['a failure', { status: 502 }, /GitHub answered 502/],
  ['another form', { body: { message: 'hello' } }, /in a form I do not know/],
] as const)('%s is told', async (_what, answer, told) => {
  answers['/repos/ann/sums'] = answer;
  expect(await look('repo', 'ann/sums')).toMatch(told);
});

test.each([
  ['repo', 'sums'],
  ['repo', '../user'],
  ['repo', '../../user'],
  ['file', 'ann/..'],
  ['issue', 'ann/sums'],
  ['run', 'ann/sums/latest'],
])('%s %s is no target, and nothing is asked', async (type, target) => {
  expect(await look(type, target)).toMatch(/write the target as owner\/name/);
  expect(asked).toEqual([]);
});
