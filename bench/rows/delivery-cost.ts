/** S4: what the delivery of a streamed answer costs, against the `chat` SDK. */
import type { Row } from '../harness.ts';
import { inTwoProcesses } from '../support/pairs.ts';
import { missingPackages } from '../support/peers.ts';

export const deliveryCost: Row = {
  id: 'S4',
  metric: 'CPU of delivering an answer of 500 chunks in 1 s, 200 at once / a thread of chat; µs per answer',
  kind: 'cpu',
  goal: 0.15,
  bound: 'max',
  warmUps: { quick: 3, full: 5 },
  rounds: { quick: 3, full: 7 },
  open: async () =>
    missingPackages('chat', '@chat-adapter/state-memory') ??
    inTwoProcesses('docent-delivery.ts', 'chat-delivery.mjs'),
};
