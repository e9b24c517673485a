/** Words on the buttons of answers and traces, by the person's language. */
import { languageOf } from '../domain/language.ts';

export interface ButtonWords {
  readonly stop: string;
  /** Of a question that was changed after its answer. */
  readonly changed: string;
  /** Below the line that says whom a question waits for. */
  readonly askAnyway: string;
  /** Of an answer. */
  readonly again: string;
  /** Of an answer that failed. */
  readonly retry: string;
  readonly thinking: string;
  /** Above the whole of it. */
  readonly thinkingTitle: string;
  /** Of an answer: what it rests on. */
  readonly sources: string;
  /** After a bad vote. */
  readonly why: string;
  readonly whyTitle: string;
}

const english: ButtonWords = {
  stop: 'Stop',
  changed: 'Answer again',
  askAnyway: 'Ask anyway',
  again: 'Regenerate',
  retry: 'Retry',
  thinking: 'Show thinking',
  thinkingTitle: 'Thinking',
  sources: 'Sources',
  why: 'Say why…',
  whyTitle: 'What was wrong?',
};

const german: ButtonWords = {
  stop: 'Stopp',
  changed: 'Noch einmal antworten',
  askAnyway: 'Trotzdem fragen',
  again: 'Neu antworten',
  retry: 'Noch einmal',
  thinking: 'Gedanken zeigen',
  thinkingTitle: 'Gedanken',
  sources: 'Quellen',
  why: 'Grund nennen …',
  whyTitle: 'Was war falsch?',
};

const chinese: ButtonWords = {
  stop: '停止',
  changed: '重新回答',
  askAnyway: '仍要提问',
  again: '重新回答',
  retry: '重试',
  thinking: '查看思考过程',
  thinkingTitle: '思考过程',
  sources: '来源',
  why: '说明原因…',
  whyTitle: '哪里不对？',
};

/** `locale` is BCP 47; unknown languages get English. */
export function buttonWords(locale: string | undefined): ButtonWords {
  return { en: english, de: german, zh: chinese }[languageOf(locale)];
}
