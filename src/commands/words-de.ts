import type { CommandWords } from './words.ts';

export const german: CommandWords = {
  help: (
    say,
  ) => `Erwähne mich in einem Kanal, oder schreib mir allein, und frag. Ich antworte dort, und im Thread unter deiner Frage geht es ohne Erwähnung weiter.
- ${say('ask')} eine Frage · ${say('next')} eine für später · ${say('stop')} hält meine Antwort an · ${say('new')} fängt neu an
- ${say('remind')} zu einer Zeit · ${say('reminders')} woran ich dich erinnere
- ${say('memory list')} was ich mir über dich merke · ${say('memory forget')} etwas davon
- ${say('settings')} deine Sprache, Zeitzone und Art der Antworten
- ${say('link')} macht zwei deiner Konten zu einer Person · ${say('unlink')} trennt sie
- Im Menü einer Nachricht: Apps, ${say('explain')}`,
  noReminders: (say) =>
    `Du hast keine Erinnerungen. Für eine neue: ${say('remind')}, oder schreib mir „erinnere mich morgen um 9“.`,
  guessedZone: (say) => `Das ist nicht deine Zeitzone? Stell sie mit ${say('settings')} ein.`,
  noMemories: 'Ich habe mir nichts über dich gemerkt.',
  howToForget: (say) => `${say('memory forget')} und eine Nummer: Ich vergesse es.`,
  forgotten: (text) => `Vergessen: ${text}`,
  noSuchMemory: (number, say) => `In ${say('memory list')} gibt es keine Nummer ${number}.`,
  more: (count) => `… und ${count} weitere`,
  settings: { language: 'Sprache', zone: 'Zeitzone', style: 'Antworten', linked: 'Verbunden mit' },
  asYouWrite: 'die, in der du schreibst',
  zoneOfDocent: (zone) => `${zone} (nicht eingestellt)`,
  styles: { short: 'kurz', balanced: 'ausgewogen', thorough: 'ausführlich' },
  noZone: (text) => `„${text}“ ist keine Zeitzone. Schreib eine wie Europe/Berlin.`,
  noLanguage: (text) => `„${text}“ ist keine Sprache, die ich kenne. Schreib sie wie de oder pt-BR.`,
  saved: '✓ Gespeichert.',
  linkCode: (code, until, say) =>
    `Dein Code: \`${code}\`. Schreib damit in deinem anderen Konto ${say('link')}, einmal, bis ${until}. Gib ihn niemandem: Wer ihn benutzt, sieht, was ich mir über dich merke.`,
  linked: (accounts, say) =>
    `✓ Dieses Konto und ${accounts} sind jetzt eine Person: Ich merke mir dort dasselbe über dich, und deine Einstellungen sind dieselben. ${say('unlink')} trennt sie.`,
  unknownCode: (say) =>
    `Dieser Code gilt nicht (mehr): Er hält zehn Minuten und geht einmal. ${say('link')} im anderen Konto macht einen neuen.`,
  ownCode: 'Diesen Code hat dieses Konto gemacht. Benutze ihn im anderen.',
  unlinked: '✓ Dieses Konto steht wieder für sich. Was du mir hier gesagt hast, bleibt bei ihm.',
  notLinked: 'Dieses Konto ist mit keinem anderen verbunden.',
};
