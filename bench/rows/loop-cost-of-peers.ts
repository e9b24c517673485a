/** L2: what a tool round costs, against the loops that others offer. */
import type { NotHere, Pair, Row } from '../harness.ts';
import { inTwoProcesses } from '../support/pairs.ts';
import { missingPackages } from '../support/peers.ts';

export const loopCostOfAi: Row = {
  id: 'L2.ai',
  metric: 'CPU per tool round, 20 rounds a turn / streamText of ai; µs',
  kind: 'cpu',
  goal: 0.45,
  bound: 'max',
  warmUps: { quick: 4, full: 20 },
  rounds: { quick: 5, full: 15 },
  open: () => againstPeer(['ai', '@ai-sdk/openai-compatible'], 'ai-loop.mjs'),
};

export const loopCostOfAgents: Row = {
  id: 'L2.agents',
  metric: 'CPU per tool round, 20 rounds a turn / run of @openai/agents; µs',
  kind: 'cpu',
  goal: 0.55,
  bound: 'max',
  warmUps: { quick: 4, full: 20 },
  rounds: { quick: 5, full: 15 },
  open: () => againstPeer(['@openai/agents'], 'agents-loop.mjs'),
};

async function againstPeer(packages: readonly string[], variant: string): Promise<Pair | NotHere> {
  const missing = missingPackages(...packages);
  if (missing !== undefined) return missing;
  return inTwoProcesses('docent-loop.ts', variant);
}
