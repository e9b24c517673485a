/** The fake platform as a process of its own, so that it outlives every bot. Prints its address; ends with its parent. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { FakePlatform } from './platform.ts';
import type { PlatformCall, PlatformControl } from './platform-calls.ts';

const platform = new FakePlatform(Date.now);

const server = createServer((request, response) => void serve(request, response));

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const reply = (body: unknown) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  };
  const [, file] = /^\/files\/(.+)$/.exec(request.url ?? '') ?? [];
  if (file !== undefined) return serveFile(file, response);
  if (request.method === 'GET') return reply(request.url === '/state' ? platform.state() : platform.limits);
  const body: unknown = JSON.parse(await text(request));
  if (request.url === '/control') {
    platform.control(body as PlatformControl);
    return reply({ status: 200 });
  }
  const { answer, afterMs } = platform.handle(body as PlatformCall);
  await sleep(afterMs);
  if (answer === 'cut') response.destroy();
  else reply(answer);
}

function serveFile(id: string, response: ServerResponse): void {
  const { file, how } = platform.file(id);
  if (how === 'never') return;
  if (file === undefined || how === 'gone') return void response.writeHead(404).end();
  if (how === 'away') return void response.writeHead(302, { location: 'http://127.0.0.1:1/secret' }).end();
  if (how === 'login') return void response.end('<!DOCTYPE html><title>Sign in</title>');
  const bytes = Buffer.from(file.bytes, 'base64');
  response.writeHead(200, { 'content-type': file.type });
  if (how !== 'drops') return void response.end(bytes);
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) console.log(`http://127.0.0.1:${address.port}`);
});
process.stdin.on('end', () => process.exit()).resume();
