/** A GET of GitHub's REST API, such as `/repos/o/r`. Rejects with a `PageError`, unless the signal was aborted. */
export type AskGithub = (path: string, signal: AbortSignal) => Promise<unknown>;
