/** The fake over HTTP: REST below `/api/v10`, files below `/cdn`, and the sockets of the gateway. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { WebSocketServer } from 'ws';
import type { Discord } from './discord.ts';
import { readIncoming } from './rest/incoming.ts';
import type { Incoming } from './rest/request.ts';

/** `current` is the Discord of now; `control` answers what begins with `/control/` with the name and the arguments. */
export function serve(
  current: () => Discord,
  control: (name: string, args: readonly unknown[]) => unknown,
): Server {
  const server = createServer((request, response) => {
    // Somebody who hung up needs no answer.
    response.on('error', () => {});
    void respond(request, response).catch((error: unknown) => {
      current().journal.note(
        'fake_broke',
        error instanceof Error ? (error.stack ?? error.message) : String(error),
      );
      response.destroy();
    });
  });
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://fake');
    if (url.pathname.startsWith('/control/')) {
      const { status, body } = await controlled(control, url.pathname.slice(9), request);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      return;
    }
    if (url.pathname.startsWith('/cdn/')) return sendFile(current(), url, response);
    const answer = await current().handle(await incomingFrom(request, url));
    if (answer === 'cut') {
      request.socket.destroy();
      return;
    }
    const { status, headers, body, html } = answer;
    const type = html === undefined ? 'application/json' : 'text/html; charset=UTF-8';
    response.writeHead(status, { ...(status !== 204 && { 'content-type': type }), ...headers });
    response.end(html ?? (body === undefined ? undefined : JSON.stringify(body)));
  };

  const sockets = new WebSocketServer({ server, path: '/gateway', perMessageDeflate: false });
  sockets.on('connection', (socket, request) => {
    socket.on('error', () => {}); // its close follows
    const { searchParams } = new URL(request.url ?? '/', 'http://fake');
    const connection = current().gateway.connect(
      {
        send: (text) => socket.send(text),
        close: (code, reason) => socket.close(code, reason),
        terminate: () => socket.terminate(),
      },
      searchParams,
    );
    socket.on('message', (text: Buffer) => connection.receive(text.toString()));
    socket.on('close', (code) => connection.closed(code));
  });
  return server;
}

async function incomingFrom(request: IncomingMessage, url: URL): Promise<Incoming> {
  const header = (name: string) => request.headers[name]?.toString();
  return readIncoming(request.method ?? 'GET', url, header, await buffer(request));
}

async function controlled(
  control: (name: string, args: readonly unknown[]) => unknown,
  name: string,
  request: IncomingMessage,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const given = JSON.parse((await buffer(request)).toString()) as readonly unknown[];
  // What was left out travels as null.
  const args = given.map((each) => each ?? undefined);
  try {
    return { status: 200, body: control(name, args) ?? null };
  } catch (error) {
    return { status: 400, body: { error: error instanceof Error ? error.message : String(error) } };
  }
}

/** A download, with what the sender ordered for it: gone, half-way stopped, or past the end of its link. */
function sendFile({ world }: Discord, url: URL, response: ServerResponse): void {
  const id = url.pathname.split('/')[4] ?? '';
  const bytes = world.files.get(id);
  const file = [...world.messages.values()]
    .flatMap(({ versions }) => versions.flatMap(({ attachments }) => attachments))
    .find((each) => each.id === id);
  const isOver = Number.parseInt(url.searchParams.get('ex') ?? '0', 16) * 1_000 < world.now();
  if (bytes === undefined || file === undefined || file.trouble === 'gone' || isOver) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('This content is no longer available.');
    return;
  }
  response.writeHead(200, {
    'content-type': file.contentType ?? 'application/octet-stream',
    'content-length': bytes.length,
  });
  if (file.trouble === 'slow') response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)));
  else response.end(bytes);
}
