/** The commands people find behind "/" and in the menu of a message, in their language. */
import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  type APIApplicationCommandOptionChoice,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  InteractionContextType,
  type RESTPostAPIApplicationCommandsJSONBody,
} from 'discord.js';
import type { CommandName } from '../../domain/command.ts';
import { languageOf } from '../../domain/language.ts';
import { answerStyles } from '../../domain/person.ts';

/** English, German, Chinese. */
type Texts = readonly [en: string, de: string, zh: string];

const everywhere = [InteractionContextType.Guild, InteractionContextType.BotDM];
/** Longest text in a command. Unit: characters. Source: Discord's reference of command options. */
const maxTextChars = 6_000;
/** A choice that is taken back: the answer is in the language of the question, the zone that of the deployment. */
export const unset = 'auto';

/** What each is called; of a subcommand both words. */
const names: Readonly<Record<CommandName, Texts>> = {
  ask: ['ask', 'frag', '提问'],
  next: ['next', 'danach', '接着'],
  stop: ['stop', 'stopp', '停止'],
  new: ['new', 'neu', '重新开始'],
  remind: ['remind', 'erinnere', '提醒我'],
  reminders: ['reminders', 'erinnerungen', '提醒'],
  'memory list': ['memory list', 'gedächtnis liste', '记忆 列表'],
  'memory forget': ['memory forget', 'gedächtnis vergiss', '记忆 忘记'],
  settings: ['settings', 'einstellungen', '设置'],
  link: ['link', 'verbinden', '关联'],
  unlink: ['unlink', 'trennen', '取消关联'],
  help: ['help', 'hilfe', '帮助'],
  explain: ['Explain this', 'Erkläre das', '解释这条消息'],
};

/** A command as it stands in a text for people. `locale` is BCP 47; unknown languages get English. */
export function commandIn(locale: string | undefined, name: CommandName): string {
  const called = names[name][{ en: 0, de: 1, zh: 2 }[languageOf(locale)]];
  return name === 'explain' ? `**${called}**` : `\`/${called}\``;
}

const question = text(
  ['question', 'frage', '问题'],
  ['What you want to know', 'Was du wissen möchtest', '你想知道什么'],
);

/** With the names that these languages have for themselves. */
const languages = [
  ['en', 'English'],
  ['de', 'Deutsch'],
  ['zh-CN', '简体中文'],
  ['zh-TW', '繁體中文'],
  ['fr', 'Français'],
  ['es', 'Español'],
  ['pt-BR', 'Português do Brasil'],
  ['it', 'Italiano'],
  ['nl', 'Nederlands'],
  ['pl', 'Polski'],
  ['sv', 'Svenska'],
  ['ru', 'Русский'],
  ['uk', 'Українська'],
  ['tr', 'Türkçe'],
  ['ar', 'العربية'],
  ['hi', 'हिन्दी'],
  ['ja', '日本語'],
  ['ko', '한국어'],
  ['vi', 'Tiếng Việt'],
  ['id', 'Bahasa Indonesia'],
] as const;

const styleTexts: Readonly<Record<(typeof answerStyles)[number], Texts>> = {
  short: ['short', 'kurz', '简短'],
  balanced: ['balanced', 'ausgewogen', '适中'],
  thorough: ['thorough', 'ausführlich', '详细'],
};

const settingsOptions: APIApplicationCommandBasicOption[] = [
  {
    type: ApplicationCommandOptionType.String,
    ...named(['language', 'sprache', '语言']),
    ...described(['Of my answers', 'Meiner Antworten', '回答所用的语言']),
    choices: [
      choice(unset, ['the one you write in', 'die, in der du schreibst', '与你使用的语言一致']),
      ...languages.map(([value, name]) => ({ name, value })),
    ],
  },
  {
    type: ApplicationCommandOptionType.String,
    ...named(['zone', 'zeitzone', '时区']),
    ...described([
      'Your time zone, like Europe/Berlin',
      'Deine Zeitzone, wie Europe/Berlin',
      '你的时区，例如 Asia/Shanghai',
    ]),
    autocomplete: true,
    max_length: 64,
  },
  {
    type: ApplicationCommandOptionType.String,
    ...named(['style', 'art', '方式']),
    ...described(['How long my answers are', 'Wie lang meine Antworten sind', '回答的长短']),
    choices: answerStyles.map((style) => choice(style, styleTexts[style])),
  },
];

export const commandList: readonly RESTPostAPIApplicationCommandsJSONBody[] = [
  slash(names.ask, ['Ask a question', 'Stelle eine Frage', '提出一个问题'], [question]),
  slash(
    names.next,
    ['A question for when I am done', 'Eine Frage für danach', '等我回答完再处理的问题'],
    [question],
  ),
  slash(names.stop, ['Stop my answer', 'Meine Antwort anhalten', '停止回答']),
  slash(names.new, [
    'Begin anew: I do not see what was said before',
    'Neu anfangen: Ich sehe nicht mehr, was vorher gesagt wurde',
    '重新开始：我不再看到之前的内容',
  ]),
  slash(
    names.remind,
    ['Remind me at a time', 'Erinnere mich zu einer Zeit', '到时提醒我'],
    [
      text(
        ['when', 'wann', '时间'],
        [
          'Like "tomorrow at 9" or "in 20 minutes"',
          'Wie „morgen um 9“ oder „in 20 Minuten“',
          '例如“明天上午9点”或“20分钟后”',
        ],
      ),
      text(['what', 'woran', '内容'], ['What I say then', 'Was ich dann sage', '到时说什么']),
    ],
  ),
  slash(names.reminders, ['Your reminders', 'Deine Erinnerungen', '你的提醒']),
  slash(
    ['memory', 'gedächtnis', '记忆'],
    ['What I remember about you', 'Was ich mir über dich merke', '我记住的关于你的事'],
    [
      sub(lastWords(names['memory list']), ['Show it', 'Zeigen', '显示']),
      sub(
        lastWords(names['memory forget']),
        ['Forget one of it', 'Etwas davon vergessen', '忘记其中一条'],
        [
          {
            type: ApplicationCommandOptionType.Integer,
            ...named(['number', 'nummer', '编号']),
            ...described(['Its number in the list', 'Die Nummer in der Liste', '列表中的编号']),
            required: true,
            min_value: 1,
          },
        ],
      ),
    ],
  ),
  slash(
    names.settings,
    [
      'Your language, time zone and kind of answers',
      'Deine Sprache, Zeitzone und Art der Antworten',
      '你的语言、时区和回答方式',
    ],
    settingsOptions,
  ),
  slash(
    names.link,
    [
      'Make two accounts of yours one person',
      'Zwei deiner Konten zu einer Person machen',
      '把你的两个账号合成一个人',
    ],
    [
      {
        type: ApplicationCommandOptionType.String,
        ...named(['code', 'code', '代码']),
        ...described([
          'From your other account; without one you get a code',
          'Aus deinem anderen Konto; ohne ihn bekommst du einen',
          '来自另一个账号；不填则生成一个',
        ]),
        max_length: 20,
      },
    ],
  ),
  slash(names.unlink, ['Separate this account', 'Dieses Konto trennen', '将此账号分开']),
  slash(names.help, ['What I can do', 'Was ich kann', '我能做什么']),
  {
    type: ApplicationCommandType.Message,
    ...named(names.explain),
    contexts: everywhere,
  },
];

function named([en, de, zh]: Texts) {
  return { name: en, name_localizations: { de, 'zh-CN': zh } };
}

function described([en, de, zh]: Texts) {
  return { description: en, description_localizations: { de, 'zh-CN': zh } };
}

function lastWords([en, de, zh]: Texts): Texts {
  const last = (words: string) => words.slice(words.indexOf(' ') + 1);
  return [last(en), last(de), last(zh)];
}

function choice(value: string, texts: Texts): APIApplicationCommandOptionChoice<string> {
  return { ...named(texts), value };
}

function slash(name: Texts, description: Texts, options: readonly APIApplicationCommandOption[] = []) {
  return {
    type: ApplicationCommandType.ChatInput as const,
    ...named(name),
    ...described(description),
    contexts: everywhere,
    ...(options.length > 0 && { options: [...options] }),
  };
}

function sub(name: Texts, description: Texts, options: readonly APIApplicationCommandBasicOption[] = []) {
  return {
    type: ApplicationCommandOptionType.Subcommand as const,
    ...named(name),
    ...described(description),
    ...(options.length > 0 && { options: [...options] }),
  };
}

/** It must be filled in. */
function text(name: Texts, description: Texts): APIApplicationCommandBasicOption {
  return {
    type: ApplicationCommandOptionType.String,
    ...named(name),
    ...described(description),
    required: true,
    max_length: maxTextChars,
  };
}
