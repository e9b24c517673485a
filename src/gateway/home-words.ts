/** Words on the page of its own that a platform gives the bot, and beside lists of conversations. */
import { languageOf } from '../domain/language.ts';

export interface HomeWords {
  readonly title: string;
  readonly open: string;
  readonly nothingOpen: string;
  readonly waits: string;
  readonly works: string;
  readonly reminders: string;
  readonly memory: string;
  readonly settings: string;
  readonly whichStop: string;
  readonly whichNew: string;
  readonly beginAnew: string;
  /** What may be asked for a start; each is sent as it stands. */
  readonly prompts: readonly string[];
  readonly promptsTitle: string;
}

const english: HomeWords = {
  title: 'Docent, your tutor',
  open: 'Open with you',
  nothingOpen: 'Nothing: no question waits for you, and I am not at work on one of yours.',
  waits: '❓ A question waits for you',
  works: '⏳ I am at work',
  reminders: 'Reminders',
  memory: 'What I remember about you',
  settings: 'Settings',
  whichStop: 'Which of these shall I stop?',
  whichNew: 'Which of these shall begin anew? In a channel every question begins anew anyway.',
  beginAnew: 'Begin anew',
  prompts: [
    'Explain something to me step by step',
    'Quiz me on a topic',
    'Check my solution',
    'Remind me to revise tomorrow',
  ],
  promptsTitle: 'What shall we do?',
};

const german: HomeWords = {
  title: 'Docent, dein Tutor',
  open: 'Offen bei dir',
  nothingOpen: 'Nichts: Keine Frage wartet auf dich, und ich arbeite an keiner von deinen.',
  waits: '❓ Eine Frage wartet auf dich',
  works: '⏳ Ich arbeite daran',
  reminders: 'Erinnerungen',
  memory: 'Was ich mir über dich merke',
  settings: 'Einstellungen',
  whichStop: 'Was davon soll ich anhalten?',
  whichNew: 'Was davon soll neu anfangen? In einem Kanal fängt jede Frage ohnehin neu an.',
  beginAnew: 'Neu anfangen',
  prompts: [
    'Erkläre mir etwas Schritt für Schritt',
    'Frag mich zu einem Thema ab',
    'Prüfe meine Lösung',
    'Erinnere mich morgen ans Wiederholen',
  ],
  promptsTitle: 'Was machen wir?',
};

const chinese: HomeWords = {
  title: 'Docent，你的导师',
  open: '与你有关的进行中事项',
  nothingOpen: '没有：没有问题在等你回答，我也没有在处理你的问题。',
  waits: '❓ 有一个问题在等你回答',
  works: '⏳ 我正在处理',
  reminders: '提醒',
  memory: '我记住的关于你的事',
  settings: '设置',
  whichStop: '要停止哪一个？',
  whichNew: '哪一个要重新开始？在频道里，每个问题本来就是新的开始。',
  beginAnew: '重新开始',
  prompts: ['一步一步给我讲解', '就一个主题考考我', '检查我的解答', '明天提醒我复习'],
  promptsTitle: '我们做什么？',
};

/** `locale` is BCP 47; unknown languages get English. */
export function homeWords(locale: string | undefined): HomeWords {
  return { en: english, de: german, zh: chinese }[languageOf(locale)];
}
