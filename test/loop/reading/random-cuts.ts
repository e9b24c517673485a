/** A text cut into chunks anywhere, also inside of surrogate pairs. */
import * as fc from 'fast-check';

/** Chunks of a text; among them very short ones, and sometimes every character by itself. */
export function cutsOf(text: fc.Arbitrary<string>): fc.Arbitrary<{ text: string; chunks: string[] }> {
  const cuts = fc.oneof(
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
    fc.constant('everywhere' as const),
  );
  return fc.tuple(text, cuts).map(([whole, places]) => {
    if (places === 'everywhere') return { text: whole, chunks: whole.split('') };
    const ends = places.map((place) => Math.round(place * whole.length)).toSorted((a, b) => a - b);
    return {
      text: whole,
      chunks: [...ends, whole.length].map((end, i) => whole.slice(ends[i - 1] ?? 0, end)),
    };
  });
}
