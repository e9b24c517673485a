/** What a person has chosen, as a turn heeds it: in the language of the bot's words, and in the system prompt. */
import type { SurfaceAddress } from '../domain/address.ts';
import type { AnswerStyle, Preferences } from '../domain/person.ts';

/** The bot's own words are in the chosen language, else in that of the person's program. */
export function addressFor(address: SurfaceAddress, { language, locale }: Preferences): SurfaceAddress {
  const spoken = language ?? address.locale ?? locale;
  return spoken === undefined ? address : { ...address, locale: spoken };
}

const styles: Readonly<Record<AnswerStyle, string | undefined>> = {
  short: 'Keep every answer short: the point in a few sentences, details only when they are asked for.',
  balanced: undefined,
  thorough: 'Answer thoroughly: each step with its reason, an example, and what it connects to.',
};

/** A block of the system prompt; empty when nothing is chosen. */
export function wishesOf({ language, style }: Preferences): string {
  const wishes = [
    language === undefined
      ? undefined
      : `Answer in ${nameOf(language)}, whatever language the question is in, unless another one is asked for.`,
    style === undefined ? undefined : styles[style],
  ].filter((wish) => wish !== undefined);
  return wishes.length === 0
    ? ''
    : `What this learner has set:\n${wishes.map((wish) => `- ${wish}`).join('\n')}`;
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

function nameOf(language: string): string {
  return languageNames.of(language) ?? language;
}
