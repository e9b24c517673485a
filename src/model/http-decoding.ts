/** Undoes a compression that the server applied although nobody asked for it. */
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** The plain bytes of a response; the message itself when it is not compressed. Errors of either end up on the result. */
export function decoded(message: IncomingMessage): Readable {
  const decoder = decoderFor(message.headers['content-encoding']);
  if (!decoder) return message;
  // The decoder is destroyed with the error, which is where the reader looks for it.
  pipeline(message, decoder, () => {});
  return decoder;
}

function decoderFor(encoding = '') {
  switch (encoding.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}
