/** What every store of files must do; each implementation runs this suite. */
import { beforeEach, describe, expect, test } from 'vitest';
import { maxFileBytes } from '../../src/domain/file.ts';
import { BlobHash, UserId } from '../../src/domain/ids.ts';
import { type Blobs, blobLifeMs } from '../../src/ports/blobs.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';

const ann = UserId('discord:1');
const ben = UserId('discord:2');
const day = 24 * 3_600_000;

/** Bytes that differ with `seed`. */
export function bytesOf(length: number, seed = 1): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => (at * 31 + seed * 7 + (at >> 9)) % 251);
}

/** `open` gives an empty store with room for so many bytes. */
export function blobsContract(
  name: string,
  open: (clock: ManualClock, maxBytes: number) => Promise<Blobs>,
): void {
  describe(name, () => {
    let clock: ManualClock;
    let blobs: Blobs;
    beforeEach(async () => {
      clock = manualClock(1_000_000);
      blobs = await open(clock, 2_000_000);
    });

    const put = async (...given: Parameters<Blobs['put']>): Promise<BlobHash> => {
      const hash = await blobs.put(...given);
      if (hash === 'full') throw new Error('full');
      return hash;
    };

    test.each([
      ['nothing', 0],
      ['one byte', 1],
      ['one chunk to the byte', 512 * 1024],
      ['one byte more than a chunk', 512 * 1024 + 1],
      ['several chunks', 1_600_000],
    ])('%s comes back as it was put', async (_name, length) => {
      const hash = await put(bytesOf(length));
      expect(hash).toMatch(/^[0-9a-f]{64}$/);
      expect(Buffer.compare(Buffer.from((await blobs.get(hash)) ?? 'lost'), bytesOf(length))).toBe(0);
    });

    test('what was never put is not there', async () => {
      expect(await blobs.get(BlobHash('0'.repeat(64)))).toBeUndefined();
      expect(await blobs.delete(BlobHash('0'.repeat(64)))).toBe(false);
      expect(await blobs.of(ann)).toEqual([]);
    });

    test('the same bytes are kept once, whoever puts them and however many at once', async () => {
      const hashes = await Promise.all(
        [ann, ben, ann, ben].map((owner) => put(bytesOf(1_500_000), { owner })),
      );
      expect(new Set(hashes).size).toBe(1);
      expect(await put(bytesOf(500_000, 2))).toMatch(/./); // 2,000,000 bytes in all
    });

    test('beyond the limit nothing is taken, and what was removed makes room', async () => {
      const first = await put(bytesOf(1_500_000));
      expect(await blobs.put(bytesOf(500_001, 2))).toBe('full');
      expect(await blobs.delete(first)).toBe(true);
      expect(await blobs.get(first)).toBeUndefined();
      expect(await blobs.put(bytesOf(2_000_001, 3))).toBe('full');
      await put(bytesOf(2_000_000, 3));
    });

    test('of many that come at once no more are taken than there is room for', async () => {
      const all = await Promise.all(
        Array.from({ length: 12 }, (_, at) => blobs.put(bytesOf(300_000, at + 1))),
      );
      expect(all.filter((hash) => hash !== 'full')).toHaveLength(6);
    });

    test('one that is too large is never taken', async () => {
      await expect(blobs.put(new Uint8Array(maxFileBytes + 1))).rejects.toThrow('too large');
    });

    test('it is gone a week after it was last put or asked for, and its room is free', async () => {
      const hash = await put(bytesOf(1_500_000), { owner: ann });
      await clock.advance(5 * day);
      expect(await blobs.get(hash)).toHaveLength(1_500_000);
      await clock.advance(5 * day);
      await put(bytesOf(1_500_000), { owner: ben });
      await clock.advance(blobLifeMs - 1);
      expect(await blobs.of(ann)).toEqual([hash]);
      await clock.advance(1);
      expect(await blobs.get(hash)).toBeUndefined();
      expect(await blobs.of(ben)).toEqual([]);
      await put(bytesOf(2_000_000, 2));
    });

    test('what is kept until it is removed stays, also when it is put again for a week', async () => {
      const hash = await put(bytesOf(1_000), { owner: ann, until: 'removed' });
      await put(bytesOf(1_000), { owner: ben });
      await clock.advance(100 * day);
      expect(await blobs.get(hash)).toHaveLength(1_000);
      expect(await blobs.of(ann)).toEqual([hash]);
      expect(await blobs.delete(hash)).toBe(true);
      expect(await blobs.of(ann)).toEqual([]);
    });

    test('what belongs to a person is found, and removed for them alone while others have it', async () => {
      const shared = await put(bytesOf(1_000, 1), { owner: ann });
      await clock.advance(1);
      await put(bytesOf(1_000, 1), { owner: ben });
      const own = await put(bytesOf(1_000, 2), { owner: ann });
      expect(await blobs.of(ann)).toEqual([own, shared]);
      for (const hash of await blobs.of(ann)) expect(await blobs.delete(hash, ann)).toBe(true);
      expect(await blobs.of(ann)).toEqual([]);
      expect(await blobs.get(own)).toBeUndefined();
      expect(await blobs.get(shared)).toHaveLength(1_000);
      expect(await blobs.of(ben)).toEqual([shared]);
      await blobs.delete(shared, ben);
      expect(await blobs.get(shared)).toBeUndefined();
    });
  });
}
