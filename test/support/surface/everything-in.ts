import type { Surface, TurnPlace } from '../../../src/ports/surface.ts';

/** A turn on a platform that has one place for everything. */
export function everythingIn(surface: Surface): TurnPlace {
  return { answer: surface, side: surface, work: () => () => {} };
}
