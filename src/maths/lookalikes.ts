/** Texts that look like sums and are none: dates, telephone numbers, ranges of years, picture sizes, sayings. */

/**
 * Is `text` (plain notation, no words around it) more likely something else than a sum? `asked` says that the message
 * asks for a result, by a word or a trailing `=`; then only the sure cases count.
 */
export function isLookalike(text: string, asked: boolean): boolean {
  const tight = text.trim();
  // 2026-11-30, 30.11.2026, 11/30/2026, with a year of four digits in front or at the end.
  if (/^\d{4}([-/.])\d{1,2}\1\d{1,2}$/.test(tight) || /^\d{1,2}([-/.])\d{1,2}\1\d{4}$/.test(tight))
    return true;
  // A number with a leading zero is a code, a date or a telephone number.
  if (/(?<![\d.,])0\d/.test(tight)) return true;
  // Telephone numbers and ISBNs: groups of digits joined by single signs, nothing else.
  const digits = tight.replace(/\D/g, '').length;
  if (/^\+?\(?\d+\)?(?:[-/ ]\(?\d+\)?){2,}$/.test(tight) && digits >= 9) return true;
  if (/^\(\d{3}\) ?\d{3}-\d{4}$/.test(tight) || /^\d{3}-\d{4}$/.test(tight)) return true;
  if (asked) return false;
  // 30-11-26; 2019-2024 and 2026-11; 1920*1080 for 1920x1080.
  if (/^\d{1,2}([-/.])\d{1,2}\1\d{2}$/.test(tight)) return true;
  if (/^(?:1\d|20)\d{2}-(?:(?:1\d|20)\d{2}|0[1-9]|1[0-2])$/.test(tight)) return true;
  if (/^\d{3,4}\*\d{3,4}$/.test(tight)) return true;
  return sayings.has(tight);
}

const sayings: ReadonlySet<string> = new Set(['24/7', '50/50', '9/11', '80/20']);
