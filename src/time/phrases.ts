/**
 * How people of each language say times that the parsers of dates do not know, in words that they do: "um halb acht" is
 * "um 7:30".
 */

export const timeLanguages = ['en', 'de', 'zh', 'es', 'fr', 'ja'] as const;
export type TimeLanguage = (typeof timeLanguages)[number];

const dayMs = 24 * 3_600_000;
/** Without it, a wait of a year would be the longest that is meant. Unit: days. */
const maxDays = 3_660;

/** `first`: what the first group of the pattern holds. */
type Rewrite = readonly [RegExp, string | ((first: string, wall: number) => string)];

/** `wall`: what the clock on the wall shows (see `zone.ts`). */
export function plainly(language: TimeLanguage, text: string, wall: number): string {
  // Full-width digits and colons are written in Chinese and Japanese.
  let words = text.normalize('NFKC');
  for (const [phrase, by] of rewrites[language]) {
    words =
      typeof by === 'string'
        ? words.replace(phrase, by)
        : words.replace(phrase, (_, first = '') => by(String(first), wall));
  }
  return words;
}

const wait =
  /^\s*(\d{1,4}|[半一二两三四五六七八九十])\s*[个個]?(秒|分|小[时時]|時間|钟头)[钟鐘]?\s*[之以]?(?:后|後|ご)に?\s*$/;
const waitUnits: Readonly<Record<string, number>> = {
  秒: 1_000,
  分: 60_000,
  小时: 3_600_000,
  小時: 3_600_000,
  時間: 3_600_000,
  钟头: 3_600_000,
};

/** How long a wait is in Chinese or Japanese, whose parsers know none or count it on the clock: "20分钟后", "2時間後". */
export function waitOf(text: string): number | undefined {
  const [, count = '', unit = ''] = wait.exec(text.normalize('NFKC')) ?? [];
  const ms = waitUnits[unit];
  if (ms === undefined) return undefined;
  const hanCount = count === '半' ? 0.5 : count === '两' ? 2 : '一二三四五六七八九十'.indexOf(count) + 1;
  return ms * (hanCount || Number(count));
}

const germanHours = [
  'zwölf',
  'eins',
  'zwei',
  'drei',
  'vier',
  'fünf',
  'sechs',
  'sieben',
  'acht',
  'neun',
  'zehn',
  'elf',
];

const rewrites: Readonly<Record<TimeLanguage, readonly Rewrite[]>> = {
  en: [[/\b(?:the )?day after tomorrow\b/i, 'in 2 days']],
  de: [
    [/\bmorgen früh\b/i, 'morgen'],
    [
      new RegExp(String.raw`\bhalb (\d{1,2}|${germanHours.join('|')})\b`, 'i'),
      (hour) => `${(germanHour(hour) + 23) % 24}:30`,
    ],
    [/\bmittags\b/i, '12:00'],
  ],
  zh: [],
  es: [
    [/\bpasado mañana\b/i, 'en 2 días'],
    [/\s+de la mañana\b/i, 'am'],
    [/\s+de la (?:tarde|noche)\b/i, 'pm'],
    [/\ba?l? ?mediodía\b/i, 'a las 12:00'],
  ],
  fr: [
    [/après-demain\b/i, 'dans 2 jours'],
    [/(?<!dans\s)\b(\d{1,2})\s*h(?:eures?)?(?:\s*(\d\d))?(?![\p{L}\d])/iu, '$1h$2'],
    [/\bun (\p{L}+di|dimanche) sur deux\b/iu, 'tous les deux $1s'],
    [/à midi(?!\p{L})/iu, 'à 12h'],
  ],
  ja: [
    [/(\d{1,4})\s*日後(?:の)?/, (days, wall) => japaneseDay(wall, Number(days))],
    [/明後日(?:の)?/, (_, wall) => japaneseDay(wall, 2)],
    [/来週の?([日月火水木金土])曜日?(?:の)?/, (name, wall) => japaneseDay(wall, daysToNextWeek(name, wall))],
  ],
};

function germanHour(word: string): number {
  const at = germanHours.indexOf(word.toLowerCase());
  return at === -1 ? Number(word) : at;
}

function japaneseDay(wall: number, days: number): string {
  const day = new Date(wall + Math.min(days, maxDays) * dayMs);
  return `${day.getUTCFullYear()}年${day.getUTCMonth() + 1}月${day.getUTCDate()}日`;
}

/** Weeks begin on Monday. */
function daysToNextWeek(name: string, wall: number): number {
  const weekday = (at: number) => (at + 6) % 7;
  return 7 - weekday(new Date(wall).getUTCDay()) + weekday('日月火水木金土'.indexOf(name));
}
