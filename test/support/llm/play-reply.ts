/** Writes a scripted reply as a stream of completion events, with the faults it asks for. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallReply, ReceivedRequest, Reply } from './reply.ts';

/** How often a hanging stream sends its comment. Unit: milliseconds. */
const keepAliveMs = 20;
const doneEvent = 'data: [DONE]\n\n';

/** Resolves when the reply has been written or the client is gone. `freshId` names a call. */
export async function playReply(
  response: ServerResponse,
  request: ReceivedRequest,
  reply: Reply,
  freshId: () => string,
): Promise<void> {
  if (reply.status !== undefined || reply.html) return playPlain(response, reply);
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    ...reply.headers,
  });
  if (reply.cut === 'before') {
    response.flushHeaders();
    response.destroy();
    return;
  }
  for (const piece of reply.raw ?? piecesOf(request, reply, freshId)) {
    if (piece === doneEvent) await reply.doneAfter;
    if (response.destroyed) return;
    await written(response, piece);
    if (reply.delayMs) await sleep(reply.delayMs);
    else if (reply.raw) await turn();
  }
  if (reply.cut) {
    response.destroy();
  } else if (reply.hang) {
    while (reply.hang === 'keepalive' && !response.destroyed) {
      await sleep(keepAliveMs);
      await written(response, ': still here\n\n');
    }
  } else if (reply.done !== 'linger') {
    response.end();
  }
}

function playPlain(response: ServerResponse, reply: Reply): void {
  const { status = 200, body } = reply;
  if (reply.html) {
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...reply.headers });
    response.end('<!doctype html><html><body><h1>Welcome to nginx!</h1></body></html>');
    return;
  }
  const isText = typeof body === 'string';
  response.writeHead(status, {
    'content-type': isText ? 'text/plain' : 'application/json',
    ...reply.headers,
  });
  response.end(
    isText ? body : JSON.stringify(body ?? { error: { message: `status ${status}`, type: 'error' } }),
  );
}

function* piecesOf(request: ReceivedRequest, reply: Reply, freshId: () => string): Generator<string> {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: request.model };
  const event = (fields: Readonly<Record<string, unknown>>) =>
    `data: ${JSON.stringify({ ...head, ...fields })}\n\n`;
  const delta = (fields: Readonly<Record<string, unknown>>, finish: string | null = null) =>
    event({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });

  yield delta({ role: 'assistant', content: '' });
  if (reply.reasoning) yield delta({ reasoning_content: reply.reasoning });
  const text = cutText(reply);
  for (const piece of (reply.chunk ?? inTwelves)(text)) yield delta({ content: piece });
  if (reply.cut) return;
  for (const [i, call] of (reply.calls ?? []).entries()) {
    for (const fragment of fragmentsOf(call, i, freshId)) yield delta({ tool_calls: [fragment] });
  }
  if (reply.hang) return;
  const finish = reply.finish === undefined ? (reply.calls?.length ? 'tool_calls' : 'stop') : reply.finish;
  if (finish !== null) yield delta({}, finish);
  if (reply.usage !== false && asksForUsage(request)) {
    const usage = reply.usage ?? {
      prompt: Math.ceil(JSON.stringify(request.messages).length / 4),
      completion: Math.ceil(JSON.stringify(reply).length / 4),
    };
    yield event({ choices: [], usage: { prompt_tokens: usage.prompt, completion_tokens: usage.completion } });
  }
  if (reply.done !== false) yield doneEvent;
}

/** What is sent of the text before the cut. */
function cutText({ text = '', cut }: Reply): string {
  if (!cut) return text;
  const firstLine = text.search(/\n|$/);
  if (cut === 'inside') return text.slice(0, Math.ceil(firstLine / 2));
  return text.slice(0, firstLine + 1 + Math.ceil((text.length - firstLine - 1) / 2));
}

function* fragmentsOf(call: CallReply, place: number, freshId: () => string): Generator {
  const args = typeof call.args === 'string' ? call.args : JSON.stringify(call.args ?? {});
  const index = call.index === 'none' ? {} : { index: call.index === undefined ? place : call.index };
  const id = call.id === null ? {} : { id: call.id ?? freshId() };
  yield { ...index, ...id, type: 'function', function: { name: call.name, arguments: '' } };
  const pieces = Math.max(1, call.pieces ?? 2);
  const size = Math.max(1, Math.ceil(args.length / pieces));
  for (let at = 0; at < args.length; at += size) {
    yield { ...index, function: { arguments: args.slice(at, at + size) } };
  }
}

function asksForUsage({ stream_options: options }: ReceivedRequest): boolean {
  return (
    typeof options === 'object' &&
    options !== null &&
    'include_usage' in options &&
    options.include_usage === true
  );
}

function inTwelves(text: string): readonly string[] {
  return text.match(/[\s\S]{1,12}/g) ?? [];
}

/** Resolves when the piece is on its way or the client is gone. */
function written(response: ServerResponse, piece: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => response.write(piece, () => resolve()));
}

/** One turn of the event loop, so that pieces leave as separate packets. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
