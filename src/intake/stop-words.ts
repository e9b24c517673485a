/** The words that end a turn when they are the whole message. A word that is often an answer to a question is none. */

const words: Readonly<Record<string, readonly string[]>> = {
  en: ['stop', '/stop'],
  de: ['stopp', 'halt', 'anhalten', 'aufhören'],
  fr: ['arrête', 'arrete', 'arrêtez', 'arretez', 'stoppe'],
  es: ['detente', 'detener'],
  pt: ['pare', 'parar'],
  it: ['fermati', 'ferma', 'basta'],
  nl: ['ophouden'],
  sv: ['stoppa', 'sluta'],
  pl: ['zatrzymaj'],
  ru: ['стоп', 'остановись', 'хватит'],
  uk: ['зупинись'],
  tr: ['durdur'],
  ar: ['توقف', 'قف'],
  hi: ['रुको', 'रुकें'],
  zh: ['停', '停止', '停下', '停一下', '别说了', '停下來', '停下来'],
  ja: ['止めて', 'とめて', 'やめて', 'ストップ', '中止'],
  ko: ['멈춰', '그만', '중지', '정지', '스톱'],
  vi: ['dừng', 'dừng lại'],
};

const all = new Set(Object.values(words).flat());
const LONGEST = Math.max(...[...all].map((word) => word.length));
/** Marks that may stand around the word; more than these make it a sentence. */
const MAX_MARKS = 12;

/** Any case, with full stops and exclamation marks of any script. */
export function isStopWord(text: string): boolean {
  const line = text.trim();
  if (line.length > LONGEST + MAX_MARKS) return false;
  return all.has(
    line
      .normalize('NFC')
      .replace(/^[¡\s]+|[.!。！．…\s]+$/gu, '')
      .toLowerCase(),
  );
}
