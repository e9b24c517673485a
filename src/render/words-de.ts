import type { Words } from './words.ts';

export const german: Words = {
  working: '…',
  restInFile: 'Der Rest dieser Antwort steht in der angehängten Datei.',
  stopped: '⏹ Angehalten.',
  stoppedEarly: '⏹ Angehalten: Es gibt keine Antwort. Frag jederzeit noch einmal.',
  interrupted:
    '✗ Unterbrochen: Diese Antwort ist nicht vollständig. Frag noch einmal, oder schreib „weiter“.',
  blocked: 'Das wurde nicht durchgelassen:',
  notAnswered: 'Nicht beantwortet. Frag jederzeit wieder.',
  stillOpen: 'Meine Frage oben ist noch offen. Du kannst sie jederzeit beantworten.',
  closed: 'Geschlossen.',
  skipped: 'Übersprungen.',
  failed: 'Bei mir ist etwas schiefgegangen.',
  tryAgain: 'Versuch es noch einmal.',
  onlyAsker: (name) => `Ich warte erst auf die Antwort von ${name}.`,
  chooseOption: 'Bitte wähle eine der Möglichkeiten.',
  tooMany: (freeAt) => `Das waren viele Nachrichten auf einmal. Ab ${freeAt} kann ich wieder antworten.`,
  unreadable:
    'Dieses Gespräch stammt von einer anderen Version und kann hier nicht weitergehen. Bitte beginne ein neues.',
  givenUp:
    '✗ Ich wurde wieder an derselben Stelle unterbrochen und versuche es nicht weiter. Bitte frag noch einmal.',
  notAgain:
    'Das wiederhole ich nicht: Inzwischen wurde etwas anderes gesagt, oder unterwegs geschah etwas, das nicht zweimal geschehen soll.',
  trace: {
    reading: 'liest',
    thinking: 'denkt nach',
    writing: 'schreibt',
    working: 'arbeitet',
    minute: 'min',
    second: 's',
    decimalPoint: ',',
    thoughtFor: (time, tools) =>
      `${time} nachgedacht${tools === 0 ? '' : ` · ${tools} ${tools === 1 ? 'Werkzeug' : 'Werkzeuge'}`}`,
    notices: {
      settling: 'kommt zum Ende',
      closing: 'stellt die Antwort aus dem zusammen, was da ist',
      stuck: 'dreht sich im Kreis, stellt die Antwort zusammen',
      retrying: 'fragt das Modell noch einmal',
      repairing: 'die Antwort hatte keine brauchbare Form, fragt noch einmal',
      continuing: 'die Antwort brach ab, macht weiter',
      context_cut: 'ältere Nachrichten wurden weggelassen, um Platz zu schaffen',
    },
    tookIn: (count) =>
      count === 1 ? 'hat deine Nachricht aufgenommen' : `hat ${count} Nachrichten aufgenommen`,
    nothing: 'Nichts außer der Antwort selbst.',
    tools: {
      ask_user: 'fragt dich',
      cron: 'stellt eine Erinnerung',
      write_memory: 'merkt sich etwas',
      read_memory: 'erinnert sich',
      web_fetch: 'liest eine Seite',
      github: 'sieht auf GitHub nach',
      rag: 'durchsucht dein Material',
      kb_files: 'listet dein Material auf',
      read_source: 'liest deine Datei',
      list_notebook: 'sieht Notizbücher durch',
      write_note: 'schreibt eine Notiz',
      read_skill: 'liest eine Anleitung',
      load_tools: 'holt Werkzeuge',
      code_execution: 'führt Code aus',
      exec: 'führt einen Befehl aus',
    },
    using: (tool) => `benutzt ${tool}`,
  },
};
