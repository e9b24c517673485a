/** An answer as a tutor writes it: prose, lists, code, formulas, signs that look like markup. The same every time. */

const paragraphs = [
  'The **moon** pulls on the near side of the earth more than on its centre, and least on the far side. ',
  'So there are two bulges of water; the earth turns under them, and most coasts see two tides a day.\n\n',
  '- near side: the pull is stronger than at the centre\n- far side: it is weaker, which also makes a bulge\n\n',
  'The difference falls off as $1/r^3$, so the sun, although 27 million times heavier, does less than half as much. ',
  'Is a < b or b > a here? Both say the same: `near < far` in distance, near > far in pull.\n\n',
  '```python\ndef pull(mass, r):\n    return G * mass / r ** 2  # newtons per kilogram\n```\n\n',
  'Spring tides come with new and full moon, neap tides in between. 月亮 and sun then pull along one line.\n\n',
];

/** A usual token. Unit: UTF-16 units. */
const pieceChars = 4;

/** A final answer of `chars` UTF-16 units under the label of our protocol, in pieces as a model sends them. */
export function labelledPieces(chars: number): string[] {
  return pieces(`\`\`FINISH\`\`\n${answerText(chars)}`);
}

/** The text in pieces of a token's length. */
export function pieces(text: string): string[] {
  const count = Math.ceil(text.length / pieceChars);
  return Array.from({ length: count }, (_, at) => text.slice(at * pieceChars, (at + 1) * pieceChars));
}

function answerText(chars: number): string {
  let text = '';
  for (let at = 0; text.length < chars; at++) text += paragraphs[at % paragraphs.length];
  // Cut inside a sentence, never inside the white space that a reader would trim.
  return `${text.slice(0, chars - 1)}.`;
}
