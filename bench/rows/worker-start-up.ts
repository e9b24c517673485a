/** B2: what a worker costs until it could connect, against loading the packages that a bot is usually made of. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { NotHere, Pair, Row } from '../harness.ts';
import { missingPackages } from '../support/peers.ts';
import { cpuOfNode } from '../support/spawned.ts';

const run = promisify(execFile);
const file = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
/** From the root of the repository. */
const built = 'bench/node_modules/.cache/worker-start';

export const workerStartUp: Row = {
  id: 'B2',
  metric:
    'CPU of a worker until it could connect / of importing discord.js, @slack/bolt, openai, bullmq, zod; ms',
  kind: 'cpu',
  goal: 0.45,
  bound: 'max',
  warmUps: { quick: 1, full: 1 },
  rounds: { quick: 3, full: 11 },
  open,
};

async function open(): Promise<Pair | NotHere> {
  const missing = missingPackages('discord.js', '@slack/bolt');
  if (missing !== undefined) return missing;
  await run(process.execPath, [file('../scripts/build.mjs'), 'bench/support/worker-start.ts', built]);
  return {
    product: () => cpuOfNode(file(`../${built}/worker-start.js`)),
    anchor: () => cpuOfNode(file('variants/peer-imports.mjs')),
    close: async () => {},
  };
}
