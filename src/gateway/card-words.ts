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
}

const english: CardWords = {
  other: 'Other…',
  answer: 'Answer…',
  chooseSeveral: 'Choose…',
  chooseOne: 'Choose one',
  ownWords: 'In your own words',
};

const german: CardWords = {
  other: 'Etwas anderes …',
  answer: 'Antworten …',
  chooseSeveral: 'Auswählen …',
  chooseOne: 'Wähle eine Möglichkeit',
  ownWords: 'In eigenen Worten',
};

const chinese: CardWords = {
  other: '其他…',
  answer: '回答…',
  chooseSeveral: '选择…',
  chooseOne: '请选择一项',
  ownWords: '用自己的话回答',
};

/** `locale` is BCP 47; unknown languages get English. */
export function cardWords(locale: string | undefined): CardWords {
  return { en: english, de: german, zh: chinese }[languageOf(locale)];
}
