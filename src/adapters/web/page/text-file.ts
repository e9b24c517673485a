/** The beginning of a text file, whatever its size and encoding; what is no text is told. */

const notText = { problem: 'this is no text. I read text, Markdown, code, CSV and PDF.' } as const;

/** Reads no more of the file than `maxChars` characters can take. */
export async function beginningOf(
  file: Blob,
  maxChars: number,
): Promise<{ text: string; isCut: boolean } | { problem: string }> {
  const maxBytes = maxChars * 4 + 4;
  const bytes = new Uint8Array(await file.slice(0, maxBytes).arrayBuffer());
  const whole = decoded(bytes, file.size <= maxBytes);
  if (whole === undefined) return notText;
  const text = whole.slice(0, maxChars);
  const isHalf = /[\uD800-\uDBFF]$/.test(text) && text.length < whole.length;
  return { text: isHalf ? text.slice(0, -1) : text, isCut: whole.length > maxChars || file.size > maxBytes };
}

/** By its mark, else as UTF-8, else as what Windows programs write. Undefined: bytes that no text has. */
function decoded(bytes: Uint8Array, isWhole: boolean): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return text('utf-16le');
  if (first === 0xfe && second === 0xff) return text('utf-16be');
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u0008\u000E-\u001A\u001C-\u001F]/.test(new TextDecoder('latin1').decode(bytes)))
    return undefined;
  try {
    return text('utf-8', true);
  } catch {
    return text('windows-1252');
  }

  function text(encoding: string, fatal = false): string {
    // A character that is cut off at the end of what was read is left out.
    return new TextDecoder(encoding, { fatal })
      .decode(bytes, { stream: !isWhole })
      .replaceAll(/\r\n?/g, '\n');
  }
}
