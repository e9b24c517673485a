/** Files that came along with a message: told apart from the learner's own words, and searched for what these ask about. */

export interface DroppedFile {
  readonly name: string;
  readonly text: string;
}

const file =
  /\[The file "([^"\n]*)" came with the message\.[^\]\n]*\]\n([\s\S]*?)\n\[(?:End of|Here) "\1"[^\]\n]*\]/g;

/** What the learner wrote, and the files beside it. */
export function withoutFiles(message: string): {
  readonly text: string;
  readonly files: readonly DroppedFile[];
} {
  const files = [...message.matchAll(file)].map(([, name = '', text = '']) => ({ name, text }));
  return { text: files.length === 0 ? message : message.replaceAll(file, '').trim(), files };
}

export interface Quote {
  readonly name: string;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

const maxQuoteChars = 300;

/** The line that shares most words with the question; without one, the first that says something. */
export function quoteFor(question: string, files: readonly DroppedFile[]): Quote | undefined {
  const wanted = new Set(wordsIn(question));
  let best: (Quote & { readonly score: number }) | undefined;
  for (const { name, text } of files) {
    for (const [at, whole] of text.split('\n').entries()) {
      const line = whole.trim();
      if (!/[\p{L}\p{N}]/u.test(line)) continue;
      const score = new Set(wordsIn(line).filter((word) => wanted.has(word))).size;
      if (best === undefined || score > best.score)
        best = { name, line: at + 1, text: line.slice(0, maxQuoteChars), score };
    }
  }
  return best;
}

/** Lower case; a plural finds its singular, and Chinese is compared by characters. */
function wordsIn(text: string): string[] {
  const words = text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}]{3,}/gu) ?? [];
  return words.filter((word) => !common.has(word)).map((word) => word.replace(/s$/, ''));
}

const common: ReadonlySet<string> = new Set(
  'the and what does say says about this that with from for are you file read please quote was steht über der die das und datei bitte lies'.split(
    ' ',
  ),
);
