/** What a model service said about a failure, in one shape whatever its dialect. */
export interface ServiceError {
  /** HTTP status, or the number given inside a stream; absent when there was none. */
  readonly status?: number;
  /** The service's own words; empty when it said nothing. May be long and may repeat the request. */
  readonly message: string;
  readonly code?: string;
  readonly type?: string;
  readonly param?: string;
}

/** Longer texts are cut before anything looks at them. Unit: characters. */
const maxMessage = 4_000;

/**
 * Reads the body of an error. Known dialects: `{error: {message, code, param}}` (OpenAI and most), `{error: "text"}`
 * (Ollama, LM Studio, xAI), fields at the top (vLLM), a list around it (Google), `{detail: [{loc, msg}]}` (FastAPI,
 * Mistral), the provider's answer under `metadata.raw` (OpenRouter). Anything else is taken as text.
 */
export function serviceErrorOf(body: unknown, status?: number): ServiceError {
  const outer = recordOf(Array.isArray(body) ? body[0] : body);
  if (!outer) return withStatus(status, { message: textOf(body) });
  const inner = recordOf(outer['error']) ?? outer;
  const details = detailsOf(inner['message']) ?? detailsOf(inner['detail']) ?? detailsOf(outer['errors']);
  const upstream = upstreamOf(recordOf(inner['metadata'])?.['raw']);
  const words = [
    details?.message ??
      firstText(inner['message'], outer['error'], inner['detail'], outer['message'], inner['msg']),
    upstream?.message ?? '',
  ];
  const code = upstream?.code ?? firstText(inner['code'], outer['code']);
  const type = upstream?.type ?? firstText(inner['type'], inner['error_type'], inner['status']);
  const param = upstream?.param ?? (firstText(inner['param']) || (details?.param ?? ''));
  return withStatus(status ?? numberOf(inner['code']) ?? numberOf(inner['status']), {
    message: words
      .filter((word) => word !== '')
      .join(': ')
      .slice(0, maxMessage),
    ...(code !== '' && { code }),
    ...(type !== '' && { type }),
    ...(param !== '' && { param }),
  });
}

/** The same for a body that is still text. */
export function serviceErrorOfText(text: string, status?: number): ServiceError {
  return serviceErrorOf(jsonOf(text), status);
}

/** The parsed value; the text itself when it is not JSON: a proxy's page or plain words. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function withStatus(status: number | undefined, error: ServiceError): ServiceError {
  return status === undefined ? error : { ...error, status };
}

/** Validation errors name the place as a path; the first one stands for all. */
function detailsOf(value: unknown): { message: string; param: string } | undefined {
  const known = typeof value === 'string' && value.startsWith('{"detail"') ? jsonOf(value) : value;
  const list = Array.isArray(known) ? known : recordOf(known)?.['detail'];
  if (!Array.isArray(list)) return undefined;
  const found = list.flatMap((entry) => {
    const record = recordOf(entry);
    if (!record) return [];
    const path = Array.isArray(record['loc'])
      ? record['loc'].filter((part) => part !== 'body').join('.')
      : '';
    const text = firstText(record['msg'], record['message']);
    return [{ path, text: path === '' ? text : `${path}: ${text}` }];
  });
  if (found.length === 0) return undefined;
  return { message: found.map((entry) => entry.text).join('; '), param: found[0]?.path ?? '' };
}

function upstreamOf(raw: unknown): ServiceError | undefined {
  return typeof raw === 'string' && raw !== '' ? serviceErrorOfText(raw) : undefined;
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim().slice(0, maxMessage) : '';
}

function firstText(...values: readonly unknown[]): string {
  for (const value of values) {
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return '';
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && number >= 400 && number < 600 ? number : undefined;
}
