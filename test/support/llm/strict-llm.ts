/**
 * A model service for tests: a real HTTP server that plays a script and accepts a request only if every known service
 * would. Whatever it refuses beyond the features it was told to refuse is a bug of the caller and kept in `violations`.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { checkRequest } from './check-request.ts';
import { playReply } from './play-reply.ts';
import { isFields, refuse } from './refusal.ts';
import { type Feature, refusedFeature } from './refused-features.ts';
import type { ReceivedRequest, Script } from './reply.ts';

export interface StrictLlm {
  /** Base URL for the adapter, ending in `/v1`. */
  readonly url: string;
  /** Every well-formed request that reached the script, in order of arrival. */
  readonly requests: ReceivedRequest[];
  /** Requests that a real service would have refused, each as one line. */
  readonly violations: string[];
  /** Connections opened so far. */
  readonly connections: () => number;
  /** Answers whose client closed the connection before their end. */
  readonly hangups: () => number;
  /** Resolves when `count` answers have been left by their client. */
  untilHangups(count: number): Promise<void>;
  /** Resolves when the server and all its connections are closed. */
  close(): Promise<void>;
}

export interface StrictLlmOptions {
  /** Features this service does not know. */
  readonly refuse?: readonly Feature[];
  /** The models it has; a request for another one is a 404. Default: any. */
  readonly models?: readonly string[];
  /** The only key it takes. Default: any, also none. */
  readonly apiKey?: string;
}

/** Starts the service on a free loopback port. When the script has no reply left, that is a violation. */
export async function startStrictLlm(script: Script, options: StrictLlmOptions = {}): Promise<StrictLlm> {
  const requests: ReceivedRequest[] = [];
  const violations: string[] = [];
  let connections = 0;
  let hangups = 0;
  let watchers: { readonly count: number; readonly resolve: () => void }[] = [];
  let ids = 0;
  let sentReasoning = false;

  const server = createServer((request, response) => {
    response.on('close', () => {
      if (response.writableFinished) return;
      hangups++;
      watchers = watchers.filter(({ count, resolve }) => hangups < count || resolve());
    });
    answer(request, response).catch((error: unknown) => {
      violations.push(`the script failed: ${String(error)}`);
      response.destroy();
    });
  });

  server.on('connection', () => connections++);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = (await buffer(request)).toString('utf8');
    if (options.apiKey !== undefined && request.headers.authorization !== `Bearer ${options.apiKey}`) {
      return fail(response, 401, 'Incorrect API key provided.', null, 'invalid_api_key');
    }
    if (request.method === 'GET' && request.url === '/v1/models') {
      return json(response, 200, {
        object: 'list',
        data: (options.models ?? ['test-model']).map((id) => ({ id, object: 'model' })),
      });
    }
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
      return fail(
        response,
        404,
        `Unknown request URL: ${request.method} ${request.url}.`,
        null,
        'unknown_url',
      );
    }
    const body = parsed(text);
    const wrong = checkRequest(body, sentReasoning);
    if (wrong || !isRequest(body)) {
      const { message, param, code } = wrong ?? refuse('no request');
      violations.push(param === null ? message : `${param}: ${message}`);
      return fail(response, 400, message, param, code);
    }
    if (options.models && !options.models.includes(body.model)) {
      return fail(response, 404, `The model '${body.model}' does not exist.`, null, 'model_not_found');
    }
    const unknown = refusedFeature(body, options.refuse ?? []);
    if (unknown) return fail(response, 400, unknown.message, unknown.param, unknown.code);

    const n = requests.push(body) - 1;
    const reply = typeof script === 'function' ? await script(body, n) : script[n];
    if (!reply) {
      violations.push(`request ${n}: the script has no reply left`);
      return fail(response, 400, 'the script has no reply left', null, null);
    }
    if (reply.reasoning !== undefined) sentReasoning = true;
    await playReply(response, body, reply, () => `call_${ids++}`);
  }

  const port = await listening(server);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    violations,
    connections: () => connections,
    hangups: () => hangups,
    untilHangups: (count) =>
      hangups >= count ? Promise.resolve() : new Promise((resolve) => watchers.push({ count, resolve })),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address === 'object' && address !== null) resolve(address.port);
    });
  });
}

/** After `checkRequest` found nothing wrong. */
function isRequest(body: unknown): body is ReceivedRequest {
  return isFields(body);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function fail(
  response: ServerResponse,
  status: number,
  message: string,
  param: string | null,
  code: string | null,
): void {
  json(response, status, { error: { message, type: 'invalid_request_error', param, code } });
}
