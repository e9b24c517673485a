/**
 * The fake Slack in one process: the world, what is refused in it, and how one call is answered. Everything that takes time
 * goes through `Runtime`, so that a test may bring a clock of its own.
 */
import { Courier } from './events/courier.ts';
import { type Interaction, Interactions } from './events/interactions.ts';
import { Requests } from './events/requests.ts';
import { Sockets } from './events/sockets.ts';
import { channelIn, Journal, withoutToken } from './journal.ts';
import { rules } from './rules.ts';
import { authMethods } from './web/auth.ts';
import { conversationMethods } from './web/conversations.ts';
import { type Accident, Faults } from './web/faults.ts';
import { fileMethods } from './web/files.ts';
import { messageMethods } from './web/messages.ts';
import { type Method, type Methods, textOf } from './web/method.ts';
import { Rates } from './web/rates.ts';
import { reactionMethods } from './web/reactions.ts';
import { Refusal, refusal } from './web/refusal.ts';
import { Sessions, sessionMethods } from './web/sessions.ts';
import { streamMethods } from './web/streams.ts';
import { viewMethods } from './web/views.ts';
import {
  type Json,
  type Message,
  type StoredFile,
  type Stream,
  type Team,
  type View,
  World,
} from './world/world.ts';

export interface Runtime {
  /** Unit: milliseconds. */
  now(): number;
  /** A number from 0 to 1. */
  chance(): number;
  sleep(ms: number): Promise<void>;
  /** Returns a function that cancels. */
  later(ms: number, run: () => void): () => void;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** Instead of `body`: a page that is not JSON. */
  readonly html?: string;
}

/** A call as it came: its arguments read, its token found. */
export interface Incoming {
  readonly method: string;
  readonly token: string;
  readonly args: Json;
  /** The arguments could not be read. */
  readonly problem?: string;
}

interface Code {
  readonly teamId: string;
  readonly userId: string;
  readonly scopes: string[];
  isUsed: boolean;
}

const methods: Methods = {
  ...authMethods,
  ...messageMethods,
  ...streamMethods,
  ...sessionMethods,
  ...conversationMethods,
  ...reactionMethods,
  ...fileMethods,
  ...viewMethods,
};

const page =
  '<!doctype html><html><head><title>Slack</title></head><body>Something went wrong.</body></html>';

export class Slack {
  readonly world: World;
  readonly rates: Rates;
  readonly journal: Journal;
  readonly sessions: Sessions;
  readonly faults = new Faults();
  readonly sockets = new Sockets(this);
  readonly requests = new Requests(this);
  readonly courier = new Courier(this);
  readonly interactions = new Interactions(this);
  /** Codes of installations that were allowed. */
  readonly codes = new Map<string, Code>();
  /** Token → the row that it is refused with from now on. */
  readonly deadTokens = new Map<string, 'token_revoked' | 'account_inactive' | 'invalid_auth'>();
  /** Set by the server. */
  url = '';
  /** Time of every answer. Unit: milliseconds. */
  latencyMs = 0;
  streamLifeMs: number = rules.stream_life.ms;
  /** False: this workspace has no streaming. */
  isStreamingAllowed = true;
  /** Whether the Agents feature is on. */
  isAgent = true;
  hasHome = true;
  /** Messages on a page of history at most. */
  historyPage = 999;
  /** True: one call a minute and 15 messages on a page. */
  isHistoryShort = false;
  /** How long after its completion an upload is seen. Unit: milliseconds. */
  shareDelayMs = 5;

  constructor(readonly runtime: Runtime) {
    this.world = new World(runtime.now);
    this.rates = new Rates(runtime.now);
    this.journal = new Journal(this.world);
    this.sessions = new Sessions(this.world);
  }

  readonly fileUrl = ({ id, teamId, name }: StoredFile): string =>
    `${this.url}/files-pri/${teamId}-${id}/${encodeURIComponent(name)}`;

  useTrigger(id: string): { readonly userId: string; readonly interaction: Interaction } {
    const interaction = this.interactions.useTrigger(id);
    return { userId: interaction.userId, interaction };
  }

  homeOf(userId: string): View | undefined {
    return [...this.world.views.values()].find((each) => each.type === 'home' && each.userId === userId);
  }

  /** What a stream says now is one more version of its message. */
  addStreamed(message: Message, { markdown, blocks }: Stream): void {
    message.versions.push({ at: this.world.now(), text: markdown, markdown, blocks: [...blocks] });
  }

  /** Answers one call, with its latency and its accident. `cut`: the connection ends without an answer. */
  async handle(incoming: Incoming): Promise<Answer | 'cut'> {
    const { method, args } = incoming;
    const channel = channelIn(args);
    const accident = this.faults.next(method, channel);
    await this.pause(this.latencyMs / 2 + (accident?.how === 'late' ? accident.ms : 0));
    const told = this.accidental(accident, method, channel) ?? this.answer(incoming);
    const answer = this.muddled(accident, told);
    const error = answer === 'cut' ? undefined : textOf(answer.body?.['error']) || undefined;
    this.journal.record({
      method,
      team: this.teamOf(incoming.token)?.id,
      channel,
      args: withoutToken(args),
      status: answer === 'cut' ? 0 : answer.status,
      error,
      accident: accident?.how,
    });
    await this.pause(this.latencyMs / 2 + (accident?.how === 'slow' ? accident.ms : 0));
    return answer;
  }

  private answer(incoming: Incoming): Answer {
    const { method: name, args, problem } = incoming;
    let headers: Readonly<Record<string, string>> = {};
    try {
      const method = methods[name];
      if (method === undefined) throw refusal('unknown_method', name);
      if (problem !== undefined) throw refusal('invalid_form_data', problem);
      const team = this.authorize(incoming, method);
      const call = { slack: this, team, args: withoutToken(args) };
      const scope = typeof method.scope === 'function' ? method.scope(call) : method.scope;
      if (method.token === 'bot') headers = { 'x-oauth-scopes': team.scopes.join(',') };
      if (scope !== undefined) {
        headers = { ...headers, 'x-accepted-oauth-scopes': scope };
        if (!team.scopes.includes(scope))
          throw refusal('missing_scope', scope, { needed: scope, provided: team.scopes.join(',') });
      }
      const limited = this.limit(name, method, team, args);
      if (limited !== undefined) return limited;
      this.journal.checkArguments(name, call.args, method.takes);
      const missing = method.needs.filter((each) => args[each] === undefined);
      if (missing.length > 0)
        throw refusal('invalid_arguments', `missing ${missing.join(', ')}`, {
          response_metadata: {
            messages: missing.map((each) => `[ERROR] missing required field: ${each}`),
          },
        });
      return { status: 200, headers, body: { ok: true, ...method.handle(call) } };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.journal.refuse(error, name);
      return { status: 200, headers, body: error.body };
    }
  }

  private authorize({ token }: Incoming, method: Method): Team {
    const first = [...this.world.teams.values()][0];
    if (first === undefined) throw new Error('the fake has no workspace');
    if (method.token === 'none') return first;
    if (token === '') throw refusal('not_authed');
    const dead = this.deadTokens.get(token);
    const team = this.teamOf(token);
    const isApp = token === this.world.appToken;
    if (dead !== undefined || (team === undefined && !isApp)) {
      this.journal.badToken(token);
      throw refusal(dead ?? 'invalid_auth', token.slice(0, 5));
    }
    if (isApp !== (method.token === 'app')) throw refusal('not_allowed_token_type', token.slice(0, 5));
    if (team?.isInstalled === false) throw refusal('account_inactive');
    return team ?? first;
  }

  private teamOf(token: string): Team | undefined {
    return [...this.world.teams.values()].find(({ botToken }) => botToken === token);
  }

  private limit(name: string, { rate }: Method, team: Team, args: Json): Answer | undefined {
    const isShort = this.isHistoryShort && /^conversations\.(?:history|replies)$/.test(name);
    const place = `${team.id} ${channelIn(args) ?? ''}`;
    const counters =
      rate === 'posts'
        ? ([
            { rule: 'post_in_channel', key: place },
            { rule: 'post_in_workspace', key: team.id },
          ] as const)
        : [{ rule: isShort ? ('short_history' as const) : rate, key: `${name} ${team.id}` }];
    const key = rate === 'posts' ? `${name} ${place}` : `${name} ${team.id}`;
    this.journal.checkWait(key);
    const waitMs = this.rates.take(counters);
    if (waitMs === 0) return undefined;
    this.journal.note('too_fast', key);
    return this.tooMany(key, Math.ceil(waitMs / 1_000));
  }

  private tooMany(key: string, seconds: number | undefined): Answer {
    if (seconds !== undefined) this.journal.mustWait(key, seconds * 1_000);
    return {
      status: 429,
      headers: seconds === undefined ? {} : { 'retry-after': String(seconds) },
      body: { ok: false, error: 'ratelimited' },
    };
  }

  /** The answer in place of the real one: nothing is done. */
  private accidental(
    accident: Accident | undefined,
    method: string,
    channel: string | undefined,
  ): Answer | undefined {
    switch (accident?.how) {
      case 'refused':
        return { status: accident.status ?? 500, headers: {}, html: page };
      case 'cut':
        return { status: 500, headers: {} };
      case 'html':
        return { status: 200, headers: {}, html: page };
      case 'limited': {
        const [team] = this.world.teams.keys();
        const isPost = methods[method]?.rate === 'posts';
        return this.tooMany(
          isPost ? `${method} ${team} ${channel}` : `${method} ${team}`,
          accident.retryAfter,
        );
      }
      case 'error':
        return { status: 200, headers: {}, body: { ok: false, error: rules[accident.rule].says } };
      default:
        return undefined;
    }
  }

  /** The answer after the real one: what was done is not told. */
  private muddled(accident: Accident | undefined, told: Answer): Answer | 'cut' {
    const isDone = told.body?.['ok'] === true;
    if (accident?.how === 'cut' || (accident?.how === 'lost' && isDone)) return 'cut';
    if (accident?.how === 'unclear' && isDone)
      return { status: accident.status ?? 500, headers: {}, html: page };
    if (accident?.how === 'denied' && isDone)
      return { status: 200, headers: {}, body: { ok: false, error: 'internal_error' } };
    return told;
  }

  private async pause(ms: number): Promise<void> {
    if (ms > 0) await this.runtime.sleep(ms);
  }
}
