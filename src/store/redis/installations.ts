/** The workspaces that installed the bot, each with its token: unreadable without the secret of the deployment. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { RedisClient } from './client.ts';
import { globalKeys } from './keys.ts';

export interface Installations {
  /** Undefined when it is not installed there, or was installed under another secret. */
  tokenOf(team: string): Promise<string | undefined>;
  put(team: string, installed: Installed): Promise<void>;
  remove(team: string): Promise<void>;
}

export interface Installed {
  readonly token: string;
  /** The workspace by its name, for operators. */
  readonly name: string;
}

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const stored = z.object({ token: z.string(), name: z.string() });

export function redisInstallations(redis: RedisClient, secret: string, surface: string): Installations {
  const key = Buffer.from(hkdfSync('sha256', secret, surface, 'installations', 32));
  const keyOf = (team: string) => globalKeys.installation(surface, team);
  return {
    async tokenOf(team) {
      const kept = await redis.get(keyOf(team));
      const text = kept === null ? undefined : opened(kept, key, team);
      return text === undefined ? undefined : stored.parse(JSON.parse(text)).token;
    },
    async put(team, { token, name }) {
      await redis.set(keyOf(team), sealed(JSON.stringify({ token, name }), key, team));
    },
    async remove(team) {
      await redis.del(keyOf(team));
    },
  };
}

/** What belongs to one workspace cannot be put in the place of another. */
function sealed(text: string, key: Buffer, team: string): string {
  const iv = randomBytes(ivBytes);
  const seal = createCipheriv(cipher, key, iv).setAAD(Buffer.from(team));
  const body = Buffer.concat([seal.update(text, 'utf8'), seal.final()]);
  return Buffer.concat([iv, seal.getAuthTag(), body]).toString('base64');
}

function opened(text: string, key: Buffer, team: string): string | undefined {
  const all = Buffer.from(text, 'base64');
  try {
    const open = createDecipheriv(cipher, key, all.subarray(0, ivBytes))
      .setAAD(Buffer.from(team))
      .setAuthTag(all.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([open.update(all.subarray(ivBytes + tagBytes)), open.final()]).toString('utf8');
  } catch {
    return undefined; // sealed with another secret, or damaged: the bot is to be installed anew
  }
}
