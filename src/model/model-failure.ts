/** From what went wrong to the `ModelError` a person can act on. Messages never hold the key or a whole body. */
import { ModelError, type ModelFailure } from '../domain/errors.ts';
import { cleanText } from './clean-text.ts';
import type { ServiceError } from './service-error.ts';
import { isOutOfCredit, isTooLong, isTransient, isUnknownModel } from './service-error-kinds.ts';

/** Who was asked. */
export interface Asked {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
}

/** Longest quotation of a service in a message. Unit: characters. */
const maxQuote = 200;

/** The service answered with an error. */
export function refusal(said: ServiceError, asked: Asked): ModelError {
  const { status } = said;
  const who = `The model service at ${hostOf(asked.baseUrl)}`;
  const answered = status === undefined ? '' : ` (${status})`;
  const make = (failure: ModelFailure, message: string, hint: string, retryable = false) =>
    new ModelError(failure, message, { hint, retryable, ...(status !== undefined && { status }) });
  const quote = quoted(said.message, asked);

  if (isOutOfCredit(said)) {
    return make(
      'rate_limited',
      `${who} says that the account has no credit left${answered}.`,
      'Add credit at the service, or set OPENAI_API_KEY to the key of an account that has some.',
    );
  }
  if (status === 401 || status === 403) {
    return make(
      'unauthorized',
      `${who} refused the API key${answered}.`,
      'Set OPENAI_API_KEY to a valid key of this service, one that may use this model.',
    );
  }
  if (status === 429) {
    return make(
      'rate_limited',
      `${who} takes no more requests for the moment${answered}.`,
      'Wait a little, then try again.',
      true,
    );
  }
  if (isTooLong(said)) {
    return make(
      'context_too_long',
      `The conversation is longer than the model ${asked.model} can take${answered}.`,
      'Start a new conversation, or set OPENAI_MODEL to a model with a larger context.',
    );
  }
  if (isTransient(said)) {
    return make(
      'server_error',
      `${who} failed${answered}${quote}.`,
      'Try again; if it stays like this, look at the state of the service.',
      true,
    );
  }
  if (isUnknownModel(said)) {
    return make(
      'unknown_model',
      `${who} does not know the model "${asked.model}"${answered}${quote}.`,
      'Set OPENAI_MODEL to a model that this service has. If the name is right, check OPENAI_BASE_URL: it usually ends in /v1.',
    );
  }
  if (status !== undefined && status >= 300 && status < 400) {
    return notAStream(`a redirect${answered}`, asked);
  }
  return make(
    'refused',
    `${who} refused the request${answered}${quote}.`,
    'The log has the details. Another model or service may accept it (OPENAI_MODEL, OPENAI_BASE_URL).',
  );
}

/** No connection, or none that lasted until an answer began. `cause` is the error of the network. */
export function unreachable(cause: unknown, asked: Asked): ModelError {
  const code = codeOf(cause);
  const what = code === 'ECONNRESET' || code === 'EPIPE' ? 'hung up without an answer' : 'cannot be reached';
  return new ModelError(
    'unreachable',
    `The model service at ${hostOf(asked.baseUrl)} ${what}${code === '' ? '' : ` (${code})`}.`,
    { hint: hintFor(code), retryable: true },
    { cause },
  );
}

/** Something answered, but not with a stream of completions. `what` is put in "answered with …". */
export function notAStream(what: string, asked: Asked): ModelError {
  return new ModelError(
    'not_a_stream',
    `${hostOf(asked.baseUrl)} answered with ${what} instead of a stream.`,
    {
      hint: 'Check OPENAI_BASE_URL: it must be the address of an OpenAI-compatible interface, which usually ends in /v1.',
      retryable: false,
    },
  );
}

/** The stream ended although the response had not. */
export function cutOff(asked: Asked, cause?: unknown): ModelError {
  return new ModelError(
    'cut',
    `The model service at ${hostOf(asked.baseUrl)} stopped in the middle of its answer.`,
    { hint: 'Try again.', retryable: true },
    { cause },
  );
}

/** A complete response without anything in it. */
export function emptyAnswer(asked: Asked): ModelError {
  return new ModelError('server_error', `The model ${asked.model} gave an empty answer.`, {
    hint: 'Try again.',
    retryable: true,
  });
}

/** A key that cannot be sent in a header at all, for example one with a line break from copying. */
export function unusableKey(asked: Asked): ModelError | undefined {
  if (/^[\x21-\x7e]*$/.test(asked.apiKey)) return undefined;
  return new ModelError('unauthorized', 'The API key holds blanks, line breaks or other signs no key has.', {
    hint: 'Copy OPENAI_API_KEY again, without anything before or after it.',
    retryable: false,
  });
}

/** Host and port as a person would look for them. */
export function hostOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return 'the address in OPENAI_BASE_URL';
  const { hostname, port, protocol } = new URL(baseUrl);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

function hintFor(code: string): string {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return 'Check the host name in OPENAI_BASE_URL and the network of this machine.';
  }
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|EPROTO|^HPE_/.test(code)) {
    return 'Check whether OPENAI_BASE_URL should begin with http:// or https://, and whether the certificate of the service is valid.';
  }
  if (code === 'ERR_INVALID_URL')
    return 'Set OPENAI_BASE_URL to a whole address, like http://127.0.0.1:11434/v1.';
  return 'Check that the service is running and that OPENAI_BASE_URL has the right host and port.';
}

/** The first error code in the chain of causes; several addresses tried at once hide theirs in a list. */
function codeOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    if (at instanceof AggregateError && at.errors.length > 0) return codeOf(at.errors[0]);
  }
  return '';
}

/** The service's own words, short and without anything that looks like a key; empty when it said nothing. */
function quoted(message: string, { apiKey }: Asked): string {
  const line = message
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (line === '') return '';
  const safe = (apiKey.length < 4 ? line : line.replaceAll(apiKey, '…')).replace(
    /\b(?:sk|pk|key|gsk|Bearer)[-_ ][\w.*-]{6,}/gi,
    '…',
  );
  return `: "${cleanText(safe.length > maxQuote ? `${safe.slice(0, maxQuote)}…` : safe)}"`;
}
