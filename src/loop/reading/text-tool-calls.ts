/**
 * Takes tool calls that a model writes as markup out of its text:
 * `<invoke name="search"><parameter name="query">tides</parameter></invoke>`, however it is decorated (DSML).
 *
 * Text before, between and after calls flows at once. What is only quoted — in code, as a tool that does not exist, as
 * a call that never closes — stays text and is never run.
 */
import { type CallTag, callTags } from './call-tags.ts';
import { CodeRegions } from './code-regions.ts';
import { TagStream, type TagToken } from './tag-stream.ts';
import { argumentJson, type DeclaredTypes, isJsonObject } from './text-tool-values.ts';

export { type DeclaredTypes, declaredTypes } from './text-tool-values.ts';

export interface TextToolCallsOptions {
  /** Calls of other tools stay text. Absent: every name is a tool. */
  readonly knownTools?: ReadonlySet<string>;
}

/** `args` is the text of a JSON object. */
export interface TextToolCall {
  readonly name: string;
  readonly args: string;
}

type Token = TagToken<CallTag>;

/** A call whose closing tag has not come. */
interface OpenCall {
  readonly name: string;
  /** Everything since the opening tag and with it: the way back when the call turns out to be text. */
  readonly tokens: Token[];
  /** Values as JSON text. */
  readonly args: Map<string, string>;
  parameter: { readonly name: string; readonly isText: boolean; readonly parts: string[] } | undefined;
}

export class TextToolCalls {
  readonly #types: DeclaredTypes;
  readonly #knownTools: ReadonlySet<string> | undefined;
  readonly #tags = new TagStream(callTags);
  readonly #code = new CodeRegions();
  readonly #calls: TextToolCall[] = [];
  #open: OpenCall | undefined;
  #visible = '';
  /**
   * Text from the first wrapper tag on while no call has come: with the wrapper tags, which stay if none ever does,
   * and without them.
   */
  #undecided: { whole: string; clean: string } | undefined;

  constructor(types: DeclaredTypes, options: TextToolCallsOptions = {}) {
    this.#types = types;
    this.#knownTools = options.knownTools;
  }

  /** Returns the visible text that is certain now. */
  feed(text: string): string {
    for (const token of this.#tags.feed(text)) this.#take(token);
    return this.#release();
  }

  /** The text still held, and all calls in the order of their closing tags. */
  end(): { text: string; calls: TextToolCall[] } {
    for (const token of this.#tags.end()) this.#take(token);
    this.#giveUpCall();
    this.#visible += this.#undecided?.whole ?? '';
    this.#undecided = undefined;
    return { text: this.#release(), calls: [...this.#calls] };
  }

  #release(): string {
    const text = this.#visible;
    this.#visible = '';
    return text;
  }

  #take(token: Token): void {
    if (this.#open !== undefined) this.#takeInCall(this.#open, token);
    else if (
      token.kind === 'tag' &&
      startsCall(token.tag) &&
      this.#isTool(token.tag) &&
      !this.#code.isCode()
    ) {
      this.#open = { name: token.tag.name, tokens: [token], args: new Map(), parameter: undefined };
    } else this.#takeAsText(token);
  }

  #isTool({ name }: CallTag): boolean {
    return this.#knownTools?.has(name) ?? true;
  }

  #takeAsText(token: Token): void {
    const isWrapper = token.kind === 'tag' && token.tag.word === 'wrapper' && !this.#code.isCode();
    if (isWrapper && this.#calls.length > 0) return;
    if (isWrapper) {
      this.#undecided ??= { whole: '', clean: '' };
      this.#undecided.whole += token.raw;
      return;
    }
    this.#code.advance(token.raw);
    if (this.#undecided === undefined) this.#visible += token.raw;
    else {
      this.#undecided.whole += token.raw;
      this.#undecided.clean += token.raw;
    }
  }

  #takeInCall(call: OpenCall, token: Token): void {
    const tag = token.kind === 'tag' ? token.tag : undefined;
    // A call inside a value is quoted; anywhere else it shows that the open one was never closed.
    if (tag !== undefined && startsCall(tag) && call.parameter === undefined) {
      this.#giveUpCall();
      this.#take(token);
      return;
    }
    call.tokens.push(token);
    if (tag?.word === 'invoke' && tag.closes) this.#finish(call);
    else if (tag?.word === 'parameter' && tag.closes) this.#finishParameter(call);
    else if (call.parameter !== undefined) call.parameter.parts.push(token.raw);
    else if (tag?.word === 'parameter' && tag.name !== '') {
      call.parameter = { name: tag.name, isText: tag.isText, parts: [] };
    }
  }

  #finishParameter(call: OpenCall): void {
    if (call.parameter === undefined) return;
    const { name, isText, parts } = call.parameter;
    const types = this.#types.get(call.name)?.get(name) ?? [];
    call.args.set(name, argumentJson(parts.join(''), types, isText));
    call.parameter = undefined;
  }

  #finish(call: OpenCall): void {
    this.#open = undefined;
    this.#calls.push({ name: call.name, args: argumentsOf(call) });
    this.#visible += this.#undecided?.clean ?? '';
    this.#undecided = undefined;
  }

  /** The open call is text after all. It holds no closed call, else it would have ended there. */
  #giveUpCall(): void {
    const tokens = this.#open?.tokens ?? [];
    this.#open = undefined;
    for (const token of tokens) this.#takeAsText(token);
  }
}

function startsCall(tag: CallTag): boolean {
  return tag.word === 'invoke' && !tag.closes && tag.name !== '';
}

/**
 * The arguments as JSON text. Without parameters the body may be one JSON object; a broken one is passed on, so that
 * the call is refused instead of run with no arguments.
 */
function argumentsOf({ args, tokens }: OpenCall): string {
  if (args.size > 0) {
    return `{${[...args].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
  }
  const body = tokens
    .slice(1, -1)
    .map((token) => token.raw)
    .join('')
    .trim();
  return isJsonObject(body) || body.startsWith('{') ? body : '{}';
}
