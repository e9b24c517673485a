/**
 * Told by whoever holds a connection whether its other end answers; as often as it likes, only changes count. Readiness
 * and one log line per change follow from it.
 */
export interface Contact {
  ok(): void;
  /** `why`: an error, or a few words for the operator. */
  away(why: unknown): void;
}
