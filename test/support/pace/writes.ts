/** What readers saw of an answer on a fake platform, as writes with the tokens they show. */
import type { SentAnswer } from './answers.ts';
import type { Write } from './run-answers.ts';

/** Every text that a message had, and when each of them came. */
interface Page {
  readonly texts: readonly string[];
  readonly times: readonly number[];
}

/** Tokens are letters, so that text tells how many of them it shows. */
const lettersIn = (text: string): number => text.match(/[a-z]/g)?.length ?? 0;

/** What of an answer could be seen when, over the messages that it stands in. `beginMs`: when its times begin. */
export function writesOf(pages: readonly Page[], { tokens }: SentAnswer, beginMs: number): readonly Write[] {
  const visible = pages.map(() => 0);
  const versions = pages
    .flatMap(({ texts, times }, page) => texts.map((text, at) => ({ page, text, at: times[at] ?? 0 })))
    .toSorted((one, other) => one.at - other.at);
  return versions.map(({ page, text, at }, index) => {
    visible[page] = lettersIn(text);
    const shown = visible.reduce((sum, count) => sum + count, 0);
    const isFinal = index === versions.length - 1 && shown === tokens.length;
    return { at: at - beginMs, tokens: shown, isFinal };
  });
}
