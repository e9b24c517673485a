/** B1: what `docent --help` costs, against a node that does nothing. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { NotHere, Pair, Row } from '../harness.ts';
import { cpuOfNode } from '../support/spawned.ts';

export const startUp: Row = {
  id: 'B1',
  metric: 'CPU of docent --help / bare node; ms',
  kind: 'cpu',
  goal: 1.8,
  bound: 'max',
  warmUps: { quick: 1, full: 1 },
  rounds: { quick: 5, full: 11 },
  open,
};

async function open(): Promise<Pair | NotHere> {
  const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
  if (!existsSync(cli)) return { notHere: 'dist/cli.js is not built; run: npm run build' };
  return {
    product: () => cpuOfNode(cli, '--help'),
    anchor: () => cpuOfNode('-e', '0'),
    close: async () => {},
  };
}
