import { cutText } from '../domain/cut-text.ts';

/** Unit: characters. */
const maxChars = 80;

/** The beginning of a message on one line: enough to know its conversation again. */
export function titleOf(text: string): string {
  return cutText(
    text
      .slice(0, maxChars * 4)
      .replaceAll(/\s+/gu, ' ')
      .trim(),
    maxChars,
  );
}
