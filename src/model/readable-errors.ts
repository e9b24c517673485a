/** Makes what a service says about an error survive the SDK, which keeps only the `error` member of its body. */
import type { Fetch } from './http-fetch.ts';
import { serviceErrorOfText } from './service-error.ts';

/** Longest body of an error that is read. Unit: bytes. */
const maxErrorBody = 65_536;

/** The same `fetch`, but the body of an error is folded into the one form that the SDK reads. */
export function withReadableErrors(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.ok || response.body === null) return response;
    const { status, headers } = response;
    const error = serviceErrorOfText(await startOf(response), status);
    return new Response(JSON.stringify({ error }), { status, headers });
  };
}

/** The first 64 KB of a body as text; the rest is not waited for. */
export async function startOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    bytes += chunk.byteLength;
    if (bytes >= maxErrorBody) break;
  }
  return text;
}
