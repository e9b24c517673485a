import type { Meter } from '../../src/ports/meter.ts';

/** A meter that keeps nothing: for tests in which the numbers are not the point. */
export const quietMeter: Meter = { count: () => {}, time: () => {}, watch: () => {} };
