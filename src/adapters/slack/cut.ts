/** Slack does not say what it counts as a character: UTF-16 units are never fewer. */

/** At most `maxChars` UTF-16 units: longer text ends in an ellipsis, which counts. Never splits a surrogate pair. */
export function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
