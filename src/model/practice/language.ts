/** Which language the learner writes or asks for. Simple on purpose: three languages, a few telling words each. */
import type { Words } from './words.ts';
import { german } from './words-de.ts';
import { english } from './words-en.ts';
import { chinese } from './words-zh.ts';

export type Language = 'en' | 'de' | 'zh';

const words: Readonly<Record<Language, Words>> = { en: english, de: german, zh: chinese };

export function wordsOf(language: Language): Words {
  return words[language];
}

const requests: readonly (readonly [Language, RegExp])[] = [
  ['de', /\b(?:in|auf|to|into)\s+(?:german|deutsch)\b|\bdeutsch bitte\b|\bgerman please\b|用?德语/i],
  ['en', /\b(?:in|auf|to|into)\s+(?:english|englisch)\b|\benglish please\b|\benglisch bitte\b|用?英[语文]/i],
  ['zh', /\b(?:in|auf|to|into)\s+(?:chinese|chinesisch|mandarin)\b|\bchinese please\b|用?[中汉][文语]/i],
];

/** The language a message asks to be answered in, when it does. */
export function requestedLanguage(text: string): Language | undefined {
  return requests.find(([, pattern]) => pattern.test(text))?.[0];
}

/** Is the message a wish for a language and nothing else, such as "in German please"? */
export function isOnlyLanguageRequest(text: string): boolean {
  if (requestedLanguage(text) === undefined) return false;
  return !/\d/.test(text) && text.trim().length <= 40;
}

/** The language of the answer: asked for last, else shown by the newest message that shows any, else English. */
export function languageOf(texts: readonly string[]): Language {
  let language: Language = 'en';
  let asked = false;
  for (const text of texts) {
    const wished = requestedLanguage(text);
    if (wished !== undefined) {
      language = wished;
      asked = true;
    } else if (!asked) language = shownLanguage(text) ?? language;
  }
  return language;
}

const germanWords =
  /[äöüß]|\b(?:ist|und|nicht|bitte|wie|wieviel|viel|berechne|rechne|gleichung(?:en)?|aufgabe|ich|der|das|ein|eine|mir|kannst|warum|hilf|frag|gib|noch|weiter|tipp|danke|hallo|von)\b/i;
const englishWords =
  /\b(?:what|is|the|solve|please|how|can|could|you|me|give|quiz|help|an|exercise|hint|of|and|for|practi[cs]e|hello|hi|thanks|next|equation|sum|calculate)\b/i;

/** German words win over English ones: prepared texts around a learner's words are in English. */
function shownLanguage(text: string): Language | undefined {
  if (/\p{Script=Han}/u.test(text)) return 'zh';
  if (germanWords.test(text)) return 'de';
  return englishWords.test(text) ? 'en' : undefined;
}
