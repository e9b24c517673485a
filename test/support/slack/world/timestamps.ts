/** Slack's `ts`: seconds and microseconds as text, growing, never the same twice. */

/** `now` in milliseconds. */
export function timestampsOf(now: () => number): () => string {
  let last = 0;
  return () => {
    last = Math.max(last + 100, Math.floor(now()) * 1_000);
    return `${Math.floor(last / 1_000_000)}.${String(last % 1_000_000).padStart(6, '0')}`;
  };
}

export const isTs = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{10}\.\d{6}$/.test(value);

/** Texts of this form sort like the times they stand for. Unit of the result: milliseconds. */
export const timeOf = (ts: string): number => Number(ts.replace('.', '')) / 1_000;
