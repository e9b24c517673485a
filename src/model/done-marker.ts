/**
 * Finds the line that ends a stream of completions. Some servers send it and keep the socket open, so the marker,
 * not the end of the socket, is the end of the body.
 */
const marker = '[DONE]';
const markerLine = /[\r\n]data: ?\[DONE\]/;
/** Longest text that has to be seen at once. Unit: bytes. */
const reach = '\ndata: [DONE]'.length;

/** Returns a function that is given the bytes in order and says whether the marker line stands in this piece. */
export function doneMarker(): (piece: Buffer) => boolean {
  // The body may begin with the marker, as if a line break stood before its first byte.
  let tail = '\n';
  return (piece) => {
    const worthReading = piece.length <= reach || piece.includes(marker);
    const text = tail + piece.toString('latin1', 0, worthReading ? piece.length : reach);
    tail = (tail + piece.toString('latin1', Math.max(0, piece.length - reach))).slice(-reach);
    return markerLine.test(text);
  };
}
