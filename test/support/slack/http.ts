/** The fake over HTTP, with the sockets of Socket Mode. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { WebSocketServer } from 'ws';
import { respondTo } from './respond.ts';
import type { Slack } from './slack.ts';

/** `current` is the Slack of now; `control` answers what begins with `/control/` with the name and the arguments. */
export function serve(
  current: () => Slack,
  control: (name: string, args: readonly unknown[]) => unknown,
): Server {
  const server = createServer((request, response) => {
    // Somebody who hung up needs no answer.
    response.on('error', () => {});
    void respond(request, response).catch((error: unknown) => {
      const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
      current().journal.note('fake_broke', what);
      response.destroy();
    });
  });
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://fake');
    const bytes = await buffer(request);
    if (url.pathname.startsWith('/control/')) {
      const { status, body } = await controlled(control, url.pathname.slice(9), bytes);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      return;
    }
    const header = (name: string) => request.headers[name]?.toString();
    const reply = await respondTo(current(), { method: request.method ?? 'GET', url, header, bytes });
    if (reply === 'cut') {
      request.socket.destroy();
      return;
    }
    response.writeHead(reply.status, reply.headers);
    if (reply.isTorn === true) response.write(reply.body);
    else response.end(reply.body);
  };

  const wss = new WebSocketServer({ noServer: true, perMessageDeflate: false, autoPong: false });
  server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url ?? '/', 'http://fake');
    const { sockets } = current();
    if (!sockets.admit(url.searchParams.get('ticket') ?? '')) {
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
      return;
    }
    wss.handleUpgrade(request, socket, head, (opened) => {
      opened.on('error', () => {}); // its close follows
      const connection = sockets.connect({
        send: (text) => opened.send(text),
        close: (code) => opened.close(code),
        terminate: () => opened.terminate(),
      });
      opened.on('ping', (data) => {
        if (!sockets.knobs.isDeaf) opened.pong(data);
      });
      opened.on('message', (text: Buffer) => connection.receive(text.toString()));
      opened.on('close', () => connection.closed());
    });
  });
  return server;
}

async function controlled(
  control: (name: string, args: readonly unknown[]) => unknown,
  name: string,
  bytes: Buffer,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const given = JSON.parse(bytes.toString()) as readonly unknown[];
  // What was left out travels as null.
  const args = given.map((each) => each ?? undefined);
  try {
    return { status: 200, body: (await control(name, args)) ?? null };
  } catch (error) {
    return { status: 400, body: { error: error instanceof Error ? error.message : String(error) } };
  }
}
