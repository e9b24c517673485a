import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { doneMarker } from '../../src/model/done-marker.ts';
import { httpFetch } from '../../src/model/http-fetch.ts';
import { manualClock } from '../support/clock.ts';

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Starts any server on a free loopback port; it is closed after the test with all its connections. */
async function listen(server: net.Server): Promise<number> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

const serve = async (handler: http.RequestListener) =>
  `http://127.0.0.1:${await listen(http.createServer(handler))}`;

/** Lets the event loop go round, so that both ends of a local connection have seen what the other one did. */
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

const sse = { 'content-type': 'text/event-stream' };

describe('a response', () => {
  test('has status, headers and body, and the request arrived as it was given', async () => {
    const url = await serve((request, response) => {
      request.setEncoding('utf8');
      let body = '';
      request.on('data', (text: string) => (body += text));
      request.on('end', () => {
        response.writeHead(418, 'Teapot', { 'x-seen': [`${request.method} ${request.url}`, 'b'] });
        response.end(`${String(request.headers['x-mine'])} ${request.headers['content-length']} ${body}`);
      });
    });
    const response = await httpFetch(manualClock())(`${url}/a?b=1`, {
      method: 'POST',
      headers: { 'X-Mine': 'yes' },
      body: 'é漢',
    });
    expect([response.status, response.statusText, response.headers.get('x-seen')]).toEqual([
      418,
      'Teapot',
      'POST /a?b=1, b',
    ]);
    expect(await response.text()).toBe('yes 5 é漢');
  });

  test('of a redirect is returned, not followed', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(307, { location: 'http://elsewhere.example/' }).end();
    });
    const response = await httpFetch(manualClock())(url);
    expect([response.status, response.headers.get('location')]).toEqual([307, 'http://elsewhere.example/']);
  });

  test('without a body is no stream', async () => {
    const url = await serve((_request, response) => void response.writeHead(204).end());
    expect((await httpFetch(manualClock())(url)).body).toBeNull();
  });

  test.each<[string, (text: string) => Buffer]>([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('that is %s although nobody asked is unpacked', async (encoding, pack) => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(pack('squeezed 漢'));
    });
    expect(await (await httpFetch(manualClock())(url)).text()).toBe('squeezed 漢');
  });

  test('that is packed and cut is an error', async () => {
    const url = await serve((_request, response) => {
      response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(gzipSync('x'.repeat(9_999)).subarray(0, 20));
    });
    await expect((await httpFetch(manualClock())(url)).text()).rejects.toThrow('unexpected end of file');
  });

  test('is read whole by a slow reader', async () => {
    const bytes = Buffer.alloc(8_000_000, 7);
    const url = await serve((_request, response) => void response.end(bytes));
    let read = 0;
    for await (const chunk of (await httpFetch(manualClock())(url)).body ?? []) {
      read += chunk.byteLength;
      await turns(1);
    }
    expect(read).toBe(bytes.length);
  });

  test('that is cut gives what had arrived, then the error', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, sse);
      response.write('data: 1\n\n', () => response.destroy());
    });
    const response = await httpFetch(manualClock())(url);
    const seen: string[] = [];
    const reading = (async () => {
      for await (const chunk of response.body ?? []) seen.push(Buffer.from(chunk).toString());
    })();
    await expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(seen).toEqual(['data: 1\n\n']);
  });
});

describe('the marker line', () => {
  test('ends the body while the server keeps the socket open, which is then closed', async () => {
    const clock = manualClock();
    let closed = (): void => {};
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const url = await serve((_request, response) => {
      response.on('close', closed);
      response.writeHead(200, sse);
      response.write('data: {}\n\ndata: [DONE]\n\n');
    });
    const response = await httpFetch(clock)(url);
    expect(await response.text()).toBe('data: {}\n\ndata: [DONE]\n\n');
    await clock.advance(1_000);
    await gone;
  });

  test('leaves the connection usable when the server ends properly', async () => {
    let connections = 0;
    const server = http.createServer((_request, response) => {
      response.writeHead(200, sse);
      response.write('data: [DONE]\n\n');
      setImmediate(() => response.end());
    });
    server.on('connection', () => connections++);
    const url = `http://127.0.0.1:${await listen(server)}`;
    const fetch = httpFetch(manualClock());
    for (let i = 0; i < 3; i++) {
      await (await fetch(url)).text();
      await turns(20);
    }
    expect(connections).toBe(1);
  });

  test.each([
    ['data: [DONE]\n\n', true],
    ['data:[DONE]', true],
    ['data: {"a":1}\r\n\r\ndata: [DONE]\r\n\r\n', true],
    [`data: {"a":"${'x'.repeat(300)}"}\n\ndata: [DONE]\n\n`, true],
    ['data: {"text":"data: [DONE]"}\n\n', false],
    ['data: {"text":"[DONE]"}\n\ndata: [DONE', false],
    [': data: [DONE]\n\n', false],
    ['event: data: [DONE]\n\n', false],
    ['', false],
  ])('in %j is found: %s, wherever it is cut', (text, found) => {
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const isDone = doneMarker();
      const seen = [bytes.subarray(0, cut), bytes.subarray(cut)].map((piece) => isDone(piece));
      expect(seen.includes(true)).toBe(found);
    }
    const isDone = doneMarker();
    expect([...bytes].map((byte) => isDone(Buffer.from([byte]))).includes(true)).toBe(found);
  });
});

describe('a connection', () => {
  test('that the server closed while it was kept is replaced at once', async () => {
    let connections = 0;
    const server = net.createServer((socket) => {
      const mine = ++connections;
      let requests = 0;
      socket.on('data', () => {
        requests++;
        if (mine === 1 && requests === 2) socket.resetAndDestroy();
        else socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n${mine}`);
      });
    });
    const url = `http://127.0.0.1:${await listen(server)}`;
    const fetch = httpFetch(manualClock());
    expect(await (await fetch(url)).text()).toBe('1');
    await turns(20);
    expect(await (await fetch(url, { method: 'POST', body: 'x' })).text()).toBe('2');
    expect(connections).toBe(2);
  });

  test('that is not up after ten seconds is given up', async () => {
    const clock = manualClock();
    const port = await listen(net.createServer());
    void clock.untilWaiting().then(() => clock.advance(10_000));
    await expect(httpFetch(clock)(`https://127.0.0.1:${port}`)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  });

  test('that is refused says so', async () => {
    await expect(httpFetch(manualClock())('http://127.0.0.1:1')).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });

  test('over TLS works, and a certificate that nobody signed is refused', async () => {
    const [key, cert] = ['key', 'cert'].map((name) => readFileSync(`test/fixtures/tls/${name}.pem`));
    const server = https.createServer({ key, cert }, (_request, response) => response.end('safe'));
    const url = `https://127.0.0.1:${await listen(server)}`;
    await expect(httpFetch(manualClock())(url)).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });

    // Node reads this at each handshake; the authority for a private certificate only once, at its start.
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    closers.push(() => delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']);
    expect(await (await httpFetch(manualClock())(url)).text()).toBe('safe');
  });

  test.each([
    ['an address of another kind', 'ftp://127.0.0.1/', {}],
    ['a form as body', 'http://127.0.0.1:1/', { method: 'POST', body: new FormData() }],
  ])('is not opened for %s', async (_name, url, init) => {
    await expect(httpFetch(manualClock())(url, init)).rejects.toBeInstanceOf(TypeError);
  });
});

describe('an abort rejects with its reason and closes the socket', () => {
  const reason = new Error('enough');

  test('before anything is sent', async () => {
    const signal = AbortSignal.abort(reason);
    await expect(httpFetch(manualClock())('http://127.0.0.1:1', { signal })).rejects.toBe(reason);
  });

  test('while the connection is made', async () => {
    const clock = manualClock();
    const port = await listen(net.createServer());
    const stop = new AbortController();
    void clock.untilWaiting().then(() => stop.abort(reason));
    const response = httpFetch(clock)(`https://127.0.0.1:${port}`, { signal: stop.signal });
    await expect(response).rejects.toBe(reason);
  });

  test('in the middle of the body, also while nothing comes', async () => {
    let closed = (): void => {};
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const url = await serve((_request, response) => {
      response.on('close', closed);
      response.writeHead(200, sse).write('data: 1\n\n');
    });
    const stop = new AbortController();
    const response = await httpFetch(manualClock())(url, { signal: stop.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    const next = reader?.read();
    stop.abort(reason);
    await expect(next).rejects.toBe(reason);
    await gone;
  });

  test('a reader that leaves closes it as well', async () => {
    let closed = (): void => {};
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const url = await serve((_request, response) => {
      response.on('close', closed);
      response.writeHead(200, sse).write('data: 1\n\n');
    });
    const response = await httpFetch(manualClock())(url);
    for await (const chunk of response.body ?? []) {
      expect(Buffer.from(chunk).toString()).toBe('data: 1\n\n');
      break;
    }
    await gone;
  });
});
