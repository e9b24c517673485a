/** Seeded chance: the same seed gives the same dialogue on every machine. */
export interface Chance {
  /** A whole number from 0 to `max`, both included. */
  upTo(max: number): number;
  percent(likely: number): boolean;
  of<T>(list: readonly T[]): T;
}

/** Mulberry32. */
export function chance(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    upTo: (max) => Math.floor(next() * (max + 1)),
    percent: (likely) => next() * 100 < likely,
    of(list) {
      const picked = list[Math.floor(next() * list.length)];
      if (picked === undefined) throw new Error('chance.of: the list is empty');
      return picked;
    },
  };
}
