/** Fetches files over HTTP from the hosts of one platform and from nowhere else, whatever an event or a redirect says. */
import { FileUnavailableError } from '../domain/errors.ts';
import type { FetchFile } from '../ports/files.ts';

export interface DownloadRules {
  /** Allowed origins, such as `https://files.slack.com`. */
  readonly origins: readonly string[];
  /** Sent to these origins only, for example an authorization. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Why an answer that looks well is not the file; undefined when it is. */
  readonly refuse?: (response: Response) => string | undefined;
}

const maxRedirects = 5;

/** The `source` of a reference is an http(s) address here. */
export function downloadFrom({ origins, headers = {}, refuse }: DownloadRules): FetchFile {
  const allowed = new Set(origins.map((origin) => new URL(origin).origin));
  return async (source, signal) => {
    let address = source;
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
      const url = URL.canParse(address) ? new URL(address) : undefined;
      if (url === undefined || !allowed.has(url.origin))
        throw new FileUnavailableError('refused', `files are not fetched from ${url?.origin ?? 'there'}`);
      const response = await fetch(url.href, { redirect: 'manual', signal, headers });
      const next = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || next === null)
        return bodyOf(response, refuse?.(response));
      await response.body?.cancel();
      address = URL.canParse(next, url.href) ? new URL(next, url).href : next;
    }
    throw new FileUnavailableError('refused', `it redirects more than ${maxRedirects} times`);
  };
}

async function bodyOf({ status, body }: Response, refusal: string | undefined): ReturnType<FetchFile> {
  if (status === 200 && refusal === undefined) return body ?? nothing();
  await body?.cancel();
  if (status === 200) throw new FileUnavailableError('refused', refusal ?? '');
  if (status === 404 || status === 410) throw new FileUnavailableError('gone', `the answer was ${status}`);
  if (status === 401 || status === 403) throw new FileUnavailableError('refused', `the answer was ${status}`);
  throw new Error(`the answer was ${status}`);
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
