/** M2: what a turn that waits for an answer takes in Redis, with everything around it, against its JSON. */

import { systemClock } from '../../src/observe/clock.ts';
import type { ModelChunk } from '../../src/ports/model.ts';
import { redisConversations } from '../../src/store/redis/conversations.ts';
import type { Mode, Row } from '../harness.ts';
import { pieces } from '../support/answer-text.ts';
import { inFlight } from '../support/in-flight.ts';
import { perItem, sizesByKind } from '../support/key-sizes.ts';
import { memoryPair } from '../support/memory-row.ts';
import type { BenchRedis } from '../support/redis-server.ts';
import { said } from '../support/said.ts';
import type { StoredTalk } from '../support/stored-talk.ts';
import { retentionS } from '../support/turn-service.ts';

const pauses: Readonly<Record<Mode, number>> = { quick: 2_000, full: 10_000 };
const request = 'Help me to revise for the physics test on Friday, please.';
const card = {
  intro: 'I can make a plan for the days until then.',
  questions: [
    {
      prompt: 'Which chapter shall we begin with?',
      options: [
        { label: 'Forces and motion', description: 'chapters 3 and 4' },
        { label: 'Work and energy', description: 'chapter 5' },
        { label: 'Tides and gravity', description: 'chapter 6' },
        { label: 'A bit of everything' },
      ],
    },
  ],
};

export const pauseMemory: Row = {
  id: 'M2',
  metric: 'memory of all keys of a turn that waits for an answer, its alarm included / its JSON; bytes',
  kind: 'exact',
  goal: 2.6,
  bound: 'max',
  warmUps: { quick: 0, full: 0 },
  rounds: { quick: 1, full: 1 },
  open: (mode) => memoryPair(asking(), (redis, talk) => fill(redis, talk, pauses[mode])),
};

async function fill({ redis, memory }: BenchRedis, talk: StoredTalk, count: number) {
  // One is not counted: what there is only once (scripts, queues) is there already.
  await talk.exchange(count, count, request);
  const before = await memory();
  await inFlight(count, (place) => talk.exchange(place, place, request));
  const bytes = (await memory()) - before;
  const sizes = await sizesByKind(redis);
  const store = redisConversations({ redis, clock: systemClock, retentionS });
  let json = 0;
  await inFlight(count, async (place) => {
    const { records, pause } = await store.claim(said(place, 0).conversation);
    if (pause?.card === undefined) throw new Error('a turn does not wait for an answer');
    for (const part of [...records, pause]) json += Buffer.byteLength(JSON.stringify(part));
  });
  return { bytes: bytes / count, json: json / count, detail: perItem(sizes, count + 1) };
}

function asking(): ModelChunk[] {
  return [
    ...pieces('``TOOL``\nI ask which chapter it is about.').map(
      (text): ModelChunk => ({ type: 'text', text }),
    ),
    { type: 'call', index: 0, id: 'call_W4nB3kQhT2', name: 'ask_user', args: JSON.stringify(card) },
    { type: 'finish', reason: 'calls' },
    { type: 'usage', usage: { prompt: 640, completion: 120 } },
  ];
}
