/** The fake Discord itself: a world, its gateway, and one function that answers REST requests. No sockets, own clock. */

import { Gateway } from './gateway/gateway.ts';
import { Journal } from './journal.ts';
import type { Json } from './rest/check-components.ts';
import { Faults } from './rest/faults.ts';
import { Rates } from './rest/rates.ts';
import { Refusal, refusal } from './rest/refusal.ts';
import { checkRequest, type Incoming } from './rest/request.ts';
import { findRoute, type Route } from './rest/routes.ts';
import { rules } from './rules.ts';
import { timeOf } from './world/snowflake.ts';
import { World } from './world/world.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: no body (204). */
  readonly body?: unknown;
  /** Instead of `body`: a page that is not JSON. */
  readonly html?: string;
}

/** Headers of the bucket, and the 429 when it is empty. */
interface Limited {
  readonly headers: Answer['headers'];
  readonly answer?: Answer;
}

export interface Runtime {
  /** Unit: milliseconds. */
  now(): number;
  /** A number from 0 to 1. */
  chance(): number;
  sleep(ms: number): Promise<void>;
  /** Returns a function that cancels. */
  later(ms: number, run: () => void): () => void;
}

export class Discord {
  readonly world: World;
  readonly gateway: Gateway;
  readonly rates: Rates;
  readonly faults = new Faults();
  readonly journal: Journal;
  /** Set by the server. */
  cdnUrl = '';
  /** Time of every answer. Unit: milliseconds. */
  latencyMs = 0;

  constructor(readonly runtime: Runtime) {
    this.world = new World(runtime.now);
    this.gateway = new Gateway(this.world, runtime.chance, runtime.later);
    this.rates = new Rates(runtime.now);
    this.journal = new Journal(this.world);
  }

  /** Answers one request, with its latency and its accident. `cut`: the connection ends without an answer. */
  async handle(incoming: Incoming): Promise<Answer | 'cut'> {
    const found = findRoute(incoming.method, incoming.path);
    const [route, channelId] = found.kind === 'found' ? [found.route, found.params['channel']] : [];
    const accident = route === undefined ? undefined : this.faults.next(route.name, channelId);
    await this.pause(this.latencyMs / 2 + (accident?.how === 'late' ? accident.ms : 0));
    const told = this.accidental(accident) ?? this.answer(incoming, found);
    const isDone = told.status < 400;
    const answer =
      accident?.how === 'unclear' && isDone
        ? { status: accident.status ?? 500, headers: {}, body: {} }
        : told;
    const isCut = accident?.how === 'cut' || (accident?.how === 'lost' && isDone);
    this.journal.record(incoming, route, channelId, isCut ? 0 : answer, accident?.how);
    await this.pause(this.latencyMs / 2 + (accident?.how === 'slow' ? accident.ms : 0));
    return isCut ? 'cut' : answer;
  }

  private answer(incoming: Incoming, found: ReturnType<typeof findRoute>): Answer {
    let headers: Readonly<Record<string, string>> = {};
    try {
      if (this.rates.isBanned) return cloudflare(undefined);
      if (found.kind !== 'found')
        throw refusal(found.kind === 'unknown' ? 'unknown_route' : 'wrong_method', incoming.path);
      const { route, params } = found;
      const body = checkRequest(incoming, route, this.world.token);
      const limited = this.limit(route, params, body);
      headers = limited.headers;
      if (limited.answer !== undefined) return limited.answer;
      const { status, body: result } = route.handle({
        discord: this,
        world: this.world,
        params,
        query: incoming.query,
        body,
        files: incoming.files,
      });
      return { status, headers, ...(result !== undefined && { body: result }) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.journal.refuse(error, incoming);
      if (error.status === 401 || error.status === 403) this.rates.countInvalid();
      return { status: error.status, headers, body: error.body };
    }
  }

  /** Global limit, the route's own, and the two that no header announces. */
  private limit(route: Route, params: Readonly<Record<string, string>>, body: Json): Limited {
    const { rates } = this;
    const major = params['channel'] ?? params['token'] ?? params['guild'] ?? '';
    const refuse = (waitMs: number, headers: Answer['headers'], more = {}): Limited => {
      rates.countInvalid();
      this.journal.tooFast(route.name, major, waitMs);
      return { headers: {}, answer: tooMany(waitMs, { scope: 'user', headers, ...more }) };
    };
    if (route.isGloballyLimited) {
      const { waitMs } = rates.take('global', '');
      if (waitMs > 0) return refuse(waitMs, {}, { scope: 'global' });
    }
    if (route.bucket === undefined) return { headers: {} };
    const { waitMs, headers } = rates.take(route.bucket, major);
    if (waitMs > 0) return refuse(waitMs, headers);
    if (route.name === 'edit_message' && this.isOld(params['message'])) {
      const old = rates.take('old_edit_rate', major);
      const { code, says } = rules.old_edit;
      if (old.waitMs > 0) return refuse(old.waitMs, old.headers, { code, says });
    }
    if (route.name === 'edit_channel' && (body['name'] !== undefined || body['topic'] !== undefined)) {
      const rename = rates.take('channel_rename', major);
      if (rename.waitMs > 0) return refuse(rename.waitMs, headers);
    }
    return { headers };
  }

  private isOld(messageId = ''): boolean {
    return this.world.messages.has(messageId) && this.world.now() - timeOf(messageId) > rules.old_edit_age.ms;
  }

  private accidental(accident: ReturnType<Faults['next']>): Answer | undefined {
    switch (accident?.how) {
      case 'refused':
        return { status: accident.status ?? 500, headers: {}, body: {} };
      case 'cut':
        return { status: 500, headers: {} };
      case 'limited':
        if (accident.scope !== 'shared') this.rates.countInvalid();
        return tooMany(accident.retryAfterMs, {
          ...(accident.rule !== undefined && rules[accident.rule]),
          scope: accident.scope,
          // A shared limit comes while the own bucket has room.
          headers:
            accident.scope === 'shared' ? { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '4' } : {},
        });
      case 'cloudflare':
        this.rates.countInvalid();
        return cloudflare(accident.retryAfterMs);
      case 'error': {
        const { status, code, says } = rules[accident.rule];
        return { status, headers: {}, body: { message: says, code } };
      }
      default:
        return undefined;
    }
  }

  private async pause(ms: number): Promise<void> {
    if (ms > 0) await this.runtime.sleep(ms);
  }
}

function tooMany(
  waitMs: number | undefined,
  limit: {
    readonly scope: 'user' | 'shared' | 'global';
    readonly headers: Readonly<Record<string, string>>;
    readonly code?: number;
    readonly says?: string;
  },
): Answer {
  const { scope, code, says = rules.rate_limited.says } = limit;
  const isGlobal = scope === 'global';
  const seconds = waitMs === undefined ? undefined : Math.max(1, Math.ceil(waitMs)) / 1_000;
  return {
    status: 429,
    headers: {
      ...limit.headers,
      ...(seconds !== undefined && {
        'retry-after': String(seconds),
        'x-ratelimit-reset-after': String(seconds),
      }),
      'x-ratelimit-scope': scope,
      ...(isGlobal && { 'x-ratelimit-global': 'true' }),
    },
    body: { message: says, retry_after: seconds, global: isGlobal, ...(code !== undefined && { code }) },
  };
}

const cloudflare = (retryAfterMs: number | undefined): Answer => ({
  status: 429,
  headers: retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) },
  html: '<!doctype html><html><head><title>Access denied | discord.com used Cloudflare to restrict access</title></head><body><h1>Error 1015</h1><p>You are being rate limited</p></body></html>',
});
