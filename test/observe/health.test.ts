import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Check } from '../../src/observe/checks.ts';
import { type HealthOptions, type HealthServer, startHealthServer } from '../../src/observe/health.ts';
import { ListenError, listenFailure } from '../../src/observe/listen-error.ts';
import { manualClock } from '../support/clock.ts';
import { quietLog } from '../support/quiet-log.ts';

const since = Date.parse('2026-12-01T09:00:00Z');
const redis: Check = { name: 'redis', kind: 'required', state: 'ok', since };
const model: Check = { name: 'model', kind: 'degradable', state: 'ok', since };

const open: HealthServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function start(options: Partial<HealthOptions> = {}): Promise<HealthServer> {
  const server = await startHealthServer({
    host: '127.0.0.1',
    port: 0,
    checks: () => [redis, model],
    metrics: { contentType: 'text/plain; version=0.0.4; charset=utf-8', text: async () => 'docent_x 1\n' },
    clock: manualClock(),
    log: quietLog,
    ...options,
  });
  open.push(server);
  return server;
}

/** A promise and what settles it. */
function later<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((set) => (resolve = set));
  return { promise, resolve };
}

async function ready(checks: readonly Check[]): Promise<[number, unknown]> {
  const { url } = await start({ checks: () => checks });
  const answer = await fetch(`${url}/readyz`);
  return [answer.status, await answer.json()];
}

test('/healthz answers as long as the process does', async () => {
  const { url } = await start({ checks: () => [{ ...redis, state: 'away' }] });
  const answer = await fetch(`${url}/healthz`);
  expect([answer.status, await answer.text()]).toEqual([200, 'ok\n']);
  expect((await fetch(`${url}/healthz`, { method: 'HEAD' })).status).toBe(200);
});

describe('/readyz', () => {
  test('names every check when all is well', async () => {
    expect(await ready([redis, model])).toEqual([
      200,
      {
        status: 'ready',
        checks: [
          { name: 'redis', kind: 'required', state: 'ok', since: '2026-12-01T09:00:00.000Z' },
          { name: 'model', kind: 'degradable', state: 'ok', since: '2026-12-01T09:00:00.000Z' },
        ],
      },
    ]);
  });

  test('is 503 when something is away that the role needs', async () => {
    const [status, body] = await ready([{ ...redis, state: 'away', detail: 'connection refused' }, model]);
    expect(status).toBe(503);
    expect(body).toMatchObject({
      status: 'not ready',
      checks: [
        { name: 'redis', state: 'away', detail: 'connection refused' },
        { name: 'model', state: 'ok' },
      ],
    });
  });

  test('is 200 and says degraded when only the model is away', async () => {
    const [status, body] = await ready([redis, { ...model, state: 'away' }]);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'degraded' });
  });

  test('is red while Redis is gone and green afterwards', async () => {
    let check = redis;
    const { url } = await start({ checks: () => [check] });
    const status = async () => (await fetch(`${url}/readyz`)).status;
    expect(await status()).toBe(200);
    check = { ...redis, state: 'away' };
    expect(await status()).toBe(503);
    check = redis;
    expect(await status()).toBe(200);
  });
});

test('/metrics is what the meter says', async () => {
  const { url } = await start();
  const answer = await fetch(`${url}/metrics`);
  expect([answer.headers.get('content-type'), await answer.text()]).toEqual([
    'text/plain; version=0.0.4; charset=utf-8',
    'docent_x 1\n',
  ]);
});

test('everything else is 404', async () => {
  const { url } = await start();
  for (const path of ['/', '/healthz/', '/HEALTHZ', '/..%2fmetrics', '/metrics%00', '//evil.example/metrics'])
    expect([path, (await fetch(url + path)).status]).toEqual([path, 404]);
  expect((await fetch(`${url}/healthz`, { method: 'POST', body: 'x' })).status).toBe(404);
});

test('a role may serve more beside it, but nothing in place of it', async () => {
  const { url } = await start({
    extraRoutes: {
      '/slack/events': async (request) => new Response(`${request.method} ${await request.text()}`),
      '/chat/*': ({ url: asked }) => new Response(new URL(asked).pathname),
      '/from': (_request, peer) => new Response(peer),
      '/healthz': () => new Response('mine'),
      '/broken': () => Promise.reject(new Error('password: hunter2')),
    },
  });
  const events = await fetch(`${url}/slack/events`, { method: 'POST', body: 'hello' });
  expect(await events.text()).toBe('POST hello');
  expect(events.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await (await fetch(`${url}/chat/a/b?c=1`)).text()).toBe('/chat/a/b');
  expect(await (await fetch(`${url}/from`)).text()).toBe('127.0.0.1');
  expect(await (await fetch(`${url}/healthz`)).text()).toBe('ok\n');
  const broken = await fetch(`${url}/broken`);
  expect([broken.status, await broken.text()]).toEqual([
    500,
    'Something went wrong here; the log says what.\n',
  ]);
});

test.each(['/healthz', '/readyz', '/metrics', '/unknown', '/broken'])(
  '%s cannot be taken for another type of content',
  async (path) => {
    const { url } = await start({ extraRoutes: { '/broken': () => Promise.reject(new Error('broken')) } });
    expect((await fetch(url + path)).headers.get('x-content-type-options')).toBe('nosniff');
  },
);

describe('a body', () => {
  const send = (url: string, headers: Record<string, string | number>, body: Buffer) =>
    new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(`${url}/take`, { method: 'POST', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      request.on('error', reject);
      request.end(body);
    });
  const take = { '/take': async (request: Request) => new Response(String((await request.text()).length)) };

  test('of a megabyte is taken, one more byte is not', async () => {
    const { url } = await start({ extraRoutes: take });
    const largest = Buffer.alloc(1024 * 1024, 'x');
    expect(await send(url, { 'content-length': largest.length }, largest)).toBe(200);
    const larger = Buffer.alloc(1024 * 1024 + 1, 'x');
    expect(await send(url, { 'content-length': larger.length }, larger)).toBe(413);
  });

  test('of more than that is taken where more was agreed on, and nowhere else', async () => {
    const { url } = await start({
      extraRoutes: take,
      bodyLimits: { '/take': 2 * 1024 * 1024, '/other': 10 },
    });
    const large = Buffer.alloc(2 * 1024 * 1024, 'x');
    expect(await send(url, { 'content-length': large.length }, large)).toBe(200);
    const larger = Buffer.alloc(2 * 1024 * 1024 + 1, 'x');
    expect(await send(url, { 'content-length': larger.length }, larger)).toBe(413);
  });

  test('of unknown length is not read', async () => {
    const { url } = await start({ extraRoutes: take });
    expect(await send(url, { 'transfer-encoding': 'chunked' }, Buffer.from('x'))).toBe(411);
  });
});

describe('an address that cannot be used is one readable error', () => {
  test('a port that is taken', async () => {
    const first = await start();
    const port = Number(new URL(first.url).port);
    const second = await start({ port }).catch((error: unknown) => error);
    expect(second).toBeInstanceOf(ListenError);
    expect(second).toMatchObject({
      message: `PORT: ${port} is taken by another program`,
      hint: 'Stop that program, or set PORT to another number (0 takes a free one); each process on a machine needs its own.',
    });
    expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
  });

  test('a host that is not here', async () => {
    await expect(start({ host: '192.0.2.1' })).rejects.toMatchObject({
      message: 'HOST: expected a name or address of this machine, got 192.0.2.1',
    });
  });

  test.each([
    ['EACCES', 'PORT: this user may not listen on 80'],
    ['ENOTFOUND', 'HOST: expected a name or address of this machine, got nowhere'],
    ['EMFILE', 'PORT: cannot listen on 80 at nowhere (EMFILE)'],
  ])('%s', (code, message) => {
    expect(listenFailure(Object.assign(new Error('listen'), { code }), 'nowhere', 80).message).toBe(message);
  });
});

test('the address for people is one that can be opened', async () => {
  expect((await start()).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const everywhere = await start({ host: '0.0.0.0' });
  expect(everywhere.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await fetch(`${everywhere.url}/healthz`)).status).toBe(200);
});

describe('closing', () => {
  test('frees the port, and idle connections do not hold it', async () => {
    const clock = manualClock();
    const { url, close } = await start({ clock });
    await fetch(`${url}/healthz`); // leaves a connection that is kept alive
    open.length = 0;
    await close();
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed');
    expect(clock.pending()).toEqual([]);
  });

  test('lets a request end that is under way', async () => {
    const held = later<Response>();
    const asked = later<void>();
    const { url, close } = await start({
      extraRoutes: {
        '/slow': () => {
          asked.resolve();
          return held.promise;
        },
      },
    });
    open.length = 0;
    const answer = fetch(`${url}/slow`);
    await asked.promise;
    const closed = close();
    held.resolve(new Response('done'));
    expect(await (await answer).text()).toBe('done');
    await closed;
  });

  test('ends what does not end by itself after two seconds', async () => {
    const clock = manualClock();
    const asked = later<void>();
    const { url, close } = await start({
      clock,
      extraRoutes: {
        '/never': () => {
          asked.resolve();
          return new Promise(() => {});
        },
      },
    });
    open.length = 0;
    const answer = fetch(`${url}/never`).catch(() => 'cut');
    await asked.promise;
    const closed = close();
    await clock.advance(2_000);
    await closed;
    expect(await answer).toBe('cut');
  });
});

test('a line that is no HTTP is refused and the server goes on', async () => {
  const { url } = await start();
  const { port } = new URL(url);
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write('hello\r\n\r\n'));
    socket.once('data', (data) => resolve(String(data)));
  });
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});
