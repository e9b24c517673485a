/** Lengths in Unicode code points, the unit in which the limits of the text formats are given. */

/** Is the text longer than `limit` code points? Looks at no more than it must. */
export function codePointsExceed(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  let count = 0;
  for (const _ of text) if (++count > limit) return true;
  return false;
}
