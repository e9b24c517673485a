/** What only the person who pressed a button is told, by their language. */

export interface ClickWords {
  readonly late: string;
  readonly notYours: string;
  readonly idle: string;
  readonly nothingGiven: string;
  readonly refused: string;
  readonly tryAgain: string;
}

const english: ClickWords = {
  late: 'This question is closed already.',
  notYours: 'This question is for somebody else.',
  idle: 'Nothing is running.',
  nothingGiven: 'Nothing was chosen or written; the question is still open.',
  refused: 'I may not answer you here.',
  tryAgain: 'That took too long. Please try again.',
};

const german: ClickWords = {
  late: 'Diese Frage ist schon geschlossen.',
  notYours: 'Diese Frage ist für jemand anderen.',
  idle: 'Es läuft nichts.',
  nothingGiven: 'Es wurde nichts gewählt oder geschrieben; die Frage ist noch offen.',
  refused: 'Ich darf dir hier nicht antworten.',
  tryAgain: 'Das hat zu lange gedauert. Bitte versuch es noch einmal.',
};

const chinese: ClickWords = {
  late: '这个问题已经关闭。',
  notYours: '这个问题是问别人的。',
  idle: '没有正在进行的回答。',
  nothingGiven: '没有选择或填写任何内容，问题仍在等待回答。',
  refused: '我不能在这里回答您。',
  tryAgain: '用时太长，请再试一次。',
};

/** `locale` is BCP 47; unknown languages get English. */
export function clickWords(locale: string | undefined): ClickWords {
  const language = locale?.toLowerCase().split(/[-_]/)[0];
  if (language === 'de') return german;
  return language === 'zh' ? chinese : english;
}

/** What a click came to, when that is worth a word: by what the store said. */
export function wordsAbout(accepted: string, words: ClickWords): string | undefined {
  switch (accepted) {
    case 'late':
      return words.late;
    case 'not_yours':
      return words.notYours;
    case 'idle':
      return words.idle;
    case 'refused_place':
    case 'refused_person':
      return words.refused;
    default:
      return undefined;
  }
}
