import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { downloadFrom } from '../../src/files/download.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : '';
}

async function read(origins: readonly string[], address: string, headers = {}): Promise<string> {
  const body = await downloadFrom({ origins, headers })(address, new AbortController().signal);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('a file comes from an allowed origin, with what opens it', async () => {
  const origin = await serve((request, response) =>
    response.end(`${request.url} ${request.headers.authorization}`),
  );
  expect(await read([origin], `${origin}/f/1?ex=2`, { authorization: 'Bearer t' })).toBe(
    '/f/1?ex=2 Bearer t',
  );
});

test.each([
  'http://169.254.169.254/latest/meta-data',
  'http://127.1/',
  'http://[::ffff:127.0.0.1]/',
  'http://2130706433/',
  'file:///etc/passwd',
  'data:text/plain,hello',
  'not an address',
  '',
])('nothing is fetched from %s', async (address) => {
  await expect(read(['https://files.example'], address)).rejects.toMatchObject({ why: 'refused' });
});

test('an origin is not allowed because it looks like one', async () => {
  const origin = await serve((_, response) => response.end('secret'));
  for (const address of [`${origin}@evil.example/`, origin.replace('http:', 'https:'), `${origin}0/`])
    await expect(read([origin], address)).rejects.toMatchObject({ code: 'file.unavailable' });
});

test('a redirect is followed to allowed origins only, and not for ever', async () => {
  const inner = await serve((_, response) => response.end('secret'));
  const outer = await serve((request, response) => {
    const to = { '/in': `${inner}/x`, '/here': '/there', '/there': undefined, '/round': '/round' }[
      request.url ?? ''
    ];
    if (to === undefined) return response.end('found');
    return response.writeHead(302, { location: to }).end();
  });
  expect(await read([outer], `${outer}/here`)).toBe('found');
  expect(await read([outer, inner], `${outer}/in`)).toBe('secret');
  await expect(read([outer], `${outer}/in`)).rejects.toMatchObject({ why: 'refused' });
  await expect(read([outer], `${outer}/round`)).rejects.toThrow('redirects more than 5 times');
});

test.each([
  [404, 'gone'],
  [410, 'gone'],
  [401, 'refused'],
  [403, 'refused'],
  [500, undefined],
  [429, undefined],
  [206, undefined],
])('an answer of %i', async (status, why) => {
  const origin = await serve((_, response) => response.writeHead(status).end('x'));
  const failed = await read([origin], origin).catch((error: unknown) => error);
  expect(failed).toMatchObject({ message: `the answer was ${status}`, ...(why && { why }) });
  expect(failed instanceof Error && 'why' in failed).toBe(why !== undefined);
});
