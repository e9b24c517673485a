/** How far everything that was said has been stored, so that a gap can be read again. Ids are whole numbers that grow with time. */

/** Until it is released, nothing after this message counts as stored. */
export interface Hold {
  readonly after: string;
  release(): void;
}

export class Progress {
  private readonly open = new Set<bigint>();
  private readonly holds = new Set<Hold>();
  private newest: bigint | undefined;

  /** Everything up to this message was stored before. */
  constructor(until: string | undefined) {
    this.newest = until === undefined ? undefined : BigInt(until);
  }

  /** More than has been heard may have been said after this message. */
  hold(after: string): Hold {
    const hold: Hold = { after, release: () => void this.holds.delete(hold) };
    this.holds.add(hold);
    return hold;
  }

  heard(id: string): void {
    this.open.add(BigInt(id));
  }

  stored(id: string): void {
    const number = BigInt(id);
    this.open.delete(number);
    if (this.newest === undefined || number > this.newest) this.newest = number;
  }

  /** Every message up to this one is stored; undefined when nothing was ever heard. */
  get until(): string | undefined {
    let least = this.newest;
    for (const id of this.open) if (least === undefined || id <= least) least = id - 1n;
    for (const { after } of this.holds) {
      const id = BigInt(after);
      if (least === undefined || id < least) least = id;
    }
    return least?.toString();
  }
}

/** The first of two ids is older, or there is no second. */
export function isNewer(id: string | null | undefined, than: string): boolean {
  return id !== null && id !== undefined && BigInt(id) > BigInt(than);
}
