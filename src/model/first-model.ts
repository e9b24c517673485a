/** Which model to use when none is set: the first one the service lists. */
import { z } from 'zod';
import { ModelError } from '../domain/errors.ts';
import type { Fetch } from './http-fetch.ts';
import { hostOf, refusal, unreachable, unusableKey } from './model-failure.ts';
import { serviceErrorOfText } from './service-error.ts';

const limitMs = 10_000;
const listing = z.object({ data: z.array(z.object({ id: z.string().min(1) })) });
/** Models that do not chat stand in the same list. */
const otherKinds = /embed|whisper|\btts\b|dall-e|rerank|moderation|transcribe/i;

/**
 * Reads `GET /models`. Throws `ModelError` when the service cannot be reached, refuses the key or lists no model; an
 * aborted `signal` counts as not reached.
 */
export async function firstModelId(
  baseUrl: string,
  apiKey: string,
  fetch: Fetch = globalThis.fetch,
  signal: AbortSignal = AbortSignal.timeout(limitMs),
): Promise<string> {
  const asked = { baseUrl, apiKey, model: '' };
  const badKey = unusableKey(asked);
  if (badKey) throw badKey;
  let status: number;
  let text: string;
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/models`, {
      headers: apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` },
      signal,
    });
    status = response.status;
    text = await response.text();
  } catch (error) {
    throw unreachable(error, asked);
  }
  if (status === 401 || status === 403) throw refusal(serviceErrorOfText(text, status), asked);
  const ids = idsIn(text);
  const id = ids.find((candidate) => !otherKinds.test(candidate)) ?? ids[0];
  if (status < 300 && id !== undefined) return id;
  throw new ModelError('unknown_model', `${hostOf(baseUrl)} lists no model (${status}).`, {
    hint: 'Set OPENAI_MODEL to a model of this service. If it should list some, check OPENAI_BASE_URL: it usually ends in /v1.',
    retryable: status >= 500,
    status,
  });
}

function idsIn(text: string): readonly string[] {
  try {
    const parsed = listing.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data.data.map((model) => model.id) : [];
  } catch {
    // A web page, for example: it lists nothing.
    return [];
  }
}
