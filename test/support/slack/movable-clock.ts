/** The real clock, which a test may push ahead: what is due by then happens at once, in order. */

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

export class MovableClock {
  private aheadMs = 0;
  private readonly timers = new Set<Timer>();
  private wake: NodeJS.Timeout | undefined;

  now(): number {
    return Date.now() + this.aheadMs;
  }

  /** Returns a function that cancels. */
  later(ms: number, run: () => void): () => void {
    const timer = { at: this.now() + ms, run };
    this.timers.add(timer);
    this.arm();
    return () => void this.timers.delete(timer);
  }

  advance(ms: number): void {
    this.aheadMs += ms;
    this.runDue();
  }

  private runDue(): void {
    const due = [...this.timers].filter(({ at }) => at <= this.now()).toSorted((a, b) => a.at - b.at);
    for (const timer of due) if (this.timers.delete(timer)) timer.run();
    this.arm();
  }

  private arm(): void {
    clearTimeout(this.wake);
    const next = Math.min(...[...this.timers].map(({ at }) => at));
    if (Number.isFinite(next)) this.wake = setTimeout(() => this.runDue(), Math.max(0, next - this.now()));
  }
}
