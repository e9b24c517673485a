/** What the fake remembers about the app's behaviour: calls, refusals, and habits that Slack allows but people would mind. */

import type { RuleName } from './rules.ts';
import { textOf } from './web/method.ts';
import type { Refusal } from './web/refusal.ts';
import { type Json, type Message, newest, type Version, type World } from './world/world.ts';

export interface Call {
  readonly at: number;
  readonly method: string;
  readonly team: string | undefined;
  readonly channel: string | undefined;
  /** What was said, without the token. */
  readonly args: Json;
  /** 0: cut without an answer. */
  readonly status: number;
  /** Slack's error, when the answer had one. */
  readonly error: string | undefined;
  /** The accident that a test ordered for this call. */
  readonly accident: string | undefined;
}

/** A call that Slack refused, and the row of the table that refused it. */
export interface Refused {
  readonly at: number;
  readonly rule: RuleName;
  readonly method: string;
  readonly why: string;
}

export type NoticeKind =
  /** The same text again in the same place within a minute. */
  | 'posted_twice'
  /** An update that changed nothing. */
  | 'idle_update'
  /** A text with a link for which previews were not turned off. */
  | 'unfurl'
  /** Blocks without a text: notifications and screen readers have nothing to say. */
  | 'no_fallback_text'
  /** An argument that the method does not have. */
  | 'unknown_argument'
  /** An argument that is there and empty. */
  | 'empty_argument'
  /** A token stands in a text that people read. */
  | 'told_token'
  /** Three seconds went by and nobody acknowledged the event. */
  | 'unacknowledged_event'
  /** The acknowledgement came after the three seconds. */
  | 'late_ack'
  /** Three seconds went by and nobody acknowledged the interaction: the person was told that it failed. */
  | 'unanswered_interaction'
  /** An acknowledgement of something that was never sent, or that was acknowledged before. */
  | 'odd_ack'
  /** A stream that Slack ended, and that nobody finished. */
  | 'torn_stream'
  /** A request with a wrong, old, future or repeated signature was taken. */
  | 'took_forged_request'
  /** A real limit was hit: 429. */
  | 'too_fast'
  /** A call before the wait of a 429 was over. */
  | 'too_early'
  /** Calls with a token that was refused. */
  | 'went_on_after_invalid_auth'
  /** No fault of the app: the fake itself failed at this call. */
  | 'fake_broke';

export interface Notice {
  readonly at: number;
  readonly kind: NoticeKind;
  readonly what: string;
}

/** Refusals that can happen to a correct app, because people and other processes act at the same time. */
const circumstances: ReadonlySet<RuleName> = new Set<RuleName>([
  'account_inactive',
  'token_revoked',
  'invalid_auth',
  'missing_scope',
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'user_not_in_channel',
  'message_not_found',
  'thread_not_found',
  'cannot_reply_to_message',
  'not_streaming',
  'stopped_by_user',
  'stream_place',
  'expired_trigger',
  'hash_conflict',
  'view_not_found',
  'already_reacted',
  'no_reaction',
  'no_session_here',
  'feature_disabled',
  'home_not_enabled',
]);

const sameWithinMs = 60_000;

export class Journal {
  readonly calls: Call[] = [];
  readonly refused: Refused[] = [];
  private readonly noted: Notice[] = [];
  private readonly waits = new Map<string, number>();
  private readonly refusedTokens = new Set<string>();
  private since = 0;

  constructor(private readonly world: World) {}

  record(call: Omit<Call, 'at'>): void {
    this.calls.push({ at: this.world.now(), ...call });
  }

  refuse({ rule, why }: Refusal, method: string): void {
    this.refused.push({ at: this.world.now(), rule, method, why });
  }

  note(kind: NoticeKind, what: string): void {
    this.noted.push({ at: this.world.now(), kind, what });
  }

  /** A call was answered with 429; `key` is what it counts for. */
  mustWait(key: string, waitMs: number): void {
    this.waits.set(key, this.world.now() + waitMs);
  }

  checkWait(key: string): void {
    const until = this.waits.get(key);
    const now = this.world.now();
    if (until === undefined) return;
    if (now < until) this.note('too_early', `${key}, ${Math.round(until - now)} ms before its time`);
    else this.waits.delete(key);
  }

  badToken(token: string): void {
    if (this.refusedTokens.has(token)) this.note('went_on_after_invalid_auth', token.slice(0, 5));
    this.refusedTokens.add(token);
  }

  checkArguments(method: string, args: Json, takes: readonly string[]): void {
    for (const [name, value] of Object.entries(args)) {
      if (!takes.includes(name) && name !== 'team_id') this.note('unknown_argument', `${name} of ${method}`);
      const mayBeEmpty = ['text', 'markdown_text', 'status', 'initial_comment', 'cursor'].includes(name);
      if (value === '' && !mayBeEmpty) this.note('empty_argument', `${name} of ${method}`);
    }
    const said = JSON.stringify(args);
    if (/xox[bp]-|xapp-/.test(said)) this.note('told_token', method);
  }

  /** A message of the app is there; `args` of the call that made it. */
  posted(message: Message, args: Json): void {
    const { text, blocks } = newest(message);
    const here = `in ${message.channelId}: ${text.slice(0, 60)}`;
    if (blocks.length > 0 && text.trim() === '') this.note('no_fallback_text', here);
    const isPreviewed = args['unfurl_links'] !== 'false' || args['unfurl_media'] !== 'false';
    if (/https?:\/\//.test(`${text} ${JSON.stringify(blocks)}`) && isPreviewed) this.note('unfurl', here);
    const isAgain = this.world
      .messagesIn(message.channelId)
      .some(
        (each) =>
          each !== message &&
          !each.isDeleted &&
          each.userId === message.userId &&
          each.threadTs === message.threadTs &&
          each.onlyFor === message.onlyFor &&
          text !== '' &&
          each.versions[0]?.text === text &&
          this.world.now() - (each.versions[0]?.at ?? 0) < sameWithinMs,
      );
    if (isAgain) this.note('posted_twice', here);
  }

  updated(message: Message, { text, blocks }: Omit<Version, 'at'>): void {
    const before = newest(message);
    const isSame = before.text === text && JSON.stringify(before.blocks) === JSON.stringify(blocks);
    if (isSame && message.stream === undefined)
      this.note('idle_update', `${message.ts}: ${text.slice(0, 60)}`);
    if (blocks.length > 0 && text.trim() === '') this.note('no_fallback_text', message.ts);
  }

  clear(): void {
    this.calls.length = 0;
    this.refused.length = 0;
    this.noted.length = 0;
    this.waits.clear();
    this.refusedTokens.clear();
    this.since = this.world.now();
  }

  /** Refusals that no correct app runs into, whatever people do. */
  violations(): Refused[] {
    return this.refused.filter(({ rule }) => !circumstances.has(rule));
  }

  /** What was noted, and streams that were left as Slack ended them. */
  notices(): Notice[] {
    const now = this.world.now();
    const torn = [...this.world.messages.values()]
      .filter(({ stream, isDeleted }) => stream !== undefined && !isDeleted)
      .filter(({ stream }) => stream?.state === 'expired' && stream.startedAt >= this.since)
      .map(({ ts }): Notice => ({ at: now, kind: 'torn_stream', what: ts }));
    return [...this.noted, ...torn];
  }
}

/** What a call says beyond its token, as it is kept. */
export const withoutToken = ({ token: _token, ...args }: Json): Json => args;

export const channelIn = (args: Json): string | undefined =>
  textOf(args['channel'] ?? args['channel_id']) || undefined;
