import type { BlobHash, UserId } from '../domain/ids.ts';

/** Files received and made, by the hash of their bytes: the same bytes are kept once, whoever sent them. */
export interface Blobs {
  /**
   * Keeps bytes. `full`: with them all files together would take more than is allowed. Throws above `maxFileBytes`, and
   * when the store is away; doing it again is harmless.
   */
  put(bytes: Uint8Array, how?: BlobKeeping): Promise<BlobHash | 'full'>;
  /** Undefined when it was never here, was removed, or nobody asked for it within a week. */
  get(hash: BlobHash): Promise<Uint8Array | undefined>;
  /** Removes it; with an owner it stays as long as somebody else has it. False when it was not there. */
  delete(hash: BlobHash, owner?: UserId): Promise<boolean>;
  /** What belongs to a person, newest first. */
  of(owner: UserId): Promise<readonly BlobHash[]>;
}

export interface BlobKeeping {
  /** Whose it is; the same bytes may belong to several people. */
  readonly owner?: UserId;
  /** `week`, the default: a week after they were last put or asked for. Bytes once kept until removal stay so. */
  readonly until?: 'week' | 'removed';
}

/** Unit: milliseconds. */
export const blobLifeMs = 7 * 24 * 3_600 * 1_000;
