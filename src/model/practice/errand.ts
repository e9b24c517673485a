/** What the practice model does besides maths: it sets a reminder, remembers something, says what it knows, quotes a file. */
import { type DroppedFile, quoteFor } from './file-text.ts';
import type { Situation } from './situation.ts';
import type { Words } from './words.ts';

export type Errand =
  | { readonly kind: 'call'; readonly name: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly kind: 'text'; readonly text: string };

/** Undefined: the newest message wants none of these. */
export function errandIn(situation: Situation, words: Words): Errand | undefined {
  const { result, open, tools, now } = situation;
  if (result !== undefined) return { kind: 'text', text: toldOf(result, words) };
  const newest = open.at(-1);
  if (newest?.kind !== 'message') return undefined;
  const { text } = newest;
  if (tools.has('cron') && remindMe.test(text)) return reminderFrom(text, now, words);
  const known = rememberThis.exec(text);
  if (known !== null && tools.has('write_memory')) {
    const what = (known.groups?.['what'] ?? '').trim();
    const kind = /\b(?:prefer|like|want)|\b(?:mag|bevorzuge|will|möchte)\b|喜欢|想/i.test(what)
      ? 'preference'
      : 'fact';
    return { kind: 'call', name: 'write_memory', args: { op: 'add', text: what, kind } };
  }
  if (tools.has('read_memory') && aboutMe.test(text)) return { kind: 'call', name: 'read_memory', args: {} };
  return aboutFiles(text, situation, words);
}

const remindMe = /\bremind me\b|\berinner(?:e|st du)? mich\b|提醒我/i;
const rememberThis =
  /^\s*(?:please\s+|bitte\s+|请)?(?:remember(?:\s+that)?|merk(?:e)?\s+dir(?:\s*,?\s*dass)?|记住)[\s:：，,]*(?<what>\S[^]{0,230})$/i;
const aboutMe = /what do you (?:know|remember) about me|was weißt du über mich|你(?:知道|记得|了解)我/i;
const aboutFile = /\b(?:file|notes?|quote)\b|\b(?:datei|zitier\w*|steht)\b|文件|引用|里面/i;

function reminderFrom(text: string, now: number | undefined, words: Words): Errand {
  const found = timeIn(text, now);
  if (found === undefined) return { kind: 'text', text: words.errand.when };
  const message = text
    .replace(found.phrase, ' ')
    .replace(remindMe, ' ')
    .replace(/^[\s,，]*(?:please|bitte|请)?[\s,，]*(?:to|that|about|of|daran,?(?: zu)?|an|dass|,)?\s+/i, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s,，.。!！]+|[\s,，.。!！]+$/g, '');
  if (message === '') return { kind: 'text', text: words.errand.what };
  // The time of the turn is told as a wall clock, and the tool reads one without an offset in the same zone.
  const at = new Date(found.at).toISOString().slice(0, 19);
  return { kind: 'call', name: 'cron', args: { action: 'schedule', message, at } };
}

const units: readonly (readonly [RegExp, number])[] = [
  [/^(?:sec|sek|秒)/i, 1_000],
  [/^(?:min|分)/i, 60_000],
  [/^(?:hour|stunde|小时)/i, 3_600_000],
  [/^(?:day|tag|天)/i, 86_400_000],
];
const numbers: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  five: 5,
  ten: 10,
  einer: 1,
  einem: 1,
  zwei: 2,
  drei: 3,
  fünf: 5,
  zehn: 10,
  一: 1,
  两: 2,
  三: 3,
  五: 5,
  十: 10,
};
const span =
  /\bin\s+(?<n>\d{1,4}|an?|one|two|three|five|ten|einer|einem|zwei|drei|fünf|zehn)\s+(?<unit>sec(?:ond)?s?|min(?:ute)?s?|hours?|days?|sekunden?|minuten?|stunden?|tag(?:en)?)\b|(?<n2>\d{1,4}|[一两三五十])\s*(?<unit2>秒钟?|分钟|小时|天)[之以]?后/i;
const clock =
  /(?<day>\b(?:tomorrow|morgen)\b|明天)?[\s,]*(?:\b(?:at|um)\s+)?(?<h>\d{1,2})(?:[:.](?<m>\d\d)(?:\s*(?<ampm>am|pm)\b)?|\s*(?<ampm2>am|pm)\b|\s*(?:uhr|o'clock|点))/i;

/** The wall clock that is meant, as if it were UTC, and the words that name it. */
function timeIn(text: string, now: number | undefined): { at: number; phrase: string } | undefined {
  if (now === undefined) return undefined;
  const later = span.exec(text);
  if (later !== null) {
    const { n, n2, unit, unit2 } = later.groups ?? {};
    const count = Number(n ?? n2) || numbers[(n ?? n2 ?? '').toLowerCase()] || 0;
    const ms = units.find(([pattern]) => pattern.test(unit ?? unit2 ?? ''))?.[1] ?? 0;
    return count * ms > 0 ? { at: now + count * ms, phrase: later[0] } : undefined;
  }
  const shown = clock.exec(text);
  if (shown === null) return undefined;
  const { day, h, m = '0', ampm2 } = shown.groups ?? {};
  const ampm = shown.groups?.['ampm'] ?? ampm2;
  const hour = (Number(h) % (ampm === undefined ? 24 : 12)) + (ampm?.toLowerCase() === 'pm' ? 12 : 0);
  if (Number(h) > 24 || Number(m) > 59) return undefined;
  const midnight = now - (now % 86_400_000);
  const today = midnight + hour * 3_600_000 + Number(m) * 60_000;
  const isNextDay = day !== undefined || today <= now;
  return { at: isNextDay ? today + 86_400_000 : today, phrase: shown[0] };
}

/** What came of the call, in words. */
function toldOf({ name, text }: { readonly name: string; readonly text: string }, words: Words): string {
  const read = parsed(text);
  if (name === 'cron')
    return typeof read['local'] === 'string'
      ? words.errand.reminderSet(read['local'])
      : words.errand.refused(text);
  if (name === 'write_memory')
    return text.startsWith('Remembered') ? words.errand.remembered : words.errand.refused(text);
  const memories = Array.isArray(read['memories']) ? read['memories'] : [];
  const lines = memories.map((each: unknown) => `- ${String(parsedFields(each)['text'])}`);
  return lines.length === 0 ? words.errand.knowsNothing : `${words.errand.knows}\n\n${lines.join('\n')}`;
}

/** A file beside the newest message, or one from before that it asks about, unless it brings a task of its own. */
function aboutFiles(text: string, { files, newFiles }: Situation, words: Words): Errand | undefined {
  const read: readonly DroppedFile[] = newFiles.length > 0 ? newFiles : aboutFile.test(text) ? files : [];
  if (read.length === 0 || /\d\s*[-+*/×=^]\s*\d|=/.test(text)) return undefined;
  const quote = quoteFor(text, read);
  if (quote === undefined) return { kind: 'text', text: words.errand.nothingIn(names(read)) };
  const lines = read.reduce((sum, file) => sum + file.text.split('\n').length, 0);
  return {
    kind: 'text',
    text: `${words.errand.read(names(read), lines)}\n\n> ${quote.text}\n\n${words.errand.from(quote.name, quote.line)}`,
  };
}

function names(files: readonly DroppedFile[]): string {
  return [...new Set(files.map(({ name }) => name))].join(', ');
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return parsedFields(JSON.parse(text));
  } catch {
    return {}; // a sentence: it is told as it is
  }
}

function parsedFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
