/** Waits until a number of things are done, wherever that happens. */
export class Countdown {
  private left = 0;
  private finish = () => {};

  /** Resolves when `count` were done from now on. One wait at a time. */
  wait(count: number): Promise<void> {
    this.left = count;
    return new Promise((resolve) => (this.finish = resolve));
  }

  done(count = 1): void {
    this.left -= count;
    if (this.left === 0) this.finish();
  }
}
