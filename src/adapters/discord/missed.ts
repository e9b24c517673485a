/** How far everything that was said has been stored, so that a gap can be read again. Ids of Discord grow with time. */

export class Progress {
  private readonly open = new Set<bigint>();
  private newest: bigint | undefined;

  /** Everything up to this message was stored before. */
  constructor(until: string | undefined) {
    this.newest = until === undefined ? undefined : BigInt(until);
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
    let least: bigint | undefined;
    for (const id of this.open) if (least === undefined || id < least) least = id;
    if (least === undefined) return this.newest?.toString();
    return (this.newest !== undefined && this.newest < least ? this.newest : least - 1n).toString();
  }
}

const discordEpochMs = 1_420_070_400_000n;

/** When the thing with this id was made. Unit: milliseconds since 1970. */
export function timeOf(id: string): number {
  return Number((BigInt(id) >> 22n) + discordEpochMs);
}

/** The first of two ids is older, or there is no second. */
export function isNewer(id: string | null | undefined, than: string): boolean {
  return id !== null && id !== undefined && BigInt(id) > BigInt(than);
}
