/** What models write where they mean to leave an argument out, or a number. For `z.preprocess`. */

/** Null and blank text count as left out. */
export function leftOut(raw: unknown): unknown {
  return raw === null || (typeof raw === 'string' && raw.trim() === '') ? undefined : raw;
}

/** Digits in quotes are a number, 0 counts as left out; the rest as `leftOut`. */
export function positiveNumber(raw: unknown): unknown {
  if (raw === 0) return undefined;
  return typeof raw === 'string' && /^\s*\d{1,15}\s*$/.test(raw) ? Number(raw) : leftOut(raw);
}
