/** What only the person who pressed a button is told, by their language. */
import { languageOf } from '../../domain/language.ts';

export interface ClickWords {
  readonly late: string;
  readonly notYours: string;
  readonly idle: string;
  readonly nothingGiven: string;
  readonly refused: string;
  /** Said directly to who asked in a channel; `channel` is a mention of it. */
  readonly closedChannel: (channel: string) => string;
  readonly tryAgain: string;
  /** A button below an answer that is not known any more. */
  readonly forgotten: string;
  readonly notYourTurn: string;
  /** Stop and a new beginning, in a thread of others. */
  readonly notPart: string;
  readonly notNewest: string;
  readonly busy: string;
  /** The answer that a button stands below was taken away. */
  readonly gone: string;
  /** Whoever wants to ask anyway has to wait; `at` is a mark of time as Discord writes it. */
  readonly notYet: (at: string) => string;
  /** A question was edited after its answer; said in the open. */
  readonly questionChanged: string;
  readonly voted: string;
  readonly votedBad: string;
  readonly thanks: string;
  readonly inFile: string;
}

const english: ClickWords = {
  late: 'This question is closed already.',
  notYours: 'This question is for somebody else.',
  idle: 'Nothing is running.',
  nothingGiven: 'Nothing was chosen or written; the question is still open.',
  refused: 'I may not answer you here.',
  closedChannel: (channel) =>
    `You asked me in ${channel}, but I may not write there. Ask me here, or ask somebody who looks after the server to allow me Send Messages.`,
  tryAgain: 'That took too long. Please try again.',
  forgotten: 'This is too old: I do not remember it any more.',
  notYourTurn: 'Only the person who asked can do this, or somebody who looks after this channel.',
  notPart:
    'Only people who take part in this conversation can do this, or somebody who looks after this channel.',
  notNewest: 'Something newer was said since. Only the newest answer can be given anew.',
  busy: 'I am still at work here. Please wait for the end, or stop me first.',
  gone: 'This answer was taken away.',
  notYet: (at) => `The person who was asked may still answer. You can ask anyway ${at}.`,
  questionChanged: 'The question was changed after my answer.',
  voted: 'Noted, thank you.',
  votedBad: 'Noted, thank you. If you like, say what was wrong.',
  thanks: 'Thank you.',
  inFile: 'This is long, so it comes as a file.',
};

const german: ClickWords = {
  late: 'Diese Frage ist schon geschlossen.',
  notYours: 'Diese Frage ist für jemand anderen.',
  idle: 'Es läuft nichts.',
  nothingGiven: 'Es wurde nichts gewählt oder geschrieben; die Frage ist noch offen.',
  refused: 'Ich darf dir hier nicht antworten.',
  closedChannel: (channel) =>
    `Du hast mich in ${channel} gefragt, aber dort darf ich nicht schreiben. Frag mich hier, oder bitte jemanden, der sich um den Server kümmert, mir Send Messages zu erlauben.`,
  tryAgain: 'Das hat zu lange gedauert. Bitte versuch es noch einmal.',
  forgotten: 'Das ist zu lange her: Ich weiß nichts mehr davon.',
  notYourTurn: 'Das kann nur, wer gefragt hat, oder wer sich um diesen Kanal kümmert.',
  notPart: 'Das kann nur, wer an diesem Gespräch teilnimmt, oder wer sich um diesen Kanal kümmert.',
  notNewest: 'Inzwischen wurde etwas Neueres gesagt. Nur die neueste Antwort kann ich noch einmal geben.',
  busy: 'Ich arbeite hier noch. Bitte warte bis zum Ende, oder halte mich zuerst an.',
  gone: 'Diese Antwort wurde entfernt.',
  notYet: (at) => `Wer gefragt wurde, kann noch antworten. Trotzdem fragen kannst du ${at}.`,
  questionChanged: 'Die Frage wurde nach meiner Antwort geändert.',
  voted: 'Notiert, danke.',
  votedBad: 'Notiert, danke. Wenn du magst, sag, was falsch war.',
  thanks: 'Danke.',
  inFile: 'Das ist lang, deshalb kommt es als Datei.',
};

const chinese: ClickWords = {
  late: '这个问题已经关闭。',
  notYours: '这个问题是问别人的。',
  idle: '没有正在进行的回答。',
  nothingGiven: '没有选择或填写任何内容，问题仍在等待回答。',
  refused: '我不能在这里回答您。',
  closedChannel: (channel) =>
    `您在 ${channel} 向我提问，但我不能在那里发言。请在这里问我，或请服务器管理者允许我 Send Messages。`,
  tryAgain: '用时太长，请再试一次。',
  forgotten: '时间太久，我已经不记得这条回答了。',
  notYourTurn: '只有提问的人或管理此频道的人可以这样做。',
  notPart: '只有参与这段对话的人或管理此频道的人可以这样做。',
  notNewest: '之后已有新的内容。只能重新生成最新的回答。',
  busy: '我还在处理中。请等待结束，或先让我停止。',
  gone: '这条回答已被移除。',
  notYet: (at) => `被提问的人还可以回答。您可以在 ${at} 仍要提问。`,
  questionChanged: '问题在我回答之后被修改了。',
  voted: '已记录，谢谢。',
  votedBad: '已记录，谢谢。如果愿意，请说明哪里不对。',
  thanks: '谢谢。',
  inFile: '内容较长，以文件形式提供。',
};

/** `locale` is BCP 47; unknown languages get English. */
export function clickWords(locale: string | undefined): ClickWords {
  return { en: english, de: german, zh: chinese }[languageOf(locale)];
}

/** What a click came to, when that is worth a word: by what the store said. */
export function wordsAbout(accepted: string, words: ClickWords): string | undefined {
  switch (accepted) {
    case 'late':
      return words.late;
    case 'not_yours':
      return words.notYours;
    case 'gone':
      return words.gone;
    case 'not_part':
      return words.notPart;
    case 'idle':
      return words.idle;
    case 'refused_place':
    case 'refused_person':
      return words.refused;
    default:
      return undefined;
  }
}
