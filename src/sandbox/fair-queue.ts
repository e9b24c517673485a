/** Lets so many run at once; whoever waits is served person by person, so that nobody's many hold up another's one. */
export class FairQueue<Person> {
  private running = 0;
  /** Persons in the order of their turns, each with what waits. */
  private readonly waiting = new Map<Person, (() => void)[]>();

  constructor(private readonly atOnce: number) {}

  /** Rejects with the reason of `signal` when that is aborted before its turn comes. */
  async run<T>(person: Person, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.running >= this.atOnce) await this.wait(person, signal);
    else this.running += 1;
    try {
      return await work();
    } finally {
      this.next();
    }
  }

  private wait(person: Person, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const go = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        const rest = (this.waiting.get(person) ?? []).filter((each) => each !== go);
        if (rest.length > 0) this.waiting.set(person, rest);
        else this.waiting.delete(person);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.set(person, [...(this.waiting.get(person) ?? []), go]);
    });
  }

  /** Whoever is served goes behind all others. */
  private next(): void {
    const [first] = this.waiting;
    if (first === undefined) {
      this.running -= 1;
      return;
    }
    const [person, [go, ...rest]] = first;
    this.waiting.delete(person);
    if (rest.length > 0) this.waiting.set(person, rest);
    go?.();
  }
}
