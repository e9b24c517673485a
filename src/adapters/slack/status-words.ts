/** What stands behind the name of the bot while it is at work, by the person's language. */
import { languageOf } from '../../domain/language.ts';

/** `locale` is BCP 47; unknown languages get English. */
export function atWork(locale: string | undefined): string {
  return { en: 'is at work …', de: 'ist bei der Arbeit …', zh: '正在处理…' }[languageOf(locale)];
}
