/** Reads the `data` of server-sent events from bytes that are cut anywhere. */

/**
 * Returns a function that is given the bytes in order and returns the data of the events that are complete by now;
 * called without bytes it returns what is left at the end of a body. Comments and other fields are passed over.
 * Linear, however the bytes are cut.
 */
export function sseData(): (bytes?: Uint8Array) => string[] {
  const decoder = new TextDecoder();
  /** The unfinished line in pieces, and the lines of the unfinished event. */
  let line: string[] = [];
  let data: string[] = [];
  let endedInCr = false;

  return (bytes) => {
    let text = bytes ? decoder.decode(bytes, { stream: true }) : `${decoder.decode()}\n\n`;
    // A line ends with CR, LF or both, and both may be cut apart.
    if (endedInCr && text.startsWith('\n')) text = text.slice(1);
    if (text !== '') endedInCr = text.endsWith('\r');
    if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n');

    const events: string[] = [];
    let from = 0;
    for (let to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
      const rest = text.slice(from, to);
      const whole = line.length === 0 ? rest : line.join('') + rest;
      line = [];
      from = to + 1;
      if (whole === '') {
        if (data.length > 0) events.push(data.length === 1 ? (data[0] ?? '') : data.join('\n'));
        data = [];
      } else if (whole.startsWith('data:')) {
        data.push(whole.slice(whole[5] === ' ' ? 6 : 5));
      }
    }
    if (from < text.length) line.push(text.slice(from));
    return events;
  };
}
