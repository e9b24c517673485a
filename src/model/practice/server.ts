/**
 * The practice model as a service: an OpenAI-compatible server on a free loopback port, for when no key and no address
 * is set. It is not a language model and says so; everything it answers comes from `tutor.ts`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Clock } from '../../ports/runtime.ts';
import { deltasOf, finishReason, messageOf, replyText } from './reply-chunks.ts';
import { type CompletionRequest, readCompletionRequest } from './request.ts';
import { type Reply, tutor } from './tutor.ts';

export interface PracticeModelOptions {
  readonly clock?: Pick<Clock, 'now' | 'sleep'>;
  /** `readable` writes as fast as a quick reader reads; `instant` is for tests. Default: readable. */
  readonly pace?: 'readable' | 'instant';
}

export interface PracticeModel {
  /** Ends in `/v1`, as OPENAI_BASE_URL does. */
  readonly baseUrl: string;
  readonly model: 'practice';
  /** Resolves when every answer has been broken off and the port is free. */
  close(): Promise<void>;
}

const MODEL = 'practice';
/** Unit: characters per second. */
const READABLE_PACE = 75;
/** Largest request body. Unit: bytes. */
const MAX_BODY = 16 * 1024 * 1024;

const realTime: Pick<Clock, 'now' | 'sleep'> = {
  now: Date.now,
  sleep: (ms, signal) => sleepFor(ms, undefined, signal === undefined ? {} : { signal }),
};

export async function startPracticeModel(options: PracticeModelOptions = {}): Promise<PracticeModel> {
  const clock = options.clock ?? realTime;
  const pace = options.pace ?? 'readable';
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  let answers = 0;

  const server = createServer((request, response) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort(new Error('the client has gone')));
    const id = `${clock.now().toString(36)}-${++answers}`;
    const exchange = {
      request,
      response,
      id,
      clock,
      pace,
      signal: AbortSignal.any([gone.signal, closing.signal]),
    };
    const done = handle(exchange).catch((error: unknown) => {
      // The client went away, or broke off its request; there is nobody left to tell.
      if (exchange.signal.aborted) return response.destroy();
      if (response.headersSent) return response.destroy();
      sendError(response, 500, error instanceof Error ? error.message : 'unknown failure');
    });
    const tracked = done.then(() => void running.delete(tracked));
    running.add(tracked);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the practice model got no port');

  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    model: MODEL,
    async close() {
      closing.abort(new Error('the practice model is closing'));
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await Promise.all(running);
      await closed;
    },
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly pace: 'readable' | 'instant';
  readonly signal: AbortSignal;
}

async function handle(exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  if (request.method === 'GET' && path === '/v1/models') {
    return sendJson(response, 200, { object: 'list', data: [modelEntry()] });
  }
  if (request.method === 'GET' && path === `/v1/models/${MODEL}`)
    return sendJson(response, 200, modelEntry());
  if (path !== '/v1/chat/completions') return sendError(response, 404, `there is nothing at ${path}`);
  if (request.method !== 'POST') return sendError(response, 405, 'use POST');

  const body = await readBody(request);
  if (body === undefined) return sendError(response, 413, `a request may have ${MAX_BODY} bytes at most`);
  const json = parsedJson(body);
  if (json === undefined) return sendError(response, 400, 'the body is not JSON');
  const completion = readCompletionRequest(json);
  if (typeof completion === 'string') return sendError(response, 400, completion);
  const reply = tutor(completion);
  if (completion.stream) return stream(exchange, completion, reply);
  sendJson(response, 200, {
    ...envelope(exchange, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: messageOf(reply, callIdOf(exchange.id)),
        finish_reason: finishReason(reply),
        logprobs: null,
      },
    ],
    usage: usageOf(completion, reply),
  });
}

/** Writes the reply word by word; throws the signal's reason when the client goes. */
async function stream(exchange: Exchange, completion: CompletionRequest, reply: Reply): Promise<void> {
  const { response, clock, pace, signal } = exchange;
  const head = envelope(exchange, 'chat.completion.chunk');
  const usage = completion.includeUsage ? { usage: null } : {};
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
  const send = (choices: readonly unknown[], extra: object = usage) =>
    response.write(`data: ${JSON.stringify({ ...head, choices, ...extra })}\n\n`);

  for (const delta of deltasOf(reply, callIdOf(exchange.id))) {
    signal.throwIfAborted();
    send([{ index: 0, delta, finish_reason: null }]);
    const chars = delta.content?.length ?? 0;
    if (pace === 'readable' && chars > 0) await clock.sleep((chars / READABLE_PACE) * 1_000, signal);
  }
  send([{ index: 0, delta: {}, finish_reason: finishReason(reply) }]);
  if (completion.includeUsage) send([], { usage: usageOf(completion, reply) });
  response.end('data: [DONE]\n\n');
}

function envelope({ id, clock }: Exchange, object: string) {
  return { id: `chatcmpl-${id}`, object, created: Math.floor(clock.now() / 1_000), model: MODEL };
}

/** Call ids must be new in a conversation, after a restart too: they hold the time and a count. */
function callIdOf(id: string): string {
  return `call_${id}`;
}

/** Tokens are estimated at four characters each; nothing is charged for them. */
function usageOf(completion: CompletionRequest, reply: Reply) {
  const prompt = Math.ceil(completion.messages.reduce((sum, message) => sum + message.text.length, 0) / 4);
  const args = reply.call === undefined ? '' : JSON.stringify(reply.call.args);
  const answer = Math.ceil((replyText(reply).length + args.length) / 4);
  return { prompt_tokens: prompt, completion_tokens: answer, total_tokens: prompt + answer };
}

function modelEntry() {
  return { id: MODEL, object: 'model', created: 0, owned_by: 'docent' };
}

/** The body as text; undefined when it is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size <= MAX_BODY) chunks.push(bytes);
  }
  return size > MAX_BODY ? undefined : Buffer.concat(chunks).toString('utf8');
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Told to the client by the caller.
    return undefined;
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

function sendError(response: ServerResponse, status: number, message: string): void {
  const type = status < 500 ? 'invalid_request_error' : 'server_error';
  sendJson(response, status, { error: { message, type, param: null, code: null } });
}
