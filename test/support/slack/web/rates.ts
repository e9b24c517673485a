/** Rate limits: so many calls in a minute for each method and workspace, and posts for each channel. */
import { type RateRule, rules } from '../rules.ts';

export interface RateKnobs {
  /** False: nothing is limited. */
  readonly isOn: boolean;
  /** Posts in a channel that may come at once before one a second counts. */
  readonly postBurst: number;
  /** Other numbers than those of the table. */
  readonly limits: Partial<Readonly<Record<RateRule, { readonly calls: number; readonly perMs: number }>>>;
}

export class Rates {
  knobs: RateKnobs = { isOn: true, postBurst: 3, limits: {} };
  private readonly uses = new Map<string, number[]>();

  /** `now` in milliseconds. */
  constructor(private readonly now: () => number) {}

  /** Turns knobs; every window begins anew. */
  turn(changed: Partial<RateKnobs>): void {
    this.knobs = { ...this.knobs, ...changed };
    this.uses.clear();
  }

  /** One call counted against all of these, or the longest wait among them and none counted. Unit: milliseconds. */
  take(counters: readonly { readonly rule: RateRule; readonly key: string }[]): number {
    if (!this.knobs.isOn) return 0;
    const now = this.now();
    const waits = counters.map(({ rule, key }) => {
      const { calls, perMs } = this.limitOf(rule);
      const recent = (this.uses.get(`${rule} ${key}`) ?? []).filter((at) => at > now - perMs);
      this.uses.set(`${rule} ${key}`, recent);
      return recent.length < calls ? 0 : (recent[recent.length - calls] ?? now) + perMs - now;
    });
    const waitMs = Math.max(0, ...waits);
    if (waitMs === 0) for (const { rule, key } of counters) this.uses.get(`${rule} ${key}`)?.push(now);
    return waitMs;
  }

  private limitOf(rule: RateRule): { readonly calls: number; readonly perMs: number } {
    const { calls, perMs } = this.knobs.limits[rule] ?? rules[rule];
    // A burst stretches the window, the pace stays.
    return rule === 'post_in_channel'
      ? { calls: calls * this.knobs.postBurst, perMs: perMs * this.knobs.postBurst }
      : { calls, perMs };
  }
}
