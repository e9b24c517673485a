/**
 * Finds the label on the first line of a reply. `probeLabel` looks at a whole buffer, `LabelProbe` at a stream; both
 * read it through the same matcher, so that the answer never depends on where a stream is cut.
 *
 * Accepted: leading white space and invisible marks, then either any number of backticks around the label or the bare
 * label followed by a separator. Nothing else may stand before or around it, and case matters.
 */
import { assertNever } from '../../domain/errors.ts';
import { codePointsExceed } from './code-points.ts';

export type Probe =
  | { readonly kind: 'pending' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'label'; readonly label: string; readonly rest: string };

export type LabelPiece =
  | { readonly kind: 'label'; readonly label: string }
  | { readonly kind: 'text'; readonly text: string };

/** What stands for the label of a reply that has none. */
export const UNKNOWN_LABEL = 'UNKNOWN';

/** A buffer longer than this without a label has none. Unit: code points, leading marks included. */
const PROBE_LIMIT = 64;

const WHITE = /\p{White_Space}/u;
const INVISIBLE = /[\uFEFF\u200B\u200C\u200D]/;
const SEPARATOR = /[ \t\r\n:：\-–—]/;

/** Looks for the label in the text received so far; `rest` is the body without the separators before it. */
export function probeLabel(buffer: string, allowed: readonly string[], ended: boolean): Probe {
  const matcher = new LabelMatcher(allowed);
  const state = matcher.read(buffer);
  const hit = state === 'more' ? matcher.hitSoFar(ended) : matcher.hit;
  if (hit !== undefined) {
    return { kind: 'label', label: hit.label, rest: new Separators().feed(buffer.slice(hit.end)) };
  }
  return { kind: ended || codePointsExceed(buffer, PROBE_LIMIT) ? 'unknown' : 'pending' };
}

/**
 * Splits a stream into its label and the text after it. Nothing comes out until the label is certain; then the label
 * comes first and text follows at once, without the separators, even when they arrive later. Gives up at the first
 * character that rules a label out: `UNKNOWN_LABEL` comes out, then all that was held, unchanged.
 */
export class LabelProbe {
  readonly #matcher: LabelMatcher;
  readonly #separators = new Separators();
  #held = '';
  #label: string | undefined;

  constructor(allowed: readonly string[]) {
    this.#matcher = new LabelMatcher(allowed);
  }

  /** The label found, `UNKNOWN_LABEL` when there is none, undefined while neither is certain. */
  get label(): string | undefined {
    return this.#label;
  }

  feed(text: string): LabelPiece[] {
    if (this.#label !== undefined) return this.#body(text);
    this.#held += text;
    const state = this.#matcher.read(text);
    return state === 'more' ? [] : this.#settle(this.#matcher.hit);
  }

  end(): LabelPiece[] {
    return this.#label === undefined ? this.#settle(this.#matcher.hitSoFar(true)) : [];
  }

  #settle(hit: Hit | undefined): LabelPiece[] {
    const held = this.#held;
    this.#held = '';
    this.#label = hit?.label ?? UNKNOWN_LABEL;
    return [{ kind: 'label', label: this.#label }, ...this.#body(hit ? held.slice(hit.end) : held)];
  }

  #body(text: string): LabelPiece[] {
    const body = this.#label === UNKNOWN_LABEL ? text : this.#separators.feed(text);
    return body === '' ? [] : [{ kind: 'text', text: body }];
  }
}

/** A label, and how many UTF-16 units of the input stand before what follows it. */
interface Hit {
  readonly label: string;
  readonly end: number;
}

type Phase = 'lead' | 'open' | 'before word' | 'word' | 'after word' | 'close';

/** Reads the start of a reply one character at a time and keeps a few counters, never the text. */
class LabelMatcher {
  readonly #allowed: readonly string[];
  #phase: Phase = 'lead';
  #position = 0;
  #openTicks = 0;
  #closeTicks = 0;
  #word = '';
  #hit: Hit | undefined;

  constructor(allowed: readonly string[]) {
    this.#allowed = allowed;
  }

  /** What has been found; certain once `read` has answered `decided`. */
  get hit(): Hit | undefined {
    return this.#hit;
  }

  /** `more`: the next characters decide. `decided`: they cannot change `hit` any more. */
  read(text: string): 'more' | 'decided' {
    for (let i = 0; i < text.length; i++) {
      if (!this.#push(text.charAt(i))) return 'decided';
      this.#position++;
    }
    return 'more';
  }

  /** The answer if the stream stops here. A closed wrapper counts even while it goes on. */
  hitSoFar(ended: boolean): Hit | undefined {
    const closed = this.#phase === 'close' && this.#closeTicks === this.#openTicks;
    const bare = ended && this.#phase === 'word' && this.#openTicks === 0 && this.#isLabel();
    if (closed || bare) return { label: this.#word, end: this.#position };
    return ended ? this.#hit : undefined;
  }

  /** Takes one character; false when it settles the matter. */
  #push(char: string): boolean {
    switch (this.#phase) {
      case 'lead':
        if (WHITE.test(char) || INVISIBLE.test(char)) return true;
        if (char !== '`') return this.#growWord(char);
        this.#openTicks = 1;
        this.#phase = 'open';
        return true;
      case 'open':
        if (char === '`') {
          this.#openTicks++;
          return true;
        }
        if (!WHITE.test(char)) return this.#growWord(char);
        this.#phase = 'before word';
        return true;
      case 'before word':
        return WHITE.test(char) || this.#growWord(char);
      case 'word':
        return this.#openTicks === 0
          ? this.#afterBare(char)
          : this.#growWord(char) || this.#afterWrapped(char);
      case 'after word':
        return WHITE.test(char) || this.#closeTick(char);
      case 'close':
        if (char === '`') return ++this.#closeTicks <= this.#openTicks;
        if (this.#closeTicks === this.#openTicks) this.#hit = { label: this.#word, end: this.#position };
        return false;
      default:
        return assertNever(this.#phase, 'label matcher');
    }
  }

  /** Longer labels come first: a label followed by a separator may still be the start of another one. */
  #afterBare(char: string): boolean {
    if (this.#isLabel() && SEPARATOR.test(char)) this.#hit = { label: this.#word, end: this.#position };
    return this.#growWord(char);
  }

  #afterWrapped(char: string): boolean {
    if (!this.#isLabel()) return false;
    if (!WHITE.test(char)) return this.#closeTick(char);
    this.#phase = 'after word';
    return true;
  }

  #closeTick(char: string): boolean {
    this.#phase = 'close';
    this.#closeTicks = 1;
    return char === '`';
  }

  #growWord(char: string): boolean {
    const word = this.#word + char;
    if (!this.#allowed.some((label) => label.startsWith(word))) return false;
    this.#word = word;
    this.#phase = 'word';
    return true;
  }

  #isLabel(): boolean {
    return this.#allowed.includes(this.#word);
  }
}

/**
 * Takes off what separates a label from its body: blanks, one run of marks, then white space. Marks are separators on
 * the label's own line only, so that a body may begin with a list or a rule; and a hyphen right before a digit is a
 * minus sign, because "-5" shown as "5" is a wrong answer.
 */
class Separators {
  #stage: 'blanks' | 'marks' | 'space' | 'body' = 'blanks';
  /** A hyphen whose next character has not arrived: a mark, unless a digit follows. */
  #hyphen = '';

  /** The part of the next text that belongs to the body. */
  feed(next: string): string {
    if (this.#stage === 'body') return next;
    const text = this.#hyphen + next;
    this.#hyphen = '';
    for (let i = 0; i < text.length; i++) {
      const char = text.charAt(i);
      if (this.#stage === 'blanks' && !/[ \t]/.test(char)) this.#stage = 'marks';
      if (this.#stage === 'marks' && char === '-' && i + 1 === text.length) {
        this.#hyphen = char;
        return '';
      }
      if (this.#stage === 'marks' && !/^(?:[:：–—]|-(?!\d))/.test(text.slice(i, i + 2)))
        this.#stage = 'space';
      if (this.#stage === 'space' && !/[ \t\r\n]/.test(char)) {
        this.#stage = 'body';
        return text.slice(i);
      }
    }
    return '';
  }
}
