/** Ids of Discord tell when the thing was made. */

const discordEpochMs = 1_420_070_400_000n;

/** When the thing with this id was made. Unit: milliseconds since 1970. */
export function timeOf(id: string): number {
  return Number((BigInt(id) >> 22n) + discordEpochMs);
}

/** Before everything that was made from this time on. Unit: milliseconds since 1970. */
export function idBefore(time: number): string {
  return ((BigInt(Math.floor(time)) - discordEpochMs) << 22n).toString();
}
