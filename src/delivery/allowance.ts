/**
 * What a platform still takes, and when. It counts in windows or fills a bucket, and tells neither; nothing is assumed of
 * it that its headers have not shown, so that no call is refused. One that sends no headers is counted here.
 *
 * Pure: `now` is an argument, and so is `open`, the number of calls that have no answer yet. All times are milliseconds.
 */
import type { RateHeaders, RateRule } from '../ports/rate-budget.ts';

/** Whoever waits for the answer to somebody else's call looks again after this time. */
export const lookForAnswerMs = 100;
/** Two ordinary writes are at least this far apart. */
const minGapMs = 250;
/** Text may move this much slower than the rate, so that the last write of a window comes late in it. */
const stretch = 1.05;
/** Calls that leave a window apart may arrive a little closer together. */
const countedSlackMs = 250;
/** Clocks count whole milliseconds, and a process may be late by some: a window is not believed to be over so early. */
const clockSlackMs = 10;
/** No time that a platform names is believed beyond this one. */
const longestMs = 24 * 3_600_000;
/** Waits after refusals that name none. */
const firstBackOffMs = 1_000;
const maxBackOffMs = 60_000;
/** What a refusal adds to the time at which a window is believed to be over; every write takes one millisecond of it. */
const lateStepMs = 50;
const maxLateMs = 500;

export class Allowance {
  /**
   * `counted`: no headers; a bucket of ours, full at `resetAt`. `window`: over at `resetAt`. `bucket`: full at `resetAt`,
   * one call per `perCallMs` before that; it may tell when it is full, or when the next call is free. What sends headers
   * is a window until they cannot be those of one.
   */
  private kind: 'counted' | 'window' | 'bucket' = 'counted';
  private size: number;
  private perCallMs: number;
  /** By the rule alone. */
  private readonly ruleGapMs: number;
  private resetAt = 0;
  /** The reset of a window is between this time and `resetAt`. */
  private earliestResetAt = 0;
  /** The smallest number that was said to be left of the window; calls without an answer may come off it. */
  private lowest = 0;
  /** When a window began that nothing is known of. Until a later call is answered one call at a time finds out. */
  private begunAt = 0;
  private isSure = true;
  /** The longest times that headers have told of: to the end of a window, to one more call in a bucket. */
  private windowMs = 1;
  private refillMs = 1;

  private lastAt = -minGapMs;
  private refusedUntil = 0;
  private refusals = 0;
  private lateMs = 0;
  /** How long calls take: the fastest so far, and about the last few. Unknown: 0. */
  private fastestMs = 0;
  private usualMs = 0;

  /**
   * A rule alone is kept with a bucket of two, one of them for finals, that is refilled so slowly that no window of the
   * platform can get more than its calls, wherever it begins.
   */
  constructor({ calls, perMs }: RateRule) {
    this.ruleGapMs = perMs / calls;
    this.size = calls >= 4 ? 2 : 1;
    this.perCallMs = (perMs + countedSlackMs) / (calls - this.size + 1);
  }

  /** The end of the last wait that the platform asked for. */
  get blockedUntil(): number {
    return this.refusedUntil;
  }

  /** Nothing was answered yet: the first answer may tell of much more room. */
  get isUnknown(): boolean {
    return this.fastestMs === 0;
  }

  /** About how long until there is room for one more. */
  get gapMs(): number {
    return this.perCallMs;
  }

  /** When the next write could go if nothing else were waiting. */
  urgentAt(now: number, open: number): number {
    return Math.max(this.roomAt(now, open, 1), this.refusedUntil);
  }

  /** About when so many calls could have gone, one right after the other. */
  callsBy(now: number, open: number, calls: number): number {
    if (this.kind !== 'window') return Math.max(this.roomAt(now, open, calls), this.refusedUntil, now);
    const isOver = now >= this.overAt;
    const left = isOver ? this.size : Math.max(0, this.lowest - open);
    const windowMs = this.size * this.perCallMs;
    const nextAt = isOver ? now + windowMs : this.overAt;
    const at = calls <= left ? now : nextAt + Math.floor((calls - left - 1) / this.size) * windowMs;
    return Math.max(at, this.refusedUntil);
  }

  /** As soon as there is room for it and two more. */
  firstAt(now: number, open: number, since: number): number {
    const at = Math.min(this.textAt(now, open, since), this.roomAt(now, open, 3));
    return Math.max(at, this.urgentAt(now, open));
  }

  /** Text moves steadily: writes are spread over what is left. `since`: when the oldest unseen text came. */
  textAt(now: number, open: number, since: number): number {
    const at = this.kind === 'window' ? this.spreadInWindow(open, since) : this.spreadInBucket(open);
    return Math.max(at, this.lastAt + minGapMs, this.urgentAt(now, open));
  }

  /** A call goes out. */
  take(now: number): void {
    this.lastAt = now;
    if (this.kind === 'counted') {
      this.resetAt = Math.max(this.resetAt, now) + this.perCallMs;
    } else if (this.kind === 'window' && now >= this.overAt) {
      this.isSure = false;
      this.begunAt = now;
      this.lowest = this.size;
      this.resetAt = now + this.size * this.perCallMs;
    }
  }

  /** The platform has taken a write, after so long. */
  written(tookMs: number): void {
    const callMs = Math.max(1, tookMs);
    const isFirst = this.fastestMs === 0;
    this.usualMs = isFirst ? 2 * callMs : (this.usualMs + callMs) / 2;
    this.fastestMs = isFirst ? callMs : Math.min(this.fastestMs, callMs);
    this.refusals = 0;
    this.lateMs = Math.max(0, this.lateMs - 1);
  }

  /** An answer told nothing: the call may have been counted all the same. */
  heardNothing(now: number): void {
    if (this.kind === 'window') this.lowest -= 1;
    if (this.kind === 'bucket') this.resetAt = Math.max(this.resetAt, now) + this.perCallMs;
  }

  /** `sentAt`: the call that is answered now was not made before. Answers may come in any order. */
  hear(now: number, sentAt: number, { limit, remaining, resetAfterMs }: RateHeaders): void {
    const isSense = limit >= 1 && remaining >= 0 && resetAfterMs >= 0 && resetAfterMs <= longestMs;
    if (!isSense) return this.heardNothing(now);
    if (this.kind === 'counted' || limit !== this.size) this.learnKind(limit);
    this.windowMs = Math.max(this.windowMs, resetAfterMs);
    this.refillMs = Math.max(this.refillMs, resetAfterMs / Math.max(1, limit - remaining));
    const earliestAt = sentAt + resetAfterMs;
    const latestAt = now + resetAfterMs;
    // Answered before the reset that was told last: a window still ends then, a bucket is full later.
    const isLater = this.isSure && earliestAt > this.resetAt;
    if (this.kind === 'window' && isLater && now < this.earliestResetAt) this.kind = 'bucket';
    if (this.kind === 'window' && this.isTooLow(remaining, sentAt, isLater)) this.kind = 'bucket';
    if (this.kind === 'bucket') return this.hearOfBucket(now, limit - remaining, resetAfterMs);
    this.perCallMs = this.windowMs / limit;
    if (this.isSure ? latestAt < this.earliestResetAt : sentAt < this.begunAt) {
      // Told of a window that is over. It may have been counted in one that nothing is known of yet.
      if (!this.isSure) this.lowest -= 1;
    } else if (this.isSure && !isLater) {
      this.lowest = Math.min(this.lowest, remaining);
      this.resetAt = Math.min(this.resetAt, latestAt);
      this.earliestResetAt = Math.max(this.earliestResetAt, earliestAt);
    } else {
      this.lowest = this.isSure ? remaining : Math.min(this.lowest - 1, remaining);
      this.isSure = true;
      this.resetAt = latestAt;
      this.earliestResetAt = earliestAt;
    }
  }

  /** Nothing goes out until the wait is over; then one call tries. */
  refused(now: number, retryAfterMs: number | undefined): void {
    this.refusals += 1;
    const backOffMs = Math.min(maxBackOffMs, firstBackOffMs * 2 ** (this.refusals - 1));
    const isSense = retryAfterMs !== undefined && retryAfterMs >= 0;
    const waitMs = isSense ? Math.min(longestMs, retryAfterMs) : backOffMs;
    this.refusedUntil = Math.max(this.refusedUntil, now + waitMs);
    if (this.kind === 'counted') {
      this.resetAt = Math.max(this.resetAt, this.refusedUntil + (this.size - 1) * this.perCallMs);
      return;
    }
    this.lateMs = Math.min(maxLateMs, this.lateMs + lateStepMs);
    this.kind = 'window';
    this.isSure = false;
    this.begunAt = now;
    this.lowest = this.size;
    this.resetAt = this.refusedUntil;
  }

  /**
   * A new window has all its calls. What tells of a new one and has fewer is a bucket that told when its next call was
   * free: unless somebody else calls, too, and then the window is seen to be longer than a call takes by the rule.
   */
  private isTooLow(remaining: number, sentAt: number, isLater: boolean): boolean {
    const isNew = this.isSure ? isLater : this.begunAt > 0 && sentAt >= this.begunAt;
    const mostLeft = (this.isSure ? this.size : this.lowest) - 1;
    return isNew && remaining < mostLeft && this.windowMs < 2 * this.ruleGapMs;
  }

  /**
   * `used`: calls that are not free. A time too short for all of them is that of the next one. Just too short it may be
   * because numbers are rounded.
   */
  private hearOfBucket(now: number, used: number, resetAfterMs: number): void {
    const othersMs = (used - 1) * this.refillMs;
    const tellsNext = resetAfterMs <= Math.min(othersMs, 1.5 * this.refillMs);
    if (tellsNext) this.refillMs = Math.max(this.refillMs, resetAfterMs);
    this.perCallMs = this.refillMs;
    this.resetAt = Math.max(this.resetAt, now + resetAfterMs + (tellsNext ? othersMs : 0));
  }

  private learnKind(limit: number): void {
    this.kind = 'window';
    this.isSure = false;
    this.begunAt = 0;
    this.lowest = limit;
    this.size = limit;
    this.windowMs = 1;
    this.refillMs = 1;
  }

  /**
   * When a call that goes out reaches a new window. The answer that told of it was on its way back, and the next call has
   * a way to go: together the fastest round trip, less what round trips differ by.
   */
  private get overAt(): number {
    const waysMs = this.fastestMs - 3 * (this.usualMs - this.fastestMs) - clockSlackMs;
    return this.resetAt - Math.max(0, waysMs) + this.lateMs;
  }

  /** When there is surely room for so many calls, if nothing is written meanwhile. */
  private roomAt(now: number, open: number, calls: number): number {
    if (this.kind !== 'window') return this.fullAt(open) - (this.size - calls) * this.perCallMs;
    if (now >= this.overAt) return calls === 1 ? now : Number.POSITIVE_INFINITY;
    const left = this.lowest - open;
    if (left <= 0) return this.overAt;
    if (this.isSure) return left >= calls ? now : this.overAt;
    return open === 0 && calls === 1 ? now : now + lookForAnswerMs;
  }

  private fullAt(open: number): number {
    return this.kind === 'counted' ? this.resetAt : this.resetAt + open * this.perCallMs;
  }

  /** Evenly; one is left at the end of the window if text need not move slower than the rate for it. */
  private spreadInWindow(open: number, since: number): number {
    const left = this.lowest - open;
    if (left <= 0) return this.overAt;
    const spanMs = this.overAt - this.lastAt;
    const slowestAt = Math.min(since + this.perCallMs * stretch, this.lastAt + spanMs / left);
    return Math.min(this.overAt, Math.max(this.lastAt + spanMs / (left + 1), slowestAt));
  }

  /** The fuller, the faster; one is always left. */
  private spreadInBucket(open: number): number {
    const fullAt = this.fullAt(open);
    const spanMs = fullAt - this.lastAt;
    const left = Math.max(0, Math.floor(this.size - spanMs / this.perCallMs));
    const evenAt = this.lastAt + Math.min(this.perCallMs, spanMs / (left + 1));
    return Math.max(evenAt, fullAt - (this.size - Math.min(2, this.size)) * this.perCallMs);
  }
}
