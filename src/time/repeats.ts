/**
 * That something comes again and again, as people write it: "every weekday at 7", "jeden Montag um 9", "每天早上8点".
 * What no calendar rule can say ("every other Monday") is told apart, with what comes nearest.
 */
import { plainly, type TimeLanguage } from './phrases.ts';
import { type RepeatWords, repeatWords } from './repeat-words.ts';
import { languagesFrom, readTimeOfDay } from './when.ts';

export type Repeat =
  /** Five fields on the wall clock of the person. */
  | { readonly kind: 'cron'; readonly expr: string }
  | { readonly kind: 'every'; readonly everyMs: number }
  /** No rule can say it; `instead` are cron expressions that come near. */
  | { readonly kind: 'cannot'; readonly instead: readonly string[] };

/** Undefined: it says nothing of the kind, or no time of day. */
export function readRepeat(text: string, locale: string | undefined): Repeat | undefined {
  for (const language of languagesFrom(locale)) {
    const found = readIn(language, plainly(language, text.toLowerCase().trim(), 0));
    if (found !== undefined) return found;
  }
  return undefined;
}

function readIn(language: TimeLanguage, text: string): Repeat | undefined {
  const words = repeatWords[language];
  const interval = words.interval.exec(text);
  if (interval !== null) {
    const { n = '1', unit = '' } = interval.groups ?? {};
    const ms = Object.entries(words.units).find(([begin]) => unit.startsWith(begin))?.[1];
    // "Every day at 9" has a time of day; "every 3 days" is counted from now.
    if (ms !== undefined) return { kind: 'every', everyMs: Number(n || '1') * ms };
  }
  for (const [rule, found] of rulesIn(words, text)) {
    const rest = `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`;
    const minutes = readTimeOfDay(rest, language);
    if (minutes === undefined) continue;
    const clock = `${minutes % 60} ${Math.floor(minutes / 60)}`;
    if (typeof rule === 'string') return { kind: 'cron', expr: `${clock} ${rule}` };
    return { kind: 'cannot', instead: rule.map((each) => `${clock} ${each}`) };
  }
  return undefined;
}

/** Day, month and weekday of an expression, or those that come near; and the words that say so. The longest first. */
function* rulesIn(
  words: RepeatWords,
  text: string,
): Generator<readonly [string | readonly string[], RegExpExecArray]> {
  const name = `(?:${words.weekdays.join('|')})`;
  for (const [pattern, place] of words.ofMonth) {
    const found = new RegExp(pattern.replace('@', `(?<day>${name})`), 'u').exec(text);
    if (found === null) continue;
    const day = weekdayOf(words, found.groups?.['day'] ?? '');
    yield [place === 'L' ? `* * ${day}L` : `* * ${day}#${place}`, found];
  }
  const other = new RegExp(`${words.other.source}\\s*(?<day>${name})?`, 'u').exec(text);
  if (other !== null) {
    const named = other.groups?.['day'];
    const day = named === undefined ? undefined : weekdayOf(words, named);
    yield [day === undefined ? ['* * *', '* * 1,3,5'] : [`* * ${day}`, `* * ${day}#1`], other];
  }
  for (const [pattern, rule] of [
    [words.workday, '* * 1-5'],
    [words.weekend, '* * 0,6'],
    [words.day, '* * *'],
  ] as const) {
    const found = pattern.exec(text);
    if (found !== null) yield [rule, found];
  }
  for (const pattern of words.monthly) {
    const found = pattern.exec(text);
    const date = Number(found?.groups?.['n']);
    if (found !== null && date >= 1 && date <= 31) yield [`${date} * *`, found];
  }
  const list = `${name}(?:(?:\\s*,\\s*|\\s*(?:${words.and})\\s*)(?:${words.every.source}\\s*)?${name})*`;
  const named = new RegExp(`${words.every.source}\\s*(?<days>${list})`, 'u').exec(text);
  if (named !== null) {
    const days = [...(named.groups?.['days'] ?? '').matchAll(new RegExp(name, 'gu'))].map(([each]) =>
      weekdayOf(words, each),
    );
    yield [`* * ${[...new Set(days)].toSorted((a, b) => a - b).join(',')}`, named];
  }
}

/** 0 is Sunday. */
function weekdayOf({ weekdays }: RepeatWords, name: string): number {
  return weekdays.findIndex((pattern) => new RegExp(`^(?:${pattern})$`, 'u').test(name));
}
