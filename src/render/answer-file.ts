/** An answer that would take too many messages: its beginning as messages, the rest as a file. */
import type { AttachedFile } from '../domain/surface-message.ts';
import type { AnswerPages } from './answer-pages.ts';
import type { Words } from './words.ts';

/** More messages than these are a flood. */
const maxMessages = 6;
const name = 'answer.md';

export interface AnswerMessage {
  readonly text: string;
  /** As in `SurfaceMessage`. */
  readonly settledChars?: number;
  readonly file?: AttachedFile;
}

/** `growing`: more text comes; `cut off`: none, and it may end anywhere. */
export type AnswerEnd = 'growing' | 'final' | 'cut off';

/**
 * The messages of an answer, with `note` as its last line. The file comes with the last state: while the answer grows,
 * only its beginning is shown.
 */
export function messagesOf(
  answer: AnswerPages,
  end: AnswerEnd,
  words: Words,
  note?: string,
): readonly AnswerMessage[] {
  const pages = answer.pages(end === 'final' ? 'final' : 'growing', note);
  const shown = pages
    .slice(0, maxMessages)
    .map(({ text, settledChars }) => (end === 'growing' ? { text, settledChars } : { text }));
  const [last, beyond] = [shown.at(-1), pages[maxMessages]];
  if (last === undefined || beyond === undefined || end === 'growing') return shown;
  const noted = `${last.text}\n\n${words.restInFile}`;
  const text = answer.hasRoomFor(noted) ? noted : last.text;
  return [...shown.slice(0, -1), { text, file: { name, text: answer.from(beyond) } }];
}
