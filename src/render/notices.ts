/** The bot's own words, one table per language. The model answers in the person's language; these follow the locale. */

export interface Words {
  readonly working: string;
  readonly restInFile: string;
  readonly stopped: string;
  readonly interrupted: string;
  readonly blocked: string;
  readonly notAnswered: string;
  /** A day after a question was asked. */
  readonly stillOpen: string;
  readonly closed: string;
  readonly failed: string;
  readonly tryAgain: string;
  readonly onlyAsker: (name: string) => string;
  readonly chooseOption: string;
  readonly tooMany: (freeAt: string) => string;
  readonly unreadable: string;
  readonly givenUp: string;
  /** An answer that cannot be given anew. */
  readonly notAgain: string;
}

const english: Words = {
  working: '…',
  restInFile: 'The rest of this answer is in the attached file.',
  stopped: '⏹ Stopped.',
  interrupted: '✗ Interrupted: this answer is not complete. Ask again, or say "go on".',
  blocked: 'This was not let through:',
  notAnswered: 'Not answered. Ask again any time.',
  stillOpen: 'My question above is still open. You can answer it any time.',
  closed: 'Closed.',
  failed: 'Something went wrong on my side.',
  tryAgain: 'Try again.',
  onlyAsker: (name) => `I am waiting for ${name} to answer first.`,
  chooseOption: 'Please choose one of the options.',
  tooMany: (freeAt) => `That was a lot of messages at once. I can answer again at ${freeAt}.`,
  unreadable:
    'This conversation was written by another version and cannot be continued here. Please start a new one.',
  givenUp: '✗ I was interrupted at the same place again and stopped trying. Please ask again.',
  notAgain:
    'I do not repeat this one: something newer was said, or something was done on the way that should not be done twice.',
};

const german: Words = {
  working: '…',
  restInFile: 'Der Rest dieser Antwort steht in der angehängten Datei.',
  stopped: '⏹ Angehalten.',
  interrupted:
    '✗ Unterbrochen: Diese Antwort ist nicht vollständig. Frag noch einmal, oder schreib „weiter“.',
  blocked: 'Das wurde nicht durchgelassen:',
  notAnswered: 'Nicht beantwortet. Frag jederzeit wieder.',
  stillOpen: 'Meine Frage oben ist noch offen. Du kannst sie jederzeit beantworten.',
  closed: 'Geschlossen.',
  failed: 'Bei mir ist etwas schiefgegangen.',
  tryAgain: 'Versuch es noch einmal.',
  onlyAsker: (name) => `Ich warte erst auf die Antwort von ${name}.`,
  chooseOption: 'Bitte wähle eine der Möglichkeiten.',
  tooMany: (freeAt) => `Das waren viele Nachrichten auf einmal. Ab ${freeAt} kann ich wieder antworten.`,
  unreadable:
    'Dieses Gespräch stammt von einer anderen Version und kann hier nicht weitergehen. Bitte beginne ein neues.',
  givenUp:
    '✗ Ich wurde wieder an derselben Stelle unterbrochen und versuche es nicht weiter. Bitte frag noch einmal.',
  notAgain:
    'Das wiederhole ich nicht: Inzwischen wurde etwas anderes gesagt, oder unterwegs geschah etwas, das nicht zweimal geschehen soll.',
};

const chinese: Words = {
  working: '…',
  restInFile: '回答的其余部分在附件中。',
  stopped: '⏹ 已停止。',
  interrupted: '✗ 已中断：这个回答不完整。请再问一次，或者说“继续”。',
  blocked: '未被允许：',
  notAnswered: '没有收到回答。随时可以再问。',
  stillOpen: '上面的问题还没有回答，您随时可以回答。',
  closed: '已关闭。',
  failed: '我这边出错了。',
  tryAgain: '请再试一次。',
  onlyAsker: (name) => `我先等 ${name} 的回答。`,
  chooseOption: '请从选项中选择。',
  tooMany: (freeAt) => `消息太多了，我可以在 ${freeAt} 再回答。`,
  unreadable: '这段对话来自另一个版本，无法在这里继续。请开始新的对话。',
  givenUp: '✗ 我在同一个地方再次被中断，不再重试。请再问一次。',
  notAgain: '这个回答不能重来：后面已经说了别的，或者过程中做过不该做两次的事。',
};

/** `locale` is BCP 47; unknown languages get English. */
export function wordsFor(locale: string | undefined): Words {
  const language = locale?.toLowerCase().split(/[-_]/)[0];
  if (language === 'de') return german;
  return language === 'zh' ? chinese : english;
}
