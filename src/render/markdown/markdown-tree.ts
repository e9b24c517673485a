/**
 * Model Markdown → a tree: the dialect in which answers are cut into pages (CommonMark with tables, strikethrough, tasks and
 * bare links; no HTML, footnotes or reference links, they are text), and formulas, which are kept as they were written.
 */
import type { Literal, Root } from 'mdast';
import { fromMarkdown, type Extension as MdastExtension, type Options } from 'mdast-util-from-markdown';
import * as dialect from './dialect.ts';

/** `$…$`, `$$…$$`, `\(…\)` or `\[…\]`; `value` has its delimiters. */
export interface Maths extends Literal {
  type: 'maths';
}

declare module 'mdast' {
  interface PhrasingContentMap {
    maths: Maths;
  }
  interface RootContentMap {
    maths: Maths;
  }
}

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    maths: 'maths';
    mathsText: 'mathsText';
  }
}

export function parse(text: string): Root {
  return fromMarkdown(text, { extensions, mdastExtensions });
}

/** The types of the parser, which come from a package that is not ours to name. */
type Extension = Exclude<NonNullable<Options['extensions']>[number], readonly unknown[]>;
type Construct = Exclude<NonNullable<Extension['text']>[string], readonly unknown[] | undefined>;
type Tokenize = Construct['tokenize'];
type Code = Parameters<ReturnType<Tokenize>>[0];

/** Longer than this it is no formula; it also bounds the search for an end. Unit: characters. */
const maxMathsChars = 500;
const [dollar, openRound, closeRound, colon, openSquare, backslash, closeSquare] = [
  36, 40, 41, 58, 91, 92, 93,
];

const isLineEnd = (code: Code): boolean => code !== null && code < -2;
const isBlank = (code: Code): boolean => code !== null && (code < 0 || code === 32);
const isDigit = (code: Code): boolean => code !== null && code >= 48 && code <= 57;

/** As in Pandoc, so that "$5 and $10" is money: no blank inside the delimiters, no digit behind the closing one. */
const tokenizeDollars: Tokenize = (effects, ok, nok) => {
  let size = 0;
  let closing = 0;
  let chars = 0;
  let last: Code = null;

  return (code) => {
    effects.enter('maths');
    effects.enter('mathsText');
    return open(code);
  };

  function open(code: Code): ReturnType<typeof ok> {
    if (code === dollar && size < 2) {
      size += 1;
      effects.consume(code);
      return open;
    }
    return code === dollar || (size === 1 && isBlank(code)) ? nok(code) : inside(code);
  }

  function inside(code: Code): ReturnType<typeof ok> {
    if (code === null || chars > maxMathsChars || (size === 1 && isLineEnd(code))) return nok(code);
    if (code === dollar) {
      closing = 0;
      return close(code);
    }
    chars += 1;
    last = code;
    if (isLineEnd(code)) {
      lineEnd(effects, code);
      return nextLine;
    }
    effects.consume(code);
    return code === backslash ? escaped : inside;
  }

  function nextLine(code: Code): ReturnType<typeof ok> {
    // Not before its first character is there: a token that begins at a line end has no place.
    effects.enter('mathsText');
    return isLineEnd(code) ? nok(code) : inside(code);
  }

  function escaped(code: Code): ReturnType<typeof ok> {
    if (code !== dollar && code !== backslash) return inside(code);
    effects.consume(code);
    return inside;
  }

  function close(code: Code): ReturnType<typeof ok> {
    if (code === dollar) {
      closing += 1;
      effects.consume(code);
      return close;
    }
    const isEnd = closing === size && chars > 0 && (size === 2 || (!isBlank(last) && !isDigit(code)));
    if (!isEnd) return inside(code);
    effects.exit('mathsText');
    effects.exit('maths');
    return ok(code);
  }
};

/** `\[x\](…)` is a link that somebody escaped. */
const tokenizeBrackets: Tokenize = (effects, ok, nok) => {
  let end: Code = null;
  let chars = 0;

  return (code) => {
    effects.enter('maths');
    effects.enter('mathsText');
    effects.consume(code);
    return open;
  };

  function open(code: Code): ReturnType<typeof ok> {
    if (code !== openRound && code !== openSquare) return nok(code);
    end = code === openRound ? closeRound : closeSquare;
    effects.consume(code);
    return inside;
  }

  function inside(code: Code): ReturnType<typeof ok> {
    if (code === null || chars > maxMathsChars) return nok(code);
    chars += 1;
    if (isLineEnd(code)) {
      lineEnd(effects, code);
      return nextLine;
    }
    effects.consume(code);
    return code === backslash ? afterBackslash : inside;
  }

  function nextLine(code: Code): ReturnType<typeof ok> {
    effects.enter('mathsText');
    return isLineEnd(code) ? nok(code) : inside(code);
  }

  function afterBackslash(code: Code): ReturnType<typeof ok> {
    if (code !== end) {
      if (code !== backslash) return inside(code);
      effects.consume(code);
      return inside;
    }
    effects.consume(code);
    effects.exit('mathsText');
    effects.exit('maths');
    return behind;
  }

  function behind(code: Code): ReturnType<typeof ok> {
    const isEscapedLink =
      end === closeSquare && (code === openRound || code === openSquare || code === colon);
    return isEscapedLink || chars < 2 ? nok(code) : ok(code);
  }
};

/** The text goes on with `nextLine`. */
function lineEnd(effects: Parameters<Tokenize>[0], code: Code): void {
  effects.exit('mathsText');
  effects.enter('lineEnding');
  effects.consume(code);
  effects.exit('lineEnding');
}

const mathsSyntax: Extension = {
  text: {
    [dollar]: {
      name: 'maths',
      tokenize: tokenizeDollars,
      previous: (code) => code !== dollar,
    },
    [backslash]: { name: 'maths', tokenize: tokenizeBrackets },
  },
};

const mathsNodes: MdastExtension = {
  enter: {
    maths(token) {
      this.enter({ type: 'maths', value: '' }, token);
    },
  },
  exit: {
    maths(token) {
      this.exit(token);
    },
    mathsText(token) {
      const node = this.stack.at(-1);
      if (node?.type !== 'maths') return;
      node.value += (node.value === '' ? '' : '\n') + this.sliceSerialize(token);
    },
  },
};

const extensions: Extension[] = [...dialect.extensions, mathsSyntax];
const mdastExtensions = [...dialect.mdastExtensions, mathsNodes];
