/** A question to the person: the card that is shown, the answers that come back, and how typed text answers it. */
import type { UserId } from './ids.ts';

/** Stored as JSON in the journal before it is shown. */
export interface QuestionCard {
  readonly intro?: string;
  /** One to four. */
  readonly questions: readonly Question[];
  readonly answerers: 'asker' | 'anyone';
  /** How long the card stays open. Unit: seconds. */
  readonly expiresInS: number;
  /** What did not fit on the card (questions, options), named so that the model can be told. */
  readonly cut: readonly string[];
}

export interface Question {
  /** Unique on its card. */
  readonly id: string;
  readonly prompt: string;
  readonly header?: string;
  /** Up to eight; labels differ. Empty means that free text is the only answer. */
  readonly options: readonly QuestionOption[];
  readonly multiSelect: boolean;
  readonly allowFreeText: boolean;
  readonly placeholder?: string;
}

export interface QuestionOption {
  readonly label: string;
  readonly description?: string;
}

/** Events and journal carry a question as `unknown`, since any tool may pause; this says whether it is a card. */
export function isQuestionCard(value: unknown): value is QuestionCard {
  const { questions } = fieldsOf(value);
  return Array.isArray(questions) && questions.length > 0 && questions.every(isQuestion);
}

function isQuestion(value: unknown): boolean {
  const { id, prompt, options } = fieldsOf(value);
  return typeof id === 'string' && typeof prompt === 'string' && Array.isArray(options);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The result of the call that asked, as JSON. `at` is ISO 8601. */
export interface Answers {
  readonly answers: readonly Answer[];
  readonly by: UserId;
  readonly at: string;
}

export interface Answer {
  readonly id: string;
  /** Labels of the chosen options. */
  readonly selected: readonly string[];
  /** What was written freely; empty when nothing was. */
  readonly text: string;
  readonly status: 'answered' | 'skipped';
}

/** More than eight labels with commas between: longer text is no choice, and is not searched for one. */
const MAX_CHOICE_CHARS = 2_000;

export function skipped(question: Question): Answer {
  return { id: question.id, selected: [], text: '', status: 'skipped' };
}

/**
 * What a person types to choose an option: 1, 2, 3 …, or a, b, c … where a label is itself a number, so that "3" can
 * only mean one thing.
 */
export function optionKeys(question: Question): string[] {
  const letters = question.options.some(({ label }) => /^\d+$/.test(fold(label)));
  return question.options.map((_, at) => (letters ? String.fromCodePoint(97 + at) : String(at + 1)));
}

/**
 * How a typed reply answers one question: by label or key (any case), several separated by commas where several may be
 * chosen; else as free text where that is allowed. `undefined`: this is no answer, ask again.
 */
export function readAnswer(question: Question, text: string): Answer | undefined {
  const typed = text.trim();
  if (typed === '') return undefined;
  return (
    (typed.length <= MAX_CHOICE_CHARS ? readChoice(question, typed) : undefined) ?? freeText(question, typed)
  );
}

function readChoice(question: Question, typed: string): Answer | undefined {
  const whole = optionNamed(question, typed);
  if (whole !== undefined) return answered(question, [whole], '');

  if (question.multiSelect) {
    const parts = splitChoices(question, typed);
    const found = parts.map((part) => optionNamed(question, part));
    const chosen = [...new Set(found.filter((label) => label !== undefined))];
    const rest = parts.filter((_, at) => found[at] === undefined);
    if (chosen.length > 0 && (rest.length === 0 || question.allowFreeText)) {
      return answered(question, chosen, rest.join(', '));
    }
  }
  return undefined;
}

function freeText(question: Question, typed: string): Answer | undefined {
  return question.allowFreeText ? answered(question, [], typed) : undefined;
}

function answered(question: Question, selected: readonly string[], text: string): Answer {
  return { id: question.id, selected, text, status: 'answered' };
}

/** A label wins over a key, should a card have both; "5!" is told from "5" before closing marks are let go. */
function optionNamed(question: Question, typed: string): string | undefined {
  const keys = optionKeys(question);
  const labels = question.options.map(({ label }) => label);
  return (
    labels.find((label) => even(label) === even(typed)) ??
    labels.find((label) => fold(label) === fold(typed)) ??
    labels.find((_, at) => keys[at] === fold(typed))
  );
}

/** At commas of any script; also at spaces when every piece is a key ("1 3"). */
function splitChoices(question: Question, typed: string): string[] {
  const words = typed.split(/[\s,，、;；]+/u).filter((word) => word !== '');
  const keys = new Set(optionKeys(question));
  if (words.every((word) => keys.has(fold(word)))) return words;
  return typed
    .split(/[,，、;；\n]/u)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Case, width and inner spacing make no difference. */
function even(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

/** Nor does a closing mark: "2.", "2)", "Yes!". */
function fold(text: string): string {
  return (
    even(text)
      .replace(/[.。)!]+$/u, '')
      .trim() || even(text)
  );
}
