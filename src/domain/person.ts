/** What a person has chosen, over all their conversations and linked accounts. Plain data. */

export const answerStyles = ['short', 'balanced', 'thorough'] as const;
export type AnswerStyle = (typeof answerStyles)[number];

export interface Choices {
  /** BCP 47: the language of answers and of the bot's own words. */
  readonly language?: string;
  /** IANA zone. */
  readonly zone?: string;
  readonly style?: AnswerStyle;
}

/** As the platform last told it, for where nothing is chosen. */
export interface Profile {
  /** The language of their program (BCP 47): for the bot's own words. */
  readonly locale?: string | undefined;
  /** Where they are: an IANA zone. */
  readonly platformZone?: string | undefined;
}

export interface Preferences extends Choices, Profile {}

/** The zone in which the person means times; undefined when nobody told. */
export function zoneIn({ zone, platformZone }: Preferences): string | undefined {
  return zone ?? platformZone;
}

/** Undefined takes a choice back; what is not named stays. */
export type ChangedChoices = { readonly [Name in keyof Choices]?: Choices[Name] | undefined };

/** A link code can be used for so long, and once. Unit: milliseconds. */
export const linkCodeMs = 10 * 60_000;
