/** What the answers to commands say, one table per language. */
import type { Dialect } from '../domain/command.ts';
import { languageOf } from '../domain/language.ts';
import type { AnswerStyle } from '../domain/person.ts';
import { german } from './words-de.ts';
import { english } from './words-en.ts';
import { chinese } from './words-zh.ts';

export interface CommandWords {
  readonly help: (say: Dialect['command']) => string;
  readonly noReminders: (say: Dialect['command']) => string;
  /** The zone is only what the deployment has. */
  readonly guessedZone: (say: Dialect['command']) => string;
  readonly noMemories: string;
  /** Below the list. */
  readonly howToForget: (say: Dialect['command']) => string;
  readonly forgotten: (text: string) => string;
  readonly noSuchMemory: (number: number, say: Dialect['command']) => string;
  readonly more: (count: number) => string;
  readonly settings: Readonly<Record<'language' | 'zone' | 'style' | 'linked', string>>;
  readonly asYouWrite: string;
  readonly zoneOfDocent: (zone: string) => string;
  readonly styles: Readonly<Record<AnswerStyle, string>>;
  readonly noZone: (text: string) => string;
  readonly noLanguage: (text: string) => string;
  readonly saved: string;
  readonly linkCode: (code: string, until: string, say: Dialect['command']) => string;
  readonly linked: (accounts: string, say: Dialect['command']) => string;
  readonly unknownCode: (say: Dialect['command']) => string;
  readonly ownCode: string;
  readonly unlinked: string;
  readonly notLinked: string;
}

/** `locale` is BCP 47; unknown languages get English. */
export function commandWords(locale: string | undefined): CommandWords {
  return { en: english, de: german, zh: chinese }[languageOf(locale)];
}
