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

export interface Preferences extends Choices {
  /** The language of their program as the platform last told it (BCP 47): for the bot's own words where nothing is chosen. */
  readonly locale?: string;
  /** The zone of their device or account there (IANA): for times where none is chosen. */
  readonly placeZone?: string;
}

/** Undefined takes a choice back; what is not named stays. */
export type ChangedChoices = { readonly [Name in keyof Choices]?: Choices[Name] | undefined };

/** A link code can be used for so long, and once. Unit: milliseconds. */
export const linkCodeMs = 10 * 60_000;
