/**
 * Splits a stream with inline `<think>` or `<thinking>` blocks into what a reader sees and what the model thinks.
 * Either closer ends either opener, a block that never closes stays thinking, a closer without an opener is dropped.
 */
import { codePointsExceed } from './code-points.ts';
import { TagStream, type TagToken } from './tag-stream.ts';

/** `raw` is the piece with the markup of its tags, which `text` leaves out; all `raw` joined give back the input. */
export interface ThinkPiece {
  readonly kind: 'visible' | 'thinking';
  readonly text: string;
  readonly raw: string;
}

/** A longer tag is text, however the stream is cut. Unit: code points. */
const MAX_TAG = 200;

// Letters are spelled out because the flags `iu` together would also take U+212A for a k.
const NAME = '[tT][hH][iI][nN][kK](?:[iI][nN][gG])?';
const TAG = new RegExp(
  `^<\\p{White_Space}*(?:(/)\\p{White_Space}*${NAME}\\p{White_Space}*|${NAME}(\\p{White_Space}[^<>]*|/\\p{White_Space}*)?)>$`,
  'u',
);
const STARTED = new RegExp(
  `^<\\p{White_Space}*(?:/\\p{White_Space}*${NAME}\\p{White_Space}*|${NAME}(?:\\p{White_Space}[^<>]*|/\\p{White_Space}*)?)$`,
  'u',
);
const NAME_STARTED = /^<\p{White_Space}*(?:\/\p{White_Space}*)?([a-zA-Z]*)$/u;

type ThinkTag = 'open' | 'close' | 'empty';

export class ThinkFilter {
  readonly #tags = new TagStream<ThinkTag>({ read: readTag, mayBecome });
  #inBlock = false;

  /** The pieces that are certain now; holds back at most the start of a tag. */
  feed(text: string): ThinkPiece[] {
    return this.#tags.feed(text).map((token) => this.#piece(token));
  }

  /** The start of a tag that never ended is text of the part it stands in. */
  end(): ThinkPiece[] {
    return this.#tags.end().map((token) => this.#piece(token));
  }

  #piece(token: TagToken<ThinkTag>): ThinkPiece {
    const { raw } = token;
    if (token.kind === 'text' || (this.#inBlock && token.tag !== 'close')) {
      return { kind: this.#inBlock ? 'thinking' : 'visible', text: raw, raw };
    }
    const wasInBlock = this.#inBlock;
    this.#inBlock = token.tag === 'open';
    return { kind: wasInBlock || this.#inBlock ? 'thinking' : 'visible', text: '', raw };
  }
}

/** What a reader sees of a complete text. Nothing is trimmed. */
export function stripThinking(text: string): string {
  const filter = new ThinkFilter();
  return [...filter.feed(text), ...filter.end()]
    .filter((piece) => piece.kind === 'visible')
    .map((piece) => piece.text)
    .join('');
}

function readTag(raw: string): ThinkTag | undefined {
  if (codePointsExceed(raw, MAX_TAG)) return undefined;
  const match = TAG.exec(raw);
  if (match === null) return undefined;
  if (match[1] !== undefined) return 'close';
  return match[2]?.trimEnd().endsWith('/') ? 'empty' : 'open';
}

function mayBecome(start: string): boolean {
  if (codePointsExceed(start, MAX_TAG - 1)) return false;
  const name = NAME_STARTED.exec(start)?.[1];
  return name === undefined ? STARTED.test(start) : 'thinking'.startsWith(name.toLowerCase());
}
