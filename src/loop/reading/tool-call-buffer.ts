/**
 * Joins the streamed fragments of native tool calls. Providers differ in all of this: they repeat ids or names in every
 * fragment, leave out the index or use one for several calls, and send a name in pieces or not at all.
 */

export interface CallFragment {
  readonly index?: number | null | undefined;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly args?: string | undefined;
}

/** `id` and `name` are empty when the provider sent none. */
export interface JoinedCall {
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

export class ToolCallBuffer {
  /** In order of first appearance. */
  readonly #drafts: CallDraft[] = [];
  /** The call last written to at each index. */
  readonly #byIndex = new Map<number, CallDraft>();
  /** The call last written to under each id, at each index and anywhere. */
  readonly #byId = new Map<string, CallDraft>();
  /** The call that the last fragment belonged to. */
  #last: CallDraft | undefined;

  /** Costs no more than the length of the fragment. */
  add(fragment: CallFragment): void {
    const { index, id, name, args } = fragment;
    if (!id && !name && !args) return;
    const known = this.#find(fragment);
    const draft = known === undefined || known.isFollowedBy(fragment) ? this.#begin() : known;
    draft.add(fragment);
    if (typeof index === 'number') {
      draft.index ??= index;
      this.#byIndex.set(index, draft);
    }
    if (id) this.#byId.set(idKey(index, id), draft).set(idKey(null, id), draft);
    this.#last = draft;
  }

  /** The calls by index; one without an index stays behind the call that began before it. */
  calls(): JoinedCall[] {
    const placed: { draft: CallDraft; place: number }[] = [];
    for (const draft of this.#drafts) {
      placed.push({ draft, place: draft.index ?? placed.at(-1)?.place ?? -1 });
    }
    return placed
      .toSorted((a, b) => a.place - b.place)
      .map(({ draft: { id, name, args } }) => ({ id, name, args }));
  }

  #begin(): CallDraft {
    const draft = new CallDraft();
    this.#drafts.push(draft);
    return draft;
  }

  /** The call that a fragment continues, unless that call turns out to be complete. */
  #find({ index, id, name }: CallFragment): CallDraft | undefined {
    const sameId = id ? (this.#byId.get(idKey(index, id)) ?? this.#byId.get(idKey(null, id))) : undefined;
    if (typeof index !== 'number') return sameId ?? this.#last;
    // One id at two indexes is two calls: some services repeat an id in one response.
    if (sameId !== undefined && (sameId.index ?? index) === index) return sameId;
    // The first fragments had no index, this one has, and nothing that could begin a call.
    const unplaced = this.#last?.index === undefined && !id && !name ? this.#last : undefined;
    return this.#byIndex.get(index) ?? unplaced;
  }
}

function idKey(index: number | null | undefined, id: string): string {
  return `${index ?? ''} ${id}`;
}

/** One call while it arrives. */
class CallDraft {
  index: number | undefined;
  id = '';
  args = '';
  #argsHaveBegun = false;
  readonly #nameParts: string[] = [];
  readonly #json = new JsonDepth();

  /** A name in pieces is joined; one that was sent again and again is taken once. */
  get name(): string {
    const [first = ''] = this.#nameParts;
    return this.#nameParts.every((part) => part === first) ? first : this.#nameParts.join('');
  }

  /** Does the fragment begin another call, although it was sent to the same place? */
  isFollowedBy({ id, name, args }: CallFragment): boolean {
    if (id && this.id !== '' && id !== this.id) return true;
    if (!name) return false;
    const isNamed = this.#nameParts.length > 0;
    // Before the arguments another name is the next piece, unless a first id comes with it.
    if (!this.#argsHaveBegun) return isNamed && Boolean(id) && this.id === '' && name !== this.name;
    if (this.#json.isComplete && args?.trim()) return true;
    return isNamed && name !== this.name;
  }

  add({ id, name, args }: CallFragment): void {
    if (this.id === '' && id) this.id = id;
    // Once arguments have begun, a name is a repetition.
    if (name && (!this.#argsHaveBegun || this.#nameParts.length === 0)) this.#nameParts.push(name);
    if (!args) return;
    this.args += args;
    this.#argsHaveBegun ||= args.trim() !== '';
    this.#json.read(args);
  }
}

/** Follows the brackets of a JSON text that arrives in pieces. */
class JsonDepth {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #begun = false;

  /** An object or a list has been opened and closed again. */
  get isComplete(): boolean {
    return this.#begun && this.#depth === 0;
  }

  read(text: string): void {
    for (const char of text) {
      if (this.#escaped) this.#escaped = false;
      else if (char === '\\') this.#escaped = this.#inString;
      else if (char === '"') this.#inString = !this.#inString;
      else if (this.#inString) continue;
      else if (char === '{' || char === '[') {
        this.#depth++;
        this.#begun = true;
      } else if (char === '}' || char === ']') this.#depth--;
    }
  }
}
