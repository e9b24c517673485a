/** Files and what became of them in memory, for tests: same contract as every other store. */
import { createHash } from 'node:crypto';
import { type FileOutcome, maxFileBytes } from '../domain/file.ts';
import { BlobHash, type UserId } from '../domain/ids.ts';
import { type Blobs, blobLifeMs } from '../ports/blobs.ts';
import type { FileOutcomes } from '../ports/files.ts';
import type { Clock } from '../ports/runtime.ts';

interface Kept {
  readonly bytes: Uint8Array;
  until: number;
  /** When each person last put it. */
  readonly owners: Map<UserId, number>;
}

export function memoryBlobs(clock: Clock, maxBytes: number): Blobs {
  const all = new Map<BlobHash, Kept>();
  const alive = (hash: BlobHash) => {
    const kept = all.get(hash);
    return kept !== undefined && kept.until > clock.now() ? kept : undefined;
  };
  const renew = (kept: Kept) => {
    kept.until = Math.max(kept.until, clock.now() + blobLifeMs);
  };
  return {
    async put(bytes, { owner, until } = {}) {
      if (bytes.length > maxFileBytes)
        throw new Error(`a file of ${bytes.length} bytes is too large to be kept`);
      for (const [hash] of all) if (alive(hash) === undefined) all.delete(hash);
      const hash = BlobHash(createHash('sha256').update(bytes).digest('hex'));
      const used = [...all.values()].reduce((sum, each) => sum + each.bytes.length, 0);
      const known = all.get(hash);
      if (known === undefined && used + bytes.length > maxBytes) return 'full';
      const kept = known ?? { bytes: Uint8Array.from(bytes), until: 0, owners: new Map() };
      all.set(hash, kept);
      renew(kept);
      if (until === 'removed') kept.until = Number.POSITIVE_INFINITY;
      if (owner !== undefined) kept.owners.set(owner, clock.now());
      return hash;
    },
    async get(hash) {
      const kept = alive(hash);
      if (kept !== undefined) renew(kept);
      return kept?.bytes;
    },
    async delete(hash, owner) {
      const kept = alive(hash);
      if (kept === undefined) return false;
      if (owner !== undefined) kept.owners.delete(owner);
      if (owner === undefined || kept.owners.size === 0) all.delete(hash);
      return true;
    },
    async of(owner) {
      const own = [...all].flatMap(([hash, { owners }]) => {
        const at = owners.get(owner);
        return at === undefined || alive(hash) === undefined ? [] : [{ hash, at }];
      });
      return own.toSorted((a, b) => b.at - a.at).map(({ hash }) => hash);
    },
  };
}

export function memoryFileOutcomes(): FileOutcomes {
  const all = new Map<string, Map<string, FileOutcome>>();
  return {
    of: async (conversation, message) => new Map(all.get(`${conversation} ${message}`)),
    async record(conversation, message, file, outcome) {
      const key = `${conversation} ${message}`;
      all.set(key, new Map(all.get(key)).set(file, outcome));
    },
  };
}
