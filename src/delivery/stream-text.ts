/** What a message that grows on the platform says, and what is to be appended to it. Pure. */
import type { SurfaceMessage } from '../domain/surface-message.ts';

export interface StreamText {
  readonly text: string;
  /** When it was started, by this process's clock. Unit: milliseconds. */
  readonly since: number;
  /** More may have been appended than `text`, or the wait for appending has become too long: it is only ended. */
  readonly isGivenUp: boolean;
}

/** What may be appended for a message: all of it when it has ended, and while it grows what will not change. */
export function settledText({ state, text, settledChars = text.length }: SurfaceMessage): string {
  return state === 'live' ? text.slice(0, settledChars) : text;
}

/** What is missing of a message; undefined when appending cannot lead to it. */
export function restOf({ text, isGivenUp }: StreamText, message: SurfaceMessage): string | undefined {
  const wanted = settledText(message);
  return isGivenUp || !message.text.startsWith(text) ? undefined : wanted.slice(text.length);
}
