/** What the scripted model service answers, and short ways to write it. */

export interface Reply {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly CallReply[];
  /** Default: `tool_calls` when there are calls, else `stop`. `null`: none is sent. */
  readonly finish?: string | null;
  /** Default: counted from the lengths. Sent only when the request asked for it. */
  readonly usage?: { readonly prompt: number; readonly completion: number } | false;
  /** Cuts the text into deltas. Default: pieces of 12 characters. */
  readonly chunk?: (text: string) => readonly string[];
  /** Wait between two deltas. Unit: milliseconds, real ones. */
  readonly delayMs?: number;
  /**
   * The socket is closed without an end: before anything was sent, inside the first line of the text (the label), or
   * after the first line and half of the rest.
   */
  readonly cut?: 'before' | 'inside' | 'after';
  /** After what is scripted nothing more comes, or only comments; the socket stays open. */
  readonly hang?: 'silent' | 'keepalive';
  /** `false`: the response ends without `[DONE]`. `linger`: the socket stays open after it. */
  readonly done?: boolean | 'linger';
  /** `[DONE]` and the end of the body wait for this. Default: nothing. */
  readonly doneAfter?: Promise<void>;
  /** A plain HTTP answer: an error, a page … */
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly html?: true;
  /** Exactly these pieces as the body of a stream, one write each. */
  readonly raw?: readonly (string | Uint8Array)[];
}

export interface CallReply {
  readonly name: string;
  /** A text is sent as it is, anything else as JSON. */
  readonly args?: unknown;
  /** Default: a fresh one. `null`: none is sent. */
  readonly id?: string | null;
  /** Default: its place among the calls. `'none'`: the field is left out. */
  readonly index?: number | null | 'none';
  /** How many pieces the arguments come in. Default: 2. */
  readonly pieces?: number;
}

/** A request as it arrived, already found valid. */
export interface ReceivedRequest {
  readonly model: string;
  readonly messages: readonly ReceivedMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly tool_choice?: unknown;
  readonly [parameter: string]: unknown;
}

export interface ReceivedMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
  readonly [field: string]: unknown;
}

/** Replies in order, or a function of the request and its number (0 is the first). */
export type Script = readonly Reply[] | ((request: ReceivedRequest, n: number) => Reply | Promise<Reply>);

/** A labelled reply: the label in double backticks on a line of its own, then the text. */
export function say(label: string, text: string, more: Reply = {}): Reply {
  return { text: `\`\`${label}\`\`\n${text}`, ...more };
}

/** A reply under the tool label with one call. */
export function call(name: string, args: unknown = {}, more: Reply = {}): Reply {
  return calls([{ name, args }], more);
}

/** A reply under the tool label with several calls. */
export function calls(list: readonly CallReply[], more: Reply = {}): Reply {
  return { text: '``TOOL``\n', calls: list, ...more };
}
