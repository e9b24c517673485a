/** What a person reads right after a command that is said in a conversation, by the language of their program. */
import { languageOf } from '../domain/language.ts';

export interface CommandReplyWords {
  readonly stopping: string;
  readonly stopped: string;
  readonly anew: string;
  /** At the root of a channel. */
  readonly newAnyway: string;
  readonly nothingAsked: string;
  /** Where only members may write. */
  readonly inviteMe: string;
  readonly cannotWrite: (permissions: string) => string;
  /** What the model is asked about a message. */
  readonly explain: (author: string, text: string) => string;
}

const english: CommandReplyWords = {
  stopping: '⏹ I stop.',
  stopped: '⏹ My question is closed.',
  anew: 'We begin anew: I do not see any more what was said before.',
  newAnyway: 'In a channel every question begins anew; just mention me.',
  nothingAsked: 'There is nothing in it that I could answer.',
  inviteMe: 'I am not in this channel. Invite me with /invite, then ask again.',
  cannotWrite: (permissions) => `I cannot answer here: I lack ${permissions}.`,
  explain: (author, text) => `Explain this message of ${author}:\n\n${text}\n[End of that message.]`,
};

const german: CommandReplyWords = {
  stopping: '⏹ Ich höre auf.',
  stopped: '⏹ Meine Frage ist geschlossen.',
  anew: 'Wir fangen neu an: Ich sehe nicht mehr, was vorher gesagt wurde.',
  newAnyway: 'In einem Kanal fängt jede Frage neu an; erwähne mich einfach.',
  nothingAsked: 'Darin ist nichts, worauf ich antworten könnte.',
  inviteMe: 'Ich bin nicht in diesem Kanal. Lade mich mit /invite ein, dann frag noch einmal.',
  cannotWrite: (permissions) => `Ich kann hier nicht antworten: Mir fehlt ${permissions}.`,
  explain: (author, text) => `Erkläre diese Nachricht von ${author}:\n\n${text}\n[Ende dieser Nachricht.]`,
};

const chinese: CommandReplyWords = {
  stopping: '⏹ 我停下来。',
  stopped: '⏹ 我的问题已关闭。',
  anew: '重新开始：我不再看到之前的内容。',
  newAnyway: '在频道里，每个问题都是新的开始；提及我即可。',
  nothingAsked: '里面没有我能回答的内容。',
  inviteMe: '我不在这个频道里。请先用 /invite 邀请我，然后再问一次。',
  cannotWrite: (permissions) => `我不能在这里回答：缺少权限 ${permissions}。`,
  explain: (author, text) => `解释 ${author} 的这条消息：\n\n${text}\n[消息结束。]`,
};

/** `locale` is BCP 47; unknown languages get English. */
export function commandReplyWords(locale: string | undefined): CommandReplyWords {
  return { en: english, de: german, zh: chinese }[languageOf(locale)];
}
