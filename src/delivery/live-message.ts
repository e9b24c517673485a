/**
 * Keeps one message on a surface equal to the newest content. Only the newest is ever written: what was wanted in
 * between is skipped. The ledger is told before and after, so that a restart edits and never posts twice.
 */
import type { MessageRef } from '../domain/address.ts';
import { LeaseLostError, RateLimitedError, SurfaceGoneError } from '../domain/errors.ts';
import type { SurfaceMessage } from '../domain/surface-message.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import type { Surface } from '../ports/surface.ts';

export interface LiveMessageMeans {
  readonly surface: Surface;
  readonly ledger: Ledger;
  /** Name of the message within its turn, and for the platform. */
  readonly slot: string;
  readonly key: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Ends all waiting: the process stops or the lease is gone. */
  readonly signal: AbortSignal;
}

/** A write that failed without an answer is tried this often before it is given up until the next change. */
const maxTries = 8;
const firstRetryMs = 500;
const maxRetryMs = 10_000;

export class LiveMessage {
  private wanted: SurfaceMessage | undefined;
  private shown: SurfaceMessage | undefined;
  private ref: MessageRef | undefined;
  private isKnown = false;
  private isGone = false;
  private lastWriteAt = Number.NEGATIVE_INFINITY;
  private running: Promise<void> | undefined;
  private failure: unknown;

  constructor(private readonly means: LiveMessageMeans) {}

  /** Wants this content. Returns at once. */
  set(message: SurfaceMessage): void {
    this.wanted = message;
    this.start();
  }

  /**
   * Resolves when the platform shows the newest content or cannot any more. Throws `LeaseLostError` when taken over, and
   * the signal's reason when that came first: then somebody else has to see to it.
   */
  async settle(): Promise<MessageRef | undefined> {
    while (this.running !== undefined) await this.running;
    if (this.failure instanceof LeaseLostError) throw this.failure;
    if (this.isBehind) this.means.signal.throwIfAborted();
    return this.ref;
  }

  private start(): void {
    if (this.running !== undefined || this.failure instanceof LeaseLostError) return;
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
      });
  }

  private async reconcile(): Promise<void> {
    for (let tries = 0; this.needsWrite(); ) {
      await this.waitForGap();
      const message = this.wanted;
      if (message === undefined) return;
      try {
        await this.write(message);
        this.shown = message;
        this.lastWriteAt = this.means.clock.now();
        tries = 0;
      } catch (error) {
        tries += 1;
        if (!(await this.mayTryAgain(error, tries))) return;
      }
    }
  }

  private needsWrite(): boolean {
    return this.isBehind && !this.means.signal.aborted;
  }

  private get isBehind(): boolean {
    const { wanted, shown } = this;
    if (wanted === undefined || this.isGone) return false;
    return (
      shown === undefined ||
      shown.text !== wanted.text ||
      shown.state !== wanted.state ||
      shown.card !== wanted.card ||
      shown.again !== wanted.again ||
      shown.details?.join('\n') !== wanted.details?.join('\n')
    );
  }

  /** The first text and the last go out at once; edits in between keep the surface's distance. */
  private async waitForGap(): Promise<void> {
    const { clock, surface, signal } = this.means;
    for (;;) {
      const gapMs = this.lastWriteAt + surface.limits.minEditGapMs - clock.now();
      if (gapMs <= 0 || this.wanted?.state !== 'live') return;
      await clock.sleep(Math.min(gapMs, 100), signal);
    }
  }

  private async write(message: SurfaceMessage): Promise<void> {
    const { ledger, surface, slot, key, signal } = this.means;
    let mayExist = false;
    if (!this.isKnown) {
      const entry = await ledger.get(slot);
      if (entry?.state === 'done') this.ref = entry.ref;
      // An earlier attempt may have got through without our hearing of it.
      mayExist = entry?.state === 'intended';
      const found = mayExist ? (this.ref ?? (await surface.find(key, signal))) : undefined;
      if (found !== undefined) await this.adopt(found);
      this.isKnown = true;
    }
    if (this.ref === undefined) {
      await ledger.intend(slot);
      this.isKnown = false; // until the outcome of the post is known
      const posted = await surface.post(message, key, signal);
      await this.adopt(posted);
      this.isKnown = true;
      // A platform that has seen the key before answers with the message as it was posted then.
      if (mayExist) await surface.edit(posted, message, signal);
      return;
    }
    await ledger.check();
    await surface.edit(this.ref, message, signal);
  }

  private async adopt(ref: MessageRef): Promise<void> {
    this.ref = ref;
    await this.means.ledger.done(this.means.slot, ref);
  }

  private async mayTryAgain(error: unknown, tries: number): Promise<boolean> {
    const { clock, log, signal, slot } = this.means;
    if (error instanceof LeaseLostError || signal.aborted) throw error;
    if (error instanceof SurfaceGoneError) {
      this.isGone = true;
      log.warn({ error, slot }, 'the message or its place is gone; nothing more is written there');
      return false;
    }
    if (error instanceof RateLimitedError) {
      await clock.sleep(error.retryAfterMs, signal);
      return true;
    }
    if (tries >= maxTries) throw error;
    await clock.sleep(Math.min(maxRetryMs, firstRetryMs * 2 ** (tries - 1)), signal);
    return true;
  }
}
