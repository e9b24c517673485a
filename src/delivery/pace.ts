/**
 * Who may write next to a place that takes a limited number of writes, and when the others should ask again. The most
 * important goes first, then what has waited longest; but nothing goes before text that would then come too late.
 * Pure: `now` is an argument, nothing waits, nothing is sent.
 *
 * The same policy for many processes is the script in `src/store/redis/rate-budget-script.ts`: change both.
 */
import { type CallReply, importances, type RateRule, type Turn, type Want } from '../ports/rate-budget.ts';
import { Allowance, lookForAnswerMs } from './allowance.ts';

/** Whoever was told when to come and is this late has lost its place. Unit: milliseconds, as all times here. */
const graceMs = 250;
/** Nobody who could go by then sleeps longer without looking: others may have left. */
const lookAgainMs = 2_000;
/** A call without an answer is forgotten after this time, and so is a message that wants nothing: its process may be gone. */
const answerWithinMs = 20_000;
const quietForMs = 20_000;
/** A last text goes out of turn, and the others wait for it: so long it counts as one more round for them. */
const endedForMs = 10_000;
/** Text is due after so many rounds of all messages, and after this time at the earliest. */
const dueRounds = 1.18;
const dueMs = 2_800;

const finalRank = importances.indexOf('final');
const firstRank = importances.indexOf('first');
const textRank = importances.indexOf('text');

interface Live {
  readonly rank: number;
  readonly since: number;
  /** Its place is kept until then; a time gone by when it does not wait. */
  readonly until: number;
}

export class Pace {
  private readonly allowance: Allowance;
  /** Messages that share the budget, waiting or not. */
  private readonly live = new Map<string, Live>();
  /** Messages that have shown their last text, and when. */
  private readonly ended = new Map<string, number>();
  /** Messages whose call has no answer yet, and when it was granted. */
  private readonly open = new Map<string, number>();

  constructor(private readonly rule: RateRule) {
    this.allowance = new Allowance(rule);
  }

  ask(now: number, { message, importance, unseenMs }: Want): Turn {
    this.forget(now);
    const me: Live = { rank: importances.indexOf(importance), since: now - unseenMs, until: now };
    this.live.set(message, me);
    this.ended.delete(message);
    const dueAt = this.dueAt(now, me);
    const ahead = this.countAhead(now, message, me);
    if (dueAt <= now && ahead === 0) {
      this.live.set(message, { ...me, until: now - 1 });
      // Another process had a call for it on its way and died.
      if (this.open.has(message)) this.allowance.heardNothing(now);
      this.open.set(message, now);
      this.allowance.take(now);
      return { granted: true };
    }
    const at = this.askAgainAt(now, me, Math.max(now, dueAt), ahead);
    this.live.set(message, { ...me, until: at + graceMs });
    return { granted: false, waitMs: at - now };
  }

  learn(now: number, message: string, { callMs, outcome, headers, retryAfterMs, isLast }: CallReply): void {
    // A busy process tells later than it hears: only that it was not sent before it was granted is sure.
    const sentAt = this.open.get(message) ?? now - callMs;
    this.open.delete(message);
    if (outcome === 'written') this.allowance.written(callMs);
    if (headers === undefined) this.allowance.heardNothing(now);
    else this.allowance.hear(now, sentAt, headers);
    if (outcome === 'refused') this.allowance.refused(now, retryAfterMs);
    if (!isLast) return;
    if (this.live.get(message)?.rank === finalRank) this.ended.set(message, now);
    this.leave(message);
  }

  leave(message: string): void {
    this.live.delete(message);
  }

  private dueAt(now: number, live: Live): number {
    const { allowance, open } = this;
    const urgentAt = allowance.urgentAt(now, open.size);
    if (live.rank < firstRank) return urgentAt;
    const isFirst = live.rank === firstRank;
    const at = isFirst
      ? allowance.firstAt(now, open.size, live.since)
      : allowance.textAt(now, open.size, live.since);
    return isText(live) ? Math.max(urgentAt, Math.min(at, this.dueBy(live.since))) : at;
  }

  private countAhead(now: number, message: string, me: Live): number {
    const pressed = this.pressedSince(now);
    const rankOf = (one: Live) => (isText(one) && one.since <= pressed ? 0 : one.rank);
    const myRank = rankOf(me);
    let ahead = 0;
    for (const [other, one] of this.live) {
      if (other === message || one.until < now) continue;
      const rank = rankOf(one);
      if (rank < myRank || (rank === myRank && isOlder(one.since, other, me.since, message))) ahead += 1;
    }
    return ahead;
  }

  /** Text that is no younger than this counts as final: if anything else went before it, some of it would come too late. */
  private pressedSince(now: number): number {
    const { allowance, open } = this;
    const texts = [...this.live.values()].filter((one) => isText(one) && one.until >= now);
    return (
      texts
        .map(({ since }) => since)
        .toSorted((one, other) => one - other)
        .findLast((since, before) => allowance.callsBy(now, open.size, before + 2) > this.dueBy(since)) ??
      Number.NEGATIVE_INFINITY
    );
  }

  /** Nobody can be shown anything during a refusal. A platform that seems faster than its rule may tell when one call is free. */
  private dueBy(since: number): number {
    const { blockedUntil } = this.allowance;
    const sharers = this.live.size + this.ended.size;
    const gapMs = Math.max(this.allowance.gapMs, this.rule.perMs / this.rule.calls);
    return Math.max(since, blockedUntil) + Math.max(dueMs, dueRounds * sharers * gapMs);
  }

  /** One turn before its own, in case the one ahead does not come; text when it is due. */
  private askAgainAt(now: number, live: Live, firstAt: number, ahead: number): number {
    if (this.allowance.isUnknown && this.open.size > 0) return now + lookForAnswerMs;
    const at = ahead === 0 ? firstAt : firstAt + (ahead - 1) * this.allowance.gapMs + graceMs;
    const lookAt = isText(live) ? Math.min(now + lookAgainMs, this.dueBy(live.since)) : now + lookAgainMs;
    return Math.ceil(Math.min(at, Math.max(firstAt + graceMs, lookAt)));
  }

  private forget(now: number): void {
    for (const [message, at] of this.open) {
      if (at + answerWithinMs >= now) continue;
      this.open.delete(message);
      this.allowance.heardNothing(now);
    }
    for (const [message, { until }] of this.live) if (until + quietForMs < now) this.live.delete(message);
    for (const [message, at] of this.ended) if (at + endedForMs < now) this.ended.delete(message);
  }
}

function isText({ rank }: Live): boolean {
  return rank === firstRank || rank === textRank;
}

/** Of two that are equally important. */
function isOlder(since: number, message: string, than: number, thanMessage: string): boolean {
  return since < than || (since === than && message < thanMessage);
}
