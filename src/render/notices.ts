/** The bot's own words, one table per language. The model answers in the person's language; these follow the locale. */
import { languageOf } from '../domain/language.ts';
import type { Words } from './words.ts';
import { german } from './words-de.ts';
import { english } from './words-en.ts';
import { chinese } from './words-zh.ts';

/** `locale` is BCP 47; unknown languages get English. */
export function wordsFor(locale: string | undefined): Words {
  return { en: english, de: german, zh: chinese }[languageOf(locale)];
}
