import type { CommandWords } from './words.ts';

export const english: CommandWords = {
  help: (
    say,
  ) => `Mention me in a channel, or write to me alone, and ask. I answer there, and in the thread below your question we go on without a mention.
- ${say('ask')} a question · ${say('next')} one for when I am done · ${say('stop')} ends my answer · ${say('new')} begins anew
- ${say('remind')} at a time · ${say('reminders')} what I will remind you of
- ${say('memory list')} what I remember about you · ${say('memory forget')} one of it
- ${say('settings')} your language, time zone and kind of answers
- ${say('link')} makes two accounts of yours one person · ${say('unlink')} separates them
- In the menu of a message: Apps, ${say('explain')}`,
  noReminders: (say) =>
    `You have no reminders. To make one: ${say('remind')}, or tell me "remind me tomorrow at 9".`,
  guessedZone: (say) => `Is that not your time zone? Set yours with ${say('settings')}.`,
  noMemories: 'I remember nothing about you.',
  howToForget: (say) => `${say('memory forget')} and a number: I forget it.`,
  forgotten: (text) => `Forgotten: ${text}`,
  noSuchMemory: (number, say) => `There is no number ${number} in ${say('memory list')}.`,
  more: (count) => `… and ${count} more`,
  settings: { language: 'Language', zone: 'Time zone', style: 'Answers', linked: 'Linked with' },
  asYouWrite: 'the one you write in',
  zoneOfDocent: (zone) => `${zone} (not set)`,
  styles: { short: 'short', balanced: 'balanced', thorough: 'thorough' },
  noZone: (text) => `"${text}" is no time zone. Write one like Europe/Berlin.`,
  noLanguage: (text) => `"${text}" is no language I know. Write it like de or pt-BR.`,
  saved: '✓ Saved.',
  linkCode: (code, until, say) =>
    `Your code: \`${code}\`. Write ${say('link')} with it in your other account, once, until ${until}. Give it to nobody: whoever uses it sees what I remember about you.`,
  linked: (accounts, say) =>
    `✓ This account and ${accounts} are one person now: I remember the same about you there, and your settings are the same. ${say('unlink')} separates them.`,
  unknownCode: (say) =>
    `This code is not valid (any more): it lasts ten minutes and works once. ${say('link')} in the other account makes a new one.`,
  ownCode: 'This code was made by this account. Use it in the other one.',
  unlinked: '✓ This account is on its own again. What you told me here stays with it.',
  notLinked: 'This account is not linked with another one.',
};
