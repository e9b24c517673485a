/** Readers of the kinds of text that several settings have in common: numbers, durations, sizes, lists, time zones. */
import { z } from 'zod';

/** Decimal digits only: no sign, no exponent, no separator. */
export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));
}

/** A number of seconds, fractions allowed. */
export const seconds = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .transform(Number)
  .pipe(z.number().positive().max(86_400));

const msOf: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const YEAR_MS = 365 * 86_400_000;

/** `30s`, `15m`, `24h`, `7d` → milliseconds, at most a year. */
export const duration = z
  .string()
  .regex(/^\d{1,9}[smhd]$/)
  .transform((text) => Number.parseInt(text, 10) * (msOf[text.slice(-1)] ?? 0))
  .pipe(z.number().max(YEAR_MS));

const KI = 1024;
const bytesOf: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  kib: KI,
  mb: 1e6,
  mib: KI ** 2,
  gb: 1e9,
  gib: KI ** 3,
  tb: 1e12,
  tib: KI ** 4,
};

/** `512MiB`, `1 GiB`, `1.5GB` or a plain number → bytes. */
export const size = z
  .string()
  .regex(/^\d{1,15}(?:(?:\.\d{1,3})? ?(?:[kmgt]i?)?b)?$/i)
  .transform((text) => {
    const unit = /[a-z]+$/i.exec(text)?.[0].toLowerCase() ?? 'b';
    return Math.round(Number.parseFloat(text) * (bytesOf[unit] ?? Number.NaN));
  })
  .pipe(z.number().positive().max(Number.MAX_SAFE_INTEGER));

/** Parts between commas or spaces, each once, in the order written. */
export const list = z
  .string()
  .transform((text) => [...new Set(text.split(/[\s,]+/u).filter((part) => part !== ''))])
  .pipe(z.array(z.string().max(200)).max(10_000));

export const yesOrNo = z.enum(['true', 'false']).transform((text) => text === 'true');

/** A name of the IANA database; `+02:00` is none, it knows no summer time. */
export const zone = z.string().refine(isZone);

/** The zone of this machine; `UTC` where it has none. */
export function hostZone(): string {
  const name = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return isZone(name) ? name : 'UTC';
}

function isZone(name: string): boolean {
  if (!/^[a-z][\w+-]*(?:\/[\w+-]+)*$/i.test(name)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false; // the only thing it throws at is a zone that it does not know
  }
}

const where = z.enum(['channel', 'thread']);

export type Placement = z.output<typeof where>;

/** `thread` for every surface, or `discord:thread,slack:channel`; `auto` leaves it to each. */
export const placement = z.union([
  z.literal('auto').transform(() => ({})),
  where.transform((everywhere) => ({ discord: everywhere, slack: everywhere })),
  z
    .string()
    .regex(/^\w+:\w+(?:, ?\w+:\w+)*$/)
    .transform((text): unknown => Object.fromEntries(text.split(/, ?/).map((pair) => pair.split(':'))))
    .pipe(z.strictObject({ discord: where.exactOptional(), slack: where.exactOptional() })),
]);
