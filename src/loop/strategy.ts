/** A strategy decides what a response means. The loop switches on its verdict and on nothing else. */
import type { Fate } from '../domain/journal.ts';
import type { Usage } from '../domain/turn.ts';
import type { FinishReason } from '../ports/model.ts';

export interface Strategy {
  readonly name: 'label' | 'native';
  /** What the system prompt must say about the form of a reply; empty when nothing. */
  prompt(): string;
  /** A reader for one response. Text goes to `to` as soon as it is known where it belongs. */
  reader(mode: ReadMode, to: ReplySinks): ReplyReader;
  judge(reply: Reply, mode: ReadMode): Verdict;
  /** The journaled form of an answer that the loop closed or made up. */
  write(answer: string): string;
  /** The label of a journaled response; '' when it has none. */
  labelIn(content: string): string;
  /** The final text in a journaled response, or '' when it holds none. */
  answerIn(content: string): string;
  /** A journaled response as this strategy wants to see it in the history, whichever strategy wrote it. */
  readonly replay: (content: string, fate: Fate | undefined, hasCalls: boolean) => string;
}

/**
 * `step`: an ordinary response. `continuation`: goes on with an answer that was cut; `label` is the one it had.
 * `closing`: the last call of a turn, whose text is the answer whatever it looks like.
 */
export type ReadMode =
  | { readonly kind: 'step' }
  | { readonly kind: 'continuation'; readonly label: string }
  | { readonly kind: 'closing' };

export interface ReplySinks {
  /** Text that a person reads as the answer. */
  answer(text: string): void;
  thinking(text: string): void;
  /** The label was recognised; it comes before the text it governs. */
  label(label: string): void;
}

/** Takes visible text: think tags and call markup are already out. */
export interface ReplyReader {
  feed(text: string): void;
  end(): void;
}

/** A finished response. */
export interface Reply {
  /** Visible text, label included. */
  readonly text: string;
  /** The form that is journaled: label on a line of its own, think blocks kept, call markup gone. */
  readonly content: string;
  readonly reasoning: string;
  /** The model that wrote it, when the adapter says that it was another one. */
  readonly reasoningBy: string | undefined;
  readonly calls: readonly RawCall[];
  /** `cut`: the stream ended or went silent without a finish reason. Never a complete response. */
  readonly stop: FinishReason | 'cut';
  readonly usage: Usage;
}

/** A call as the provider sent it: the id may be missing or repeated, the name may be empty. */
export interface RawCall {
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

export type Verdict =
  | { readonly kind: 'finish'; readonly text: string; readonly label?: string }
  | { readonly kind: 'tools' }
  /** Kept as context; `shown` when a person reads it as part of the answer. */
  | { readonly kind: 'keep'; readonly text: string; readonly shown: boolean; readonly label: string }
  /** The output limit or the connection cut it off; the next response goes on. */
  | { readonly kind: 'continue' }
  | { readonly kind: 'nudge' }
  | { readonly kind: 'repair'; readonly problem: string };
