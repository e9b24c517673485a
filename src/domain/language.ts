/** The languages in which the bot itself speaks. Models answer in many more. */

export type Language = 'en' | 'de' | 'zh';

/** `locale` is BCP 47; unknown languages get English. */
export function languageOf(locale: string | undefined): Language {
  const language = locale?.toLowerCase().split(/[-_]/)[0];
  return language === 'de' || language === 'zh' ? language : 'en';
}
