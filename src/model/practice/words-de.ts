/** German. */
import type { CannotReason } from '../../maths/cannot.ts';
import type { Words } from './words.ts';

const reasons: Readonly<Record<CannotReason, (detail: string) => string>> = {
  empty: () => 'Da gibt es noch nichts zu rechnen.',
  too_long: () => 'Das ist mir zu lang: Ich lese bis zu 500 Zeichen.',
  too_deep: (limit) => `So viele Klammern ineinander kann ich nicht verfolgen, höchstens ${limit}.`,
  unknown_sign: (sign) => `Das Zeichen „${sign}“ kenne ich hier nicht.`,
  unknown_word: (word) => `„${word}“ kenne ich in einer Rechnung nicht.`,
  unclear_number: (number) =>
    `Welche Zahl „${number}“ ist, kann ich nicht erkennen. Schreib sie wie 1234,56.`,
  adjacent_numbers: (number) => `Vor „${number}“ fehlt ein Zeichen.`,
  unclear_percent: () => '% lese ich als „Prozent“; danach fehlt ein Zeichen wie ×.',
  unfinished: (text) => `In „${text}“ fehlt etwas: eine Zahl, ein Zeichen oder eine Klammer.`,
  has_letters: () => 'Ich rechne mit Zahlen. Mit Buchstaben löse ich Gleichungen wie 2x + 3 = 11.',
  division_by_zero: () => 'Das wäre eine Division durch null, die hat kein Ergebnis.',
  undefined_power: (power) => `${power} hat keinen einheitlichen Wert.`,
  irrational: (root) => `${root} ist kein Bruch, deshalb kann ich den Wert nicht genau aufschreiben.`,
  fractional_power: (power) => `${power}: Von gebrochenen Exponenten kann ich nur ein Halb, die Wurzel.`,
  negative_root: (value) => `Aus ${value} gibt es keine reelle Wurzel.`,
  too_large: () =>
    'Die Zahlen werden mir zu groß: Bei 2000 Stellen und bei Exponenten über 1000 höre ich auf.',
  too_many_steps: (limit) => `Das sind mehr als ${limit} Schritte.`,
  no_equation: () => 'Ich sehe darin keine Gleichung. Ich brauche zwei Seiten, wie 2x + 3 = 11.',
  no_letter: () => 'Es gibt keinen Buchstaben, nach dem man auflösen könnte.',
  several_equals: () => 'Da steht mehr als ein „=“. Schick mir eine Gleichung nach der anderen.',
  inequality: () => 'Ungleichungen kann ich nicht lösen, nur Gleichungen.',
  system: () => 'Mehrere Gleichungen zusammen kann ich nicht lösen. Schick mir eine mit einem Buchstaben.',
  quadratic: () =>
    'Das ist eine quadratische Gleichung. Ich löse nur lineare: ohne x² und ohne Buchstabe mal Buchstabe.',
  not_linear: () =>
    'Das ist keine lineare Gleichung: Der Buchstabe steht in einem Produkt, einer Potenz, Wurzel oder im Nenner.',
  which_letter: (letters) => `Nach welchem Buchstaben soll ich auflösen: ${letters}?`,
  letter_cancels: (letter) => `${letter} fällt heraus, die Gleichung sagt darüber nichts.`,
  check_failed: (line) =>
    `Meine eigene Probe stimmt bei „${line}“ nicht, deshalb zeige ich kein Ergebnis. Bitte melde das.`,
};

export const german: Words = {
  introduction:
    'Ich bin keine KI, sondern das kleine Übungsprogramm in Docent, damit du es ohne Schlüssel ausprobieren kannst. Für einen echten Tutor setze `OPENAI_API_KEY` oder, für einen Server auf dem eigenen Rechner, `OPENAI_BASE_URL=http://127.0.0.1:11434/v1`, und starte neu.',
  abilities: [
    'Ein paar Dinge kann ich, und die genau:',
    '- Schritt für Schritt rechnen: `3/4 + 1/6`, `15% von 80`, `(2 + 3) × 4^2`',
    '- lineare Gleichungen lösen, mit Probe: `3(x - 2) = 2(x + 1)`',
    '- Aufgaben stellen: „frag mich ab“, „gib mir eine Gleichung“ oder „noch so eine“',
    '- erinnern, mir etwas merken, aus einer Datei zitieren: „erinnere mich in 10 Minuten an …“, „merk dir, dass …“.',
  ].join('\n'),
  switched: 'Ab hier auf Deutsch.',

  readAs: (readings) =>
    `Ich lese ${readings.map(({ written, plain }) => `${written} als ${plain}`).join(' und ')}.`,
  roundedTo: (decimal) => `Als Dezimalzahl: ${decimal}`,
  linesChecked: 'Geprüft: Jede Zeile wurde noch einmal gerechnet und hat genau denselben Wert. ✓',
  inverseCheck: (line) => `Probe: ${line} ✓`,
  claimRight: (line) => `Ja, **${line}** stimmt.`,
  claimWrong: (line, claimed) => `Nicht ganz: **${line}**, nicht ${claimed}.`,
  onlyAbout: (expression, approximation) => `${expression} ist ungefähr ${approximation}.`,
  cannot: (reason, detail) => reasons[reason](detail),
  part: (step) => `Fang mit ${step.part} an`,

  plan: (equation, letter) =>
    `${equation} ist eine Gleichung in ${letter}. Ich vereinfache beide Seiten, bringe ${letter} allein nach links und setze das Ergebnis zur Probe ein.`,
  equationStep: ({ action, amount }) => {
    switch (action) {
      case 'simplify':
        return 'Beide Seiten vereinfachen';
      case 'swap':
        return 'Seiten vertauschen';
      case 'multiply':
        return `Beide Seiten mal ${amount}`;
      case 'divide':
        return `Beide Seiten durch ${amount}`;
      case 'add':
        return `Auf beiden Seiten plus ${amount}`;
      case 'subtract':
        return `Auf beiden Seiten minus ${amount}`;
      default:
        return action satisfies never;
    }
  },
  putBack: (solution, left, right) => `Probe mit ${solution}: linke Seite ${left}, rechte Seite ${right} ✓`,
  noSolution: (letter) => `**Keine Lösung**: Das stimmt nie, was auch immer ${letter} ist.`,
  everySolution: (letter) => `**Jede Zahl ist Lösung**: Das stimmt für jedes ${letter}.`,

  ask: {
    lead: 'Das kann man verschieden verstehen, deshalb frage ich nach.',
    reading: (expression) => `Wie ist ${expression} gemeint?`,
    percent: (expression) => `Worauf beziehen sich die Prozent in ${expression}?`,
    letter: (equation) => `${equation} hat mehrere Buchstaben. Nach welchem soll ich auflösen?`,
    practise: 'Was möchtest du üben?',
    task: 'Was soll ich lösen? Schreib die Gleichung oder die Rechnung.',
    leftToRight: 'von links nach rechts',
    productTogether: 'das Produkt gehört zusammen',
    shareOf: 'ein Anteil der Zahl davor',
    plainNumber: 'eine eigene Zahl',
    equations: 'Gleichungen',
    sums: 'Rechnen',
    fractions: 'Brüche',
    percents: 'Prozente',
    example: (task) => `Zeig mir ein Beispiel: ${task}`,
    byText: 'Antworte mit der Nummer oder mit eigenen Worten.',
    chosenFor: (choice) => `Du hast mir die Wahl gelassen, ich nehme ${choice}.`,
    noTask: 'Dann habe ich noch nichts zu lösen. Schick mir jederzeit eine Gleichung oder Rechnung.',
  },

  errand: {
    doing: 'Das mache ich.',
    when: 'Sag mir wann, zum Beispiel „erinnere mich in 10 Minuten an Wasser“ oder „erinnere mich morgen um 9 Uhr ans Üben“.',
    what: 'Sag mir woran, zum Beispiel „erinnere mich in 10 Minuten an Wasser“.',
    reminderSet: (local) => `⏰ Ich erinnere dich: ${local}.`,
    remembered: 'Das merke ich mir. Frag „was weißt du über mich?“, um es zu sehen.',
    knows: 'Das weiß ich über dich:',
    knowsNothing: 'Ich weiß noch nichts über dich. Sag „merk dir, dass …“.',
    refused: (why) => `Das ging nicht: ${why}`,
    read: (names, lines) =>
      `Ich habe ${names} gelesen (${lines} ${lines === 1 ? 'Zeile' : 'Zeilen'}). Am besten passt dies:`,
    from: (name, line) => `(${name}, Zeile ${line})`,
    nothingIn: (names) => `In ${names} finde ich keine Wörter.`,
  },

  quiz: {
    nothingYet: 'Wir haben noch nichts gerechnet. Schick mir erst eine Rechnung oder eine Gleichung.',
    solve: 'Löse',
    compute: 'Rechne',
    how: 'Schreib deine Antwort. „Tipp“ gibt einen Tipp, „Lösung“ zeigt den Weg.',
    right: (answer) => `Richtig! **${answer}**`,
    next: 'Sag „weiter“ für die nächste.',
    wrong: (answer) => `${answer} ist es noch nicht.`,
    wrongSides: (solution, left, right) =>
      `Noch nicht: Mit ${solution} ist die linke Seite ${left} und die rechte ${right}.`,
    close: (answer) => `${answer} ist sehr nah dran. Kannst du es genau angeben, als Bruch?`,
    goodStep: (equation) => `Ja, ${equation} ist ein richtiger Schritt. Mach dort weiter.`,
    firstStep: (what) => `Tipp: ${what}. Was bekommst du?`,
    thenLine: (line) => `Tipp: Dann steht da ${line}. Und jetzt?`,
    solution: 'So geht es:',
    stillOpen: (task) => `Deine Aufgabe ist noch offen: ${task}`,
  },
};
