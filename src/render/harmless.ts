/**
 * Text from a model, a person or a page, made safe to print: it may not move the cursor, recolour, retitle or ring.
 * Character by character, so that it does not matter how a stream is cut.
 */

const CONTROL_PICTURES = 0x2400;
const DELETE_PICTURE = '\u2421';

/** Controls but line feed and tab; second-byte controls; marks that reverse the reading order; lone surrogates. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const HARMFUL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]|\p{Surrogate}/gu;

/** Controls become their visible pictures (ESC is ␛), the rest is dropped or replaced. A carriage return is dropped. */
export function harmless(text: string): string {
  return text.replaceAll(HARMFUL, (char) => {
    const code = char.codePointAt(0) ?? 0;
    if (char === '\r' || (code >= 0x2000 && code < 0x3000)) return '';
    if (code === 0x7f) return DELETE_PICTURE;
    return code < 0x20 ? String.fromCodePoint(CONTROL_PICTURES + code) : '\uFFFD';
  });
}
