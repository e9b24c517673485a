/** Words on the buttons and forms of a question, by the person's language. */
import { languageOf } from '../domain/language.ts';

export interface CardWords {
  /** Opens a form for an answer of one's own. */
  readonly other: string;
  /** Opens the form of a question without options, or of several questions. */
  readonly answer: string;
  /** Opens the form in which several options can be chosen. */
  readonly chooseSeveral: string;
  readonly chooseOne: string;
  readonly ownWords: string;
  /** Below a form. */
  readonly send: string;
  readonly cancel: string;
}

const english: CardWords = {
  other: 'Other…',
  answer: 'Answer…',
  chooseSeveral: 'Choose…',
  chooseOne: 'Choose one',
  ownWords: 'In your own words',
  send: 'Send',
  cancel: 'Cancel',
};

const german: CardWords = {
  other: 'Etwas anderes …',
  answer: 'Antworten …',
  chooseSeveral: 'Auswählen …',
  chooseOne: 'Wähle eine Möglichkeit',
  ownWords: 'In eigenen Worten',
  send: 'Senden',
  cancel: 'Abbrechen',
};

const chinese: CardWords = {
  other: '其他…',
  answer: '回答…',
  chooseSeveral: '选择…',
  chooseOne: '请选择一项',
  ownWords: '用自己的话回答',
  send: '发送',
  cancel: '取消',
};

/** `locale` is BCP 47; unknown languages get English. */
export function cardWords(locale: string | undefined): CardWords {
  return { en: english, de: german, zh: chinese }[languageOf(locale)];
}
