/** GitHub's REST API: read only, at one origin, to which alone a token is sent. */
import { PageError } from '../domain/errors.ts';
import type { AskGithub } from '../ports/github.ts';
import type { Clock } from '../ports/runtime.ts';

export interface GithubOptions {
  readonly token?: string | undefined;
  readonly clock: Clock;
  /** Where it is; GitHub itself when absent. */
  readonly origin?: string;
}

const limitMs = 15_000;

/** Redirects of renamed repositories are followed; they stay at the origin, or fail. */
export function githubApi({ token, clock, origin = 'https://api.github.com' }: GithubOptions): AskGithub {
  const headers = {
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    'user-agent': 'docent',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };

  return async (path, signal) => {
    const late = new AbortController();
    const cancel = clock.after(limitMs, () => late.abort(new PageError('GitHub did not answer in time')));
    const either = AbortSignal.any([signal, late.signal]);
    try {
      let url = new URL(path, origin);
      for (let hop = 0; hop < 3; hop += 1) {
        const response = await fetch(url, { headers, redirect: 'manual', signal: either });
        const next = response.headers.get('location');
        if (response.status < 300 || response.status >= 400 || next === null)
          return await answerOf(response, clock);
        await response.body?.cancel();
        url = new URL(next, url);
        if (url.origin !== new URL(origin).origin) throw new PageError('GitHub sends elsewhere for it');
      }
      throw new PageError('GitHub redirects without end');
    } catch (error) {
      signal.throwIfAborted();
      late.signal.throwIfAborted();
      throw error instanceof PageError ? error : new PageError('GitHub cannot be reached');
    } finally {
      cancel();
    }
  };
}

async function answerOf(response: Response, clock: Clock): Promise<unknown> {
  if (response.ok) return response.json();
  await response.body?.cancel();
  const { status, headers } = response;
  if (status === 404 || status === 451) throw new PageError('GitHub has nothing public there');
  if (status === 401)
    throw new PageError('GitHub does not take GITHUB_TOKEN; whoever runs me can give me another');
  if (status === 429 || (status === 403 && headers.get('x-ratelimit-remaining') === '0'))
    throw new PageError(`GitHub takes no more questions from me ${freeAgain(headers, clock)}`);
  throw new PageError(`GitHub answered ${status}`);
}

function freeAgain(headers: Headers, clock: Clock): string {
  const waitS = Number(headers.get('retry-after') ?? Number.NaN);
  const resetS = Number(headers.get('x-ratelimit-reset') ?? Number.NaN);
  const at = Number.isFinite(waitS) ? clock.now() + waitS * 1_000 : resetS * 1_000;
  return Number.isFinite(at) ? `until ${new Date(at).toISOString().slice(11, 16)} UTC` : 'for a while';
}
