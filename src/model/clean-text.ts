/** Text as a service accepts it: well-formed Unicode without control characters. */

/** Everything of the class "control" except tab and line feed, and surrogates without their other half. */
const unwanted = /(?![\t\n])[\p{Cc}\p{Cs}]/gu;

/**
 * Line ends become `\n`, other control characters go, lone surrogates become U+FFFD. Returns the same string when
 * there was nothing to do.
 */
export function cleanText(text: string): string {
  if (text.search(unwanted) < 0) return text;
  return text
    .replace(/\r\n?/g, '\n')
    .replace(unwanted, (character) => (character >= '\ud800' && character <= '\udfff' ? '\ufffd' : ''));
}
