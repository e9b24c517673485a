import { clickWords } from './click-words.ts';
import { commandReplyWords } from './command-words.ts';
import type { Said } from './said.ts';

/** What a person is told who wrote to the bot and gets no answer. */
export function whyUnanswered(accepted: string, { item, wanted, from }: Said): string | undefined {
  const { locale } = item.address;
  if (accepted.startsWith('refused_')) return clickWords(locale).refused;
  if (accepted === 'not_part') return clickWords(locale).notPart;
  // A mention and nothing else.
  const isBlank = accepted === 'ignored' && wanted !== 'if_followed' && !from.isBot;
  return isBlank ? commandReplyWords(locale).nothingAsked : undefined;
}
