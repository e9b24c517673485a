/**
 * Cuts a stream of text into plain text and complete tags `<…>`. Holds back no more than the start of one tag, and only
 * while it may still become a tag that the grammar knows; so text flows, and the cuts of the stream do not matter.
 */

/** Both functions must be cheap on long input: anything past a grammar's own length limit is no tag. */
export interface TagGrammar<Tag> {
  /** Reads a text from `<` to `>` with neither sign in between; undefined when it is no tag of this grammar. */
  readonly read: (raw: string) => Tag | undefined;
  /** Could this text, from `<` on and without another sign, grow into a tag? True for every start of one. */
  readonly mayBecome: (start: string) => boolean;
}

export type TagToken<Tag> =
  | { readonly kind: 'text'; readonly raw: string }
  | { readonly kind: 'tag'; readonly raw: string; readonly tag: Tag };

export class TagStream<Tag> {
  readonly #grammar: TagGrammar<Tag>;
  #held = '';

  constructor(grammar: TagGrammar<Tag>) {
    this.#grammar = grammar;
  }

  /** The tokens that are certain now. The `raw` texts of all tokens give back the input. */
  feed(text: string): TagToken<Tag>[] {
    if (this.#held === '' && !text.includes('<')) return textToken(text);
    const input = this.#held + text;
    this.#held = '';
    const tokens: TagToken<Tag>[] = [];
    let textFrom = 0;
    for (const { 0: raw, index } of input.matchAll(/<[^<>]*>?/g)) {
      if (raw.endsWith('>')) {
        const tag = this.#grammar.read(raw);
        if (tag === undefined) continue;
        tokens.push(...textToken(input.slice(textFrom, index)), { kind: 'tag', raw, tag });
        textFrom = index + raw.length;
      } else if (index + raw.length === input.length && this.#grammar.mayBecome(raw)) {
        this.#held = raw;
        return [...tokens, ...textToken(input.slice(textFrom, index))];
      }
    }
    return [...tokens, ...textToken(input.slice(textFrom))];
  }

  /** A tag that never ended is text. */
  end(): TagToken<Tag>[] {
    const held = this.#held;
    this.#held = '';
    return textToken(held);
  }
}

function textToken(raw: string): { kind: 'text'; raw: string }[] {
  return raw === '' ? [] : [{ kind: 'text', raw }];
}
