/** Ids as Discord makes them: 19 digits that grow with time. */

const epochMs = 1_420_070_400_000n;

/** Each call returns a larger id, also within one millisecond. `now` in milliseconds. */
export function snowflakes(now: () => number): () => string {
  let last = 0n;
  return () => {
    const earliest = (BigInt(Math.floor(now())) - epochMs) << 22n;
    last = earliest > last ? earliest : last + 1n;
    return String(last);
  };
}

/** When an id was made. Unit: milliseconds. */
export const timeOf = (id: string): number => Number((BigInt(id) >> 22n) + epochMs);
