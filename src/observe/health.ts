/** The HTTP server of every role: `/healthz`, `/readyz`, `/metrics`, and whatever else a role serves beside them. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono } from 'hono';
import type { Clock, Logger } from '../ports/runtime.ts';
import type { Check } from './checks.ts';
import { listenFailure } from './listen-error.ts';
import type { Metrics } from './metrics.ts';

export interface HealthOptions {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** What this role depends on, as it stands now. */
  readonly checks: () => readonly Check[];
  readonly metrics: Pick<Metrics, 'contentType' | 'text'>;
  /** By path as hono writes it (`/slack/events`, `/chat/*`). A request that reaches one has a body within the limit. */
  readonly extraRoutes?: Readonly<Record<string, Serve>>;
  /** Whoever serves the paths that begin with a key, before any other route, on the request as Node gives it. */
  readonly listeners?: Readonly<Record<string, RequestListener>>;
  /** Paths whose bodies may be larger than those of others. Unit: bytes. */
  readonly bodyLimits?: Readonly<Record<string, number>>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** `peer`: the address that holds the connection. */
export type Serve = (request: Request, peer: string) => Response | Promise<Response>;

export interface HealthServer {
  /** Where a program on this machine reaches it, without a slash at its end. */
  readonly url: string;
  /** Resolves when no connection is left: requests under way have two seconds. */
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 1024 * 1024;
const CLOSE_LIMIT_MS = 2_000;
/** A client that sends slowly may not hold a connection for long. */
const timeouts = { headersTimeout: 10_000, requestTimeout: 30_000 };

/** Throws `ListenError` when host and port cannot be used. */
export async function startHealthServer(options: HealthOptions): Promise<HealthServer> {
  const { host, port, listeners = {}, clock, log } = options;
  const listener = getRequestListener(appOf(options).fetch, { overrideGlobalObjects: false });
  const server = createServer(timeouts, (request, response) => {
    // A connection is kept for the next request, and once the server closes there is none.
    response.once('close', () => server.listening || server.closeIdleConnections());
    const own = Object.entries(listeners).find(([path]) => request.url?.startsWith(path));
    if (own === undefined) void listener(request, response);
    else own[1](request, response);
  });
  await listening(server, host, port);
  server.on('error', (error) => log.error({ error }, 'the HTTP server failed'));
  return {
    url: urlOf(server),
    close: () =>
      new Promise((resolve) => {
        const cancel = clock.after(CLOSE_LIMIT_MS, () => server.closeAllConnections());
        server.close(() => {
          cancel();
          resolve();
        });
      }),
  };
}

function appOf({ checks, metrics, extraRoutes = {}, bodyLimits = {}, log }: HealthOptions): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    const refused = bodyProblem(c.req.raw, bodyLimits[c.req.path] ?? MAX_BODY_BYTES);
    if (refused === undefined) await next();
    else c.res = c.text(...refused);
    c.header('X-Content-Type-Options', 'nosniff');
  });
  app.get('/healthz', (c) => c.text('ok\n', 200, fresh));
  app.get('/readyz', (c) => {
    const readiness = readinessOf(checks());
    return c.json(readiness, readiness.status === 'not ready' ? 503 : 200, fresh);
  });
  app.get('/metrics', async (c) =>
    c.body(await metrics.text(), 200, { ...fresh, 'Content-Type': metrics.contentType }),
  );
  for (const [path, serve] of Object.entries(extraRoutes))
    app.all(path, (c) => serve(c.req.raw, getConnInfo(c).remote.address ?? ''));
  app.notFound((c) => c.text('There is nothing here.\n', 404));
  app.onError((error, c) => {
    log.error({ error, path: c.req.path }, 'a request failed');
    return c.text('Something went wrong here; the log says what.\n', 500);
  });
  return app;
}

/** What a request without a known length could hold is not known until it is read, so it is not read. */
function bodyProblem({ headers }: Request, maxBytes: number): [string, 411 | 413] | undefined {
  if (headers.has('transfer-encoding')) return ['Content-Length is missing.\n', 411];
  const isLarge = Number(headers.get('content-length') ?? 0) > maxBytes;
  return isLarge ? ['The body is too large.\n', 413] : undefined;
}

const fresh = { 'Cache-Control': 'no-store' };

/** Ready as long as nothing required is away; `degraded` when something else is. */
function readinessOf(checks: readonly Check[]) {
  const away = checks.filter(({ state }) => state === 'away');
  const isReady = away.every(({ kind }) => kind !== 'required');
  const status = !isReady ? 'not ready' : away.length > 0 ? 'degraded' : 'ready';
  return {
    status,
    checks: checks.map((check) => ({ ...check, since: new Date(check.since).toISOString() })),
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: unknown) => reject(listenFailure(error, host, port));
    server.once('error', onError);
    server.listen(port, host, () => {
      server.off('error', onError);
      resolve();
    });
  });
}

/** `0.0.0.0` and `::` stand for every address; a browser wants one. */
function urlOf(server: Server): string {
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the HTTP server has no port');
  const { address, family, port } = bound;
  if (family === 'IPv6') return `http://[${address === '::' ? '::1' : address}]:${port}`;
  return `http://${address === '0.0.0.0' ? '127.0.0.1' : address}:${port}`;
}
