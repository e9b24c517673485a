// The primary is lost under a running Docent: the sentinels make its replica the primary, and the conversation goes on.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { docentChat, startDocent } from '../support/docent-chat.ts';
import { type RedisNodes, startSentinels } from '../support/redis/nodes.ts';

let nodes: RedisNodes;
beforeAll(async () => void (nodes = await startSentinels()), 60_000);
afterAll(() => nodes.close());

test('what was said before the fail-over is known behind it, and the same process answers', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docent-sentinel-'));
  const env = { REDIS_URL: nodes.url, DOCENT_DATA: folder, PORT: '0' };
  const docent = await startDocent(['start'], { PATH: process.env['PATH'] ?? '', ...env }, folder);
  try {
    const before = await docentChat(['remember that I like proofs'], env);
    expect(before.code).toBe(0);
    const lost = await nodes.primary();
    await nodes.kill(lost);
    await expect.poll(() => nodes.primary(), { timeout: 60_000 }).not.toBe(lost);
    const after = await docentChat(['what do you know about me?'], env);
    expect(after.out).toContain('like proofs');
    expect(docent.exitCode).toBeNull();
  } finally {
    docent.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}, 180_000);
