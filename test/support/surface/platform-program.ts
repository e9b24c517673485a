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

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) console.log(`http://127.0.0.1:${address.port}`);
});
process.stdin.on('end', () => process.exit()).resume();
