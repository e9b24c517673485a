/** What the keys of a Redis take, kind by kind. */
import type { Redis } from 'ioredis';

/**
 * Bytes of each kind of key, the largest first. The kind is what stands behind the root (`docent:ref:…`, `{docent}:pauses:…`);
 * of a conversation's keys it is the last word (`docent:{c1}:discord:7:seen:42`).
 */
export async function sizesByKind(redis: Redis): Promise<readonly (readonly [string, number])[]> {
  const sizes = new Map<string, number>();
  for await (const found of redis.scanStream({ count: 1_000 })) {
    const keys = found as string[];
    const measured = await Promise.all(keys.map((key) => redis.memory('USAGE', key, 'SAMPLES', 0)));
    for (const [at, key] of keys.entries()) {
      const kind = kindOf(key);
      sizes.set(kind, (sizes.get(kind) ?? 0) + Number(measured[at]));
    }
  }
  return [...sizes].toSorted(([, a], [, b]) => b - a);
}

function kindOf(key: string): string {
  const [, behindRoot = key, ...rest] = key.split(':');
  return behindRoot.startsWith('{') ? (rest.findLast((word) => /^[a-z-]+$/.test(word)) ?? key) : behindRoot;
}

/** `seen 540, state 120`: bytes per item. */
export function perItem(sizes: readonly (readonly [string, number])[], items: number): string {
  return sizes.map(([kind, bytes]) => `${kind} ${Math.round(bytes / items)}`).join(', ');
}
