/** Rate limits in both shapes people report, with the headers and the 429s that go with them. */
import { createHash } from 'node:crypto';
import { type BucketRule, rules } from '../rules.ts';

/**
 * `window`: the first call opens a window of `perMs`, at whose end all calls are free again. `bucket`: one call becomes free
 * every `perMs / calls`. Discord does not say which it is. `off`: nothing is limited and no header sent.
 */
export type RateShape = 'window' | 'bucket' | 'off';

export interface RateKnobs {
  readonly shape: RateShape;
  /** What the headers of a bucket tell: when one more call is free, or when all of them are. */
  readonly tells: 'next' | 'full';
  /** Other numbers than those of the table. */
  readonly limits: Partial<Readonly<Record<BucketRule, { readonly calls: number; readonly perMs: number }>>>;
  /** How many invalid requests in ten minutes end in a ban by Cloudflare. */
  readonly invalidRequests: number;
}

export interface Taken {
  /** 0: free. Unit: milliseconds. */
  readonly waitMs: number;
  readonly headers: Readonly<Record<string, string>>;
}

interface Use {
  /** Window: when it opened. Bucket: when it was last filled. */
  since: number;
  /** Calls that are free. */
  left: number;
}

const invalidMemoryMs = 10 * 60_000;

export class Rates {
  knobs: RateKnobs = {
    shape: 'window',
    tells: 'next',
    limits: {},
    invalidRequests: rules.invalid_requests.max,
  };
  private readonly uses = new Map<string, Use>();
  private invalid: number[] = [];

  /** `now` in milliseconds. */
  constructor(private readonly now: () => number) {}

  /** Turns knobs; every window and bucket begins anew. */
  turn(changed: Partial<RateKnobs>): void {
    this.knobs = { ...this.knobs, ...changed };
    this.uses.clear();
  }

  /** One call of a route for one value of its major parameter. */
  take(name: BucketRule, major: string): Taken {
    const { shape, tells } = this.knobs;
    if (shape === 'off') return { waitMs: 0, headers: {} };
    const { calls, perMs } = this.knobs.limits[name] ?? rules[name];
    const now = this.now();
    const use = this.useOf(`${name} ${major}`, calls);
    const gapMs = perMs / calls;
    if (shape === 'window' && now >= use.since + perMs) Object.assign(use, { since: now, left: calls });
    if (shape === 'bucket') {
      const gained = Math.floor((now - use.since) / gapMs);
      const isFull = use.left + gained >= calls;
      Object.assign(use, {
        since: isFull ? now : use.since + gained * gapMs,
        left: Math.min(calls, use.left + gained),
      });
    }
    const isFree = use.left >= 1;
    if (isFree) use.left -= 1;
    const toFill = tells === 'full' ? calls - use.left : 1;
    const resetMs = Math.max(1, use.since + (shape === 'window' ? perMs : gapMs * toFill) - now);
    const headers = {
      'x-ratelimit-limit': String(calls),
      'x-ratelimit-remaining': String(use.left),
      'x-ratelimit-reset': ((now + resetMs) / 1_000).toFixed(3),
      'x-ratelimit-reset-after': (resetMs / 1_000).toFixed(3),
      'x-ratelimit-bucket': createHash('sha1').update(name).digest('hex').slice(0, 32),
    };
    const nextMs = Math.max(1, use.since + (shape === 'window' ? perMs : gapMs) - now);
    return { waitMs: isFree ? 0 : nextMs, headers };
  }

  /** Counts an answer of 401, 403 or 429 (not a shared one). */
  countInvalid(): void {
    this.invalid.push(this.now());
  }

  /** Requests in the last ten minutes that count towards a ban. */
  get invalidCount(): number {
    const earliest = this.now() - invalidMemoryMs;
    this.invalid = this.invalid.filter((at) => at > earliest);
    return this.invalid.length;
  }

  get isBanned(): boolean {
    return this.invalidCount >= this.knobs.invalidRequests;
  }

  private useOf(key: string, calls: number): Use {
    const known = this.uses.get(key);
    // A window opens with its first call, whenever that is.
    const use = known ?? { since: Number.NEGATIVE_INFINITY, left: calls };
    if (known === undefined) {
      if (this.knobs.shape === 'bucket') use.since = this.now();
      this.uses.set(key, use);
    }
    return use;
  }
}
