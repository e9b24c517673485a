/**
 * Keeps one message on a surface equal to the newest content. Only the newest is ever written: what was wanted in
 * between is skipped.
 */
import type { MessageRef } from '../domain/address.ts';
import { LeaseLostError, RateLimitedError, SurfaceGoneError, WriteRefusedError } from '../domain/errors.ts';
import type { SurfaceMessage } from '../domain/surface-message.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Importance, NamedBudget, RateBudget, RateBudgets } from '../ports/rate-budget.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import type { Route, Surface } from '../ports/surface.ts';
import { importanceOf } from './importance.ts';
import { type Content, MessageWriter } from './message-writer.ts';
import { PacedMessage, type Waiting, type Wanted } from './paced-message.ts';
import { PlacedMessage } from './placed-message.ts';

export interface LiveMessageMeans {
  readonly surface: Surface;
  readonly budgets: RateBudgets;
  readonly ledger: Ledger;
  /** Name of the message within its turn, and for the platform. */
  readonly slot: string;
  readonly key: string;
  /** What stands above it: it is posted when that is there, and taken away before that is. */
  readonly after?: LiveMessage;
  readonly clock: Clock;
  readonly log: Logger;
  /** Ends all waiting: the process stops or the lease is gone. */
  readonly signal: AbortSignal;
}

/** `undefined`: nothing yet, what was wanted before stays. */
type Draft = () => Content | undefined;

/** A write that failed without an answer is tried this often; live text then waits for the next change. */
const maxTries = 8;
/** The last text is worth some minutes; who settles it is told when they were not enough. */
const maxLastTries = 40;
const firstRetryMs = 500;
const maxRetryMs = 10_000;

export class LiveMessage {
  private readonly placed: PlacedMessage;
  private readonly paced: PacedMessage;
  private readonly writer: MessageWriter;
  private wanted: Content | undefined;
  /** What it comes to is looked at when it can be written; newer than `wanted`. */
  private draft: Draft | undefined;
  private grownAs: Importance | undefined;
  /** Its text goes on in another message: however it ends, it is not the last one. */
  private goesOn = false;
  /** When the oldest content came that was not taken for a write yet. */
  private unseenSince: number | undefined;
  private isGone = false;
  /** It is gone, or only closed to us. */
  private mayReturn = false;
  /** What was out of reach while text grew may be back for the last text, which is tried once more. */
  private isLookedFor = false;
  private isLast = false;
  private running: Promise<void> | undefined;
  private failure: unknown;
  private readonly followers: LiveMessage[] = [];
  /** Who waits until something has come of the next write. */
  private watchers: (() => void)[] = [];

  constructor(private readonly means: LiveMessageMeans) {
    means.after?.followers.push(this);
    const { surface, budgets, key, clock, log, signal } = means;
    const known = new Map<NamedBudget, RateBudget>();
    const budgetOf = (route: Route) => {
      const named = budgetNamed(surface, route);
      const budget = known.get(named) ?? budgets.budget(named);
      known.set(named, budget);
      return budget;
    };
    this.placed = new PlacedMessage(means);
    this.paced = new PacedMessage({ message: key, budgetOf, clock, log });
    this.writer = new MessageWriter({ surface, clock, signal, placed: this.placed, paced: this.paced });
  }

  /** Wants this content. Returns at once. `goesOn`: its text does in another message, so that it is in no hurry. */
  set(message: SurfaceMessage, goesOn = false): void {
    this.want(message, goesOn);
  }

  /**
   * Wants what this returns when it can be written, for text that grows faster than that. Costs next to nothing.
   * `importance`: when it is less than the message tells.
   */
  grow(draft: Draft, importance?: Importance): void {
    this.draft = draft;
    this.goesOn = true;
    // What came before and cannot be seen yet keeps its own.
    if (this.unseenSince === undefined || importance === undefined) this.grownAs = importance;
    this.isLast = false;
    if (this.isGone) return;
    this.unseenSince ??= this.means.clock.now();
    if (this.running === undefined) this.start();
  }

  /** Wants no message at all; it may be wanted again later. */
  remove(): void {
    this.want('removed');
  }

  /**
   * Resolves when the platform shows the newest content or cannot any more, and nothing grows. Throws `LeaseLostError`
   * when taken over, the signal's reason when that came first, and what went wrong when the last text of anything but a
   * trace could not be shown: then somebody else has to see to it.
   */
  async settle(): Promise<MessageRef | undefined> {
    this.isLast = true;
    if (this.isGone && !this.isLookedFor && this.isThere && isWorthWaiting(this.wanted)) {
      this.isLookedFor = true;
      this.isGone = false;
    }
    this.start();
    while (this.running !== undefined) await this.running;
    if (this.failure instanceof LeaseLostError) throw this.failure;
    if (!this.isBehind) return this.placed.ref;
    this.means.signal.throwIfAborted();
    const isLost = !(this.failure instanceof WriteRefusedError) && isWorthWaiting(this.wanted);
    if (this.failure !== undefined && isLost) throw this.failure;
    return this.placed.ref;
  }

  /** It stands there without its last text, in a place that may be open to us again. */
  get isLeft(): boolean {
    return this.isGone && this.mayReturn && this.isThere && isWorthWaiting(this.wanted);
  }

  private want(content: Content, goesOn = false): void {
    this.wanted = content;
    this.goesOn = goesOn;
    this.draft = undefined;
    this.grownAs = undefined;
    this.isLast = false;
    if (!this.isBehind) return;
    this.unseenSince ??= this.means.clock.now();
    this.paced.hurry(this.importance(content));
    this.start();
  }

  private start(): void {
    if (this.running !== undefined || !this.isBehind || this.failure instanceof LeaseLostError) return;
    this.failure = undefined;
    this.running = this.reconcile()
      .catch((error: unknown) => {
        this.failure = error;
        if (!(error instanceof LeaseLostError) && !this.means.signal.aborted) {
          this.means.log.error({ error, slot: this.means.slot }, 'a message could not be brought up to date');
        }
      })
      .finally(() => {
        this.running = undefined;
        this.tellWatchers();
      });
  }

  private async reconcile(): Promise<void> {
    for (let tries = 0; this.isBehind; ) {
      this.means.signal.throwIfAborted();
      const since = this.unseenSince;
      try {
        await this.writeOnce();
        this.tellWatchers();
        tries = 0;
      } catch (error) {
        if (since !== undefined) this.unseenSince = since;
        tries += 1;
        if (!(await this.mayTryAgain(error, tries))) return;
      }
    }
  }

  private async writeOnce(): Promise<void> {
    const { paced, writer } = this;
    const found = this.content();
    if (found !== undefined) await writer.find(found);
    for (let other = this.ahead; other !== undefined; other = this.ahead) await other.nextWrite();
    const route = await paced.turn((waiting) => this.wantedNow(waiting), this.means.signal);
    // The newest content is taken now, when it can be written.
    const content = this.content();
    if (route === undefined || content === undefined) return;
    if (this.nextRoute !== route || this.ahead !== undefined) return paced.pass();
    this.unseenSince = undefined;
    await writer.write(route, content);
  }

  private wantedNow(waiting: Waiting | undefined): Wanted | undefined {
    const { writer } = this;
    const wanted = this.content();
    const now = this.means.clock.now();
    const unseenSince = (this.unseenSince ??= now);
    if (waiting !== undefined) writer.waits(waiting.route, now - unseenSince + waiting.waitMs);
    const route = this.nextRoute;
    if (route === undefined || wanted === undefined) return undefined;
    return { route, importance: this.importance(wanted), unseenSince };
  }

  private importance(content: Content): Importance {
    if (content === 'removed') return 'text';
    const message = this.goesOn ? ({ ...content, state: 'live' } as const) : content;
    return this.grownAs ?? importanceOf(message, this.placed.ref === undefined);
  }

  private content(): Content | undefined {
    const drafted = this.draft?.();
    this.draft = undefined;
    this.wanted = drafted ?? this.wanted;
    return this.wanted;
  }

  private get isBehind(): boolean {
    return this.nextRoute !== undefined || (this.draft !== undefined && !this.isGone);
  }

  private get nextRoute(): Route | undefined {
    const { wanted, isGone } = this;
    return wanted === undefined || isGone ? undefined : this.writer.routeTo(wanted, this.isLast);
  }

  /** Who has to be written first, so that the order on the surface stays; nobody waits for one that is given up. */
  private get ahead(): LiveMessage | undefined {
    const { after } = this.means;
    switch (this.nextRoute) {
      case 'post':
      case 'start':
        // What is posted only to be taken away stands nowhere for long, and the one above may wait for that.
        if (this.wanted === 'removed') return undefined;
        return after?.running !== undefined && !(after.isThere && after.isWhole) ? after : undefined;
      case 'remove':
        return this.followers.find(
          ({ running, wanted, isAway }) => running !== undefined && wanted === 'removed' && !isAway,
        );
      default:
        return undefined;
    }
  }

  private get isThere(): boolean {
    return this.placed.ref !== undefined && !this.placed.isLeaving;
  }

  /** It grows, or says all that it ever will: what follows may be read. */
  private get isWhole(): boolean {
    const { wanted } = this;
    return wanted === undefined || wanted === 'removed' || wanted.state === 'live' || !this.isBehind;
  }

  private get isAway(): boolean {
    return this.placed.ref === undefined && this.placed.isKnown && !this.placed.mayExist;
  }

  private nextWrite(): Promise<void> {
    return new Promise((resolve) => this.watchers.push(resolve));
  }

  private tellWatchers(): void {
    const told = this.watchers;
    this.watchers = [];
    for (const tell of told) tell();
  }

  private async mayTryAgain(error: unknown, tries: number): Promise<boolean> {
    const { clock, log, signal, slot } = this.means;
    if (error instanceof LeaseLostError || signal.aborted) throw error;
    if (error instanceof SurfaceGoneError) {
      this.isGone = true;
      this.mayReturn = error.mayReturn;
      log.warn({ error, slot }, 'the message or its place is gone; nothing more is written there');
      return false;
    }
    if (error instanceof WriteRefusedError) throw error;
    // The budget knows how long to wait.
    if (error instanceof RateLimitedError) return true;
    if (tries >= (isWorthWaiting(this.wanted) ? maxLastTries : maxTries)) throw error;
    await clock.sleep(Math.min(maxRetryMs, firstRetryMs * 2 ** (tries - 1)), signal);
    return true;
  }
}

/** The last text of an answer, a question, a notice; and what is left over of one would stand there twice. */
function isWorthWaiting(content: Content | undefined): boolean {
  if (content === undefined || content === 'removed') return content === 'removed';
  return content.kind !== 'trace' && content.state !== 'live';
}

function budgetNamed({ budgets, stream }: Surface, route: Route) {
  switch (route) {
    case 'post':
    case 'edit':
    case 'remove':
      return budgets[route];
    case 'start':
    case 'append':
    case 'stop':
      return (stream?.budgets ?? neverAsked(route))[route];
  }
}

function neverAsked(route: Route): never {
  throw new Error(`a write by ${route} on a surface without streams`);
}
