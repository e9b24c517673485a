import type { Logger } from '../../src/ports/runtime.ts';

/** A logger that says nothing: for tests in which the log is not the point. */
export const quietLog: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
