/** M1: what the journal of a conversation takes in Redis, against its records as JSON. */
import { ConversationId } from '../../src/domain/ids.ts';
import type { ModelChunk } from '../../src/ports/model.ts';
import { readJournal, writeRecord } from '../../src/store/journal-form.ts';
import { conversationKeys } from '../../src/store/redis/keys.ts';
import type { Mode, Row } from '../harness.ts';
import { labelledPieces } from '../support/answer-text.ts';
import { inFlight } from '../support/in-flight.ts';
import { perItem, sizesByKind } from '../support/key-sizes.ts';
import { memoryPair } from '../support/memory-row.ts';
import type { BenchRedis } from '../support/redis-server.ts';
import { said } from '../support/said.ts';
import type { StoredTalk } from '../support/stored-talk.ts';

const conversations: Readonly<Record<Mode, number>> = { quick: 200, full: 2_000 };
/** A question and an answer each: a conversation has 20 messages. */
const exchanges = 10;
const answerChars = 1_000;
const question =
  'Could you explain once more why there are two tides a day, although there is only one moon?';

export const journalMemory: Row = {
  id: 'M1',
  metric: 'memory of the journal of a conversation of 20 messages / its records as JSON; bytes',
  kind: 'exact',
  goal: 1.2,
  bound: 'max',
  warmUps: { quick: 0, full: 0 },
  rounds: { quick: 1, full: 1 },
  open: (mode) => memoryPair(answer(), (redis, talk) => fill(redis, talk, conversations[mode])),
};

async function fill({ redis, memory }: BenchRedis, talk: StoredTalk, count: number) {
  await inFlight(count, async (place) => {
    for (let n = 0; n < exchanges; n += 1) await talk.exchange(place, place * exchanges + n, question);
  });
  const journals = Array.from({ length: count }, (_, n) => conversationKeys(said(n, 0).conversation).journal);
  const sizes = await sizesByKind(redis);
  const lengths = await Promise.all(journals.map((key) => jsonLength(redis, key)));
  const withJournals = await memory();
  await Promise.all(journals.map((key) => redis.del(key)));
  const bytes = withJournals - (await memory());
  const json = lengths.reduce((sum, length) => sum + length, 0);
  return { bytes: bytes / count, json: json / count, detail: `all keys: ${perItem(sizes, count)}` };
}

async function jsonLength(redis: BenchRedis['redis'], journal: string): Promise<number> {
  const texts = await redis.lrange(journal, 0, -1);
  const records = readJournal(texts, ConversationId('bench:any'));
  return records.reduce((sum, record) => sum + Buffer.byteLength(writeRecord(record)), 0);
}

function answer(): ModelChunk[] {
  return [
    ...labelledPieces(answerChars).map((text): ModelChunk => ({ type: 'text', text })),
    { type: 'finish', reason: 'stop' },
    { type: 'usage', usage: { prompt: 812, completion: 260 } },
  ];
}
