/** What the fake remembers about the bot's behaviour: calls, refusals, and habits that Discord allows but people would mind. */
import type { Answer } from './discord.ts';
import type { Refusal } from './rest/refusal.ts';
import type { Incoming } from './rest/request.ts';
import type { Route, RouteName } from './rest/routes.ts';
import { type RuleName, rules } from './rules.ts';
import type { World } from './world/world.ts';

export interface Call {
  readonly at: number;
  readonly route: RouteName | undefined;
  readonly method: string;
  readonly path: string;
  readonly channelId: string | undefined;
  /** 0: cut without an answer. */
  readonly status: number;
  /** Discord's JSON code, when the answer had one. */
  readonly code: number | undefined;
  /** The accident that a test ordered for this call. */
  readonly accident: string | undefined;
}

/** A call that Discord refused, and the row of the table that refused it. */
export interface Refused {
  readonly at: number;
  readonly rule: RuleName;
  readonly method: string;
  readonly path: string;
  readonly why: string;
}

export type NoticeKind =
  /** A message was created without an enforced nonce: a retry would post it twice. */
  | 'no_nonce'
  /** A text was sent without `allowed_mentions`. */
  | 'no_allowed_mentions'
  /** The same text again in the same place within a minute. */
  | 'posted_twice'
  /** An edit that changed nothing. */
  | 'idle_edit'
  /** A follow-up straight after a deferral, which acts as the edit of it. */
  | 'follow_up_as_edit'
  /** Three seconds went by and nobody acknowledged the interaction. */
  | 'unanswered_interaction'
  /** A deferred answer that never came in the life of its token. */
  | 'endless_deferral'
  /** A real limit was hit: 429. */
  | 'too_fast'
  /** A call before the wait of a 429 was over. */
  | 'too_early'
  /** Calls with a token that was refused. */
  | 'went_on_after_401'
  /** No fault of the bot: the fake itself failed at this call. */
  | 'fake_broke';

export interface Notice {
  readonly at: number;
  readonly kind: NoticeKind;
  readonly what: string;
}

/** Refusals that can happen to a correct bot, because people and other processes act at the same time. */
const circumstances: ReadonlySet<RuleName> = new Set<RuleName>([
  'unauthorized',
  'overloaded',
  'unknown_channel',
  'unknown_guild',
  'unknown_member',
  'unknown_message',
  'unknown_user',
  'unknown_interaction',
  'missing_access',
  'missing_permissions',
  'cannot_dm',
  'no_mutual_server',
  'reply_without_history',
  'unknown_reference',
  'thread_exists',
  'thread_locked',
  'thread_cap',
  'thread_archived',
  'reaction_kinds',
  'already_acknowledged',
  'token_over',
  'rate_limited',
  'old_edit',
  'daily_commands',
]);

export class Journal {
  readonly calls: Call[] = [];
  readonly refused: Refused[] = [];
  private readonly noted: Notice[] = [];
  private readonly waits = new Map<string, number>();
  private unauthorizedAt: number | undefined;

  constructor(private readonly world: World) {}

  record(
    { method, path }: Incoming,
    route: Route | undefined,
    channelId: string | undefined,
    answer: Answer | 0,
    accident: string | undefined,
  ): void {
    const body = answer === 0 ? undefined : (answer.body as { code?: number } | undefined);
    const status = answer === 0 ? 0 : answer.status;
    this.calls.push({
      at: this.world.now(),
      route: route?.name,
      method,
      path,
      channelId,
      status,
      code: body?.code,
      accident,
    });
    if (accident === 'limited') {
      const seconds = (body as { retry_after?: number } | undefined)?.retry_after ?? 0;
      if (route !== undefined) this.wait(route.name, channelId ?? '', seconds * 1_000);
    } else if (route !== undefined && status !== 429) this.checkWait(route.name, channelId ?? '');
    if (status === 401 && route?.needsToken === true) {
      if (this.unauthorizedAt !== undefined) this.note('went_on_after_401', path);
      this.unauthorizedAt = this.world.now();
    }
  }

  refuse({ rule, why }: Refusal, { method, path }: Incoming): void {
    this.refused.push({ at: this.world.now(), rule, method, path, why });
  }

  note(kind: NoticeKind, what: string): void {
    this.noted.push({ at: this.world.now(), kind, what });
  }

  tooFast(route: RouteName, major: string, waitMs: number): void {
    this.note('too_fast', `${route} in ${major}`);
    this.wait(route, major, waitMs);
  }

  clear(): void {
    this.calls.length = 0;
    this.refused.length = 0;
    this.noted.length = 0;
  }

  /** Refusals that no correct bot runs into, whatever people do. */
  violations(): Refused[] {
    return this.refused.filter(({ rule }) => !circumstances.has(rule));
  }

  /** What was noted, and interactions that nobody answered until now. */
  notices(): Notice[] {
    const now = this.world.now();
    const late = [...this.world.interactions.values()].flatMap((each): Notice[] => {
      const about = each.customId ?? each.commandName ?? each.id;
      if (each.acknowledged === undefined)
        return now - each.at > rules.first_response.ms
          ? [{ at: each.at + rules.first_response.ms, kind: 'unanswered_interaction', what: about }]
          : [];
      const original = this.world.messages.get(each.originalId ?? '');
      const isLoading = original !== undefined && ((original.versions.at(-1)?.flags ?? 0) & 128) !== 0;
      return isLoading && now - each.at > rules.token_life.ms
        ? [{ at: each.at + rules.token_life.ms, kind: 'endless_deferral', what: about }]
        : [];
    });
    return [...this.noted, ...late];
  }

  private wait(route: RouteName, major: string, waitMs: number): void {
    this.checkWait(route, major);
    this.waits.set(`${route} ${major}`, this.world.now() + waitMs);
  }

  private checkWait(route: RouteName, major: string): void {
    const key = `${route} ${major}`;
    const until = this.waits.get(key);
    const now = this.world.now();
    if (until === undefined) return;
    if (now >= until) this.waits.delete(key);
    else this.note('too_early', `${route} in ${major}, ${Math.round(until - now)} ms before its time`);
  }
}
