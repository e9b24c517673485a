import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CallId, ConversationId, UserId } from '../../src/domain/ids.ts';
import type { Tool, ToolContext } from '../../src/ports/tool.ts';
import { redisMemories } from '../../src/store/redis/memories.ts';
import { readMemoryTool } from '../../src/tools/read-memory.ts';
import { writeMemoryTool } from '../../src/tools/write-memory.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';
import { startTestRedis, type TestRedis } from '../support/redis/redis.ts';

const ann = UserId('discord:1');
const bob = UserId('discord:2');
const conversation = ConversationId('discord:7');
const turn = {
  conversation,
  address: { surface: 'discord', place: '7', replyTo: '70', locale: 'de' },
  isScheduled: false,
};
const day = 24 * 3_600_000;

let server: TestRedis;
let clock: ManualClock;
let calls: number;
beforeAll(async () => void (server = await startTestRedis()));
afterAll(() => server.close());
beforeEach(async () => {
  await server.clear();
  clock = manualClock(Date.parse('2026-11-30T18:00Z'));
  calls = 0;
});

const memories = () => redisMemories(server.redis, clock);
/** As many tokens as characters: budgets can be counted by hand. */
const estimateTokens = (text: string) => text.length;

function run(tool: Tool, args: Record<string, unknown>, change: Partial<ToolContext> = {}) {
  calls += 1;
  return tool.run(args, {
    callId: CallId(`c${calls}`),
    idempotencyKey: `discord:7:t1:c${calls}`,
    user: ann,
    turn,
    signal: new AbortController().signal,
    ...change,
  });
}

const write = (args: Record<string, unknown>, change: Partial<ToolContext> = {}) =>
  run(writeMemoryTool(memories()), args, change);
const read = (args: Record<string, unknown> = {}, change: Partial<ToolContext> = {}) =>
  run(readMemoryTool({ memories: memories(), clock, estimateTokens }), args, change);

async function told(result: Promise<Awaited<ReturnType<Tool['run']>>>): Promise<string> {
  const { kind, ...rest } = await result;
  if (kind !== 'text' || !('text' in rest)) throw new Error(JSON.stringify(rest));
  return rest.text;
}

/** The texts that read_memory shows, in its order. */
async function shown(
  args: Record<string, unknown> = {},
  change: Partial<ToolContext> = {},
): Promise<string[]> {
  const text = await told(read(args, change));
  return JSON.parse(text).memories.map((memory: { text: string }) => memory.text);
}

async function remember(...texts: string[]): Promise<void> {
  for (const text of texts) await told(write({ op: 'add', text }));
}

test('remembered, shown, corrected, forgotten', async () => {
  const added = await told(write({ op: 'add', text: 'prefers short proofs', kind: 'preference' }));
  const id = /m[0-9a-z]{8}/.exec(added)?.[0];
  expect(added).toBe(`Remembered as ${id} "prefers short proofs" (preference, me).`);
  expect(JSON.parse(await told(read()))).toEqual({
    memories: [{ id, text: 'prefers short proofs', kind: 'preference', scope: 'me', on: '2026-11-30' }],
  });
  expect(await told(write({ op: 'edit', target_id: id, text: 'prefers long proofs', scope: 'course' }))).toBe(
    `Changed ${id} "prefers long proofs" (preference, course); before: "prefers short proofs".`,
  );
  expect(await told(write({ op: 'forget', target_id: ` ${id} ` }))).toBe(
    `Forgotten: ${id} "prefers long proofs" (preference, course).`,
  );
  expect(await told(read())).toBe('Nothing is remembered about this person yet.');
});

test('what is remembered points at the message in which it was said', async () => {
  await remember('exam in June');
  const [memory] = await memories().list(ann);
  expect(memory?.evidence).toEqual({ conversation, message: { surface: 'discord', place: '7', id: '70' } });
});

test('where a surface has no messages the conversation is the evidence', async () => {
  const bare = { ...turn, address: { surface: 'term', place: 'local' } };
  await write({ op: 'add', text: 'exam in June' }, { turn: bare });
  expect((await memories().list(ann))[0]?.evidence).toEqual({ conversation });
});

test('a call that is repeated after a crash adds nothing', async () => {
  const key = { idempotencyKey: 'discord:7:t1:same' };
  const first = await told(write({ op: 'add', text: 'exam in June' }, key));
  expect(await told(write({ op: 'add', text: 'exam in June' }, key))).toBe(first);
  expect(await memories().list(ann)).toHaveLength(1);
});

test('they are published in plain JSON schema', () => {
  const { schema, required, effect } = writeMemoryTool(memories());
  expect([required, effect]).toEqual([['op'], 'idempotent']);
  expect(schema.parameters).toMatchObject({
    properties: {
      op: { enum: ['add', 'edit', 'forget'] },
      text: { maxLength: 240 },
      kind: { enum: ['preference', 'goal', 'fact', 'constraint'] },
      scope: { enum: ['me', 'course'] },
    },
  });
  expect(JSON.stringify(schema.parameters)).not.toContain('anyOf');
  expect(readMemoryTool({ memories: memories(), clock, estimateTokens }).required).toEqual([]);
});

test.each([
  [{ op: 'add' }, 'text: write what to remember, it is missing or blank.'],
  [{ op: 'add', text: ' \n ' }, 'text: write what to remember, it is missing or blank.'],
  [
    { op: 'add', text: 'x'.repeat(241) },
    `text: expected text of at most 240 characters, got "${'x'.repeat(59)}…".`,
  ],
  [{ op: 'edit', text: 'exam in June' }, 'target_id: say which memory; read_memory shows the ids.'],
  [{ op: 'forget', target_id: '' }, 'target_id: say which memory; read_memory shows the ids.'],
  [{ op: 'remove' }, 'op: expected one of "add", "edit", "forget", got "remove".'],
  [
    { op: 'add', text: 'x', kind: 'rumour' },
    'kind: expected one of "preference", "goal", "fact", "constraint", got "rumour".',
  ],
  [
    { op: 'add', text: 'my key is sk-abcdefghijklmnop' },
    'text: it holds what looks like a key or a password; those are not remembered.',
  ],
])('write_memory refuses %j as a failed result', async (args, problem) => {
  const refused = await write(args);
  expect(refused).toMatchObject({ kind: 'failed', badArgs: true });
  expect(refused.kind === 'failed' && refused.text).toContain(`- ${problem}\n`);
  expect(await memories().list(ann)).toEqual([]);
});

test('240 characters fit, and several lines become one', async () => {
  await remember('x'.repeat(240), ' two\n  lines ');
  expect((await shown({ k: 2 })).toSorted()).toEqual(['two lines', 'x'.repeat(240)]);
});

test.each(['edit', 'forget'])('%s of an unknown id says where ids are shown', async (op) => {
  expect(await write({ op, target_id: 'm0', text: 'x' })).toEqual({
    kind: 'failed',
    text: 'Nothing is remembered as "m0" (any more). read_memory shows the ids.',
  });
});

describe('whose it is', () => {
  test("another person's memories are neither shown nor changed", async () => {
    await remember('exam in June');
    const [memory] = await memories().list(ann);
    expect(await told(read({}, { user: bob }))).toBe('Nothing is remembered about this person yet.');
    const args = { op: 'forget', target_id: memory?.id };
    expect(await write(args, { user: bob })).toMatchObject({ kind: 'failed' });
    expect(await shown()).toEqual(['exam in June']);
  });

  test('when nobody is answered nothing is remembered', async () => {
    expect(await write({ op: 'add', text: 'exam in June' }, { user: undefined })).toMatchObject({
      kind: 'failed',
      text: 'Memories belong to a person, and nobody is being answered here.',
    });
    expect(await told(read({}, { user: undefined }))).toBe('Nothing is remembered about this person yet.');
  });
});

describe('which are shown', () => {
  test('those that share words with the query come first, rare words before common ones', async () => {
    await remember(
      'likes proofs by induction',
      'likes pictures',
      'likes integrals',
      'exam in analysis in June',
    );
    expect((await shown({ query: 'what does she like about integrals?' }))[0]).toBe('likes integrals');
    expect((await shown({ query: 'When are her EXAMS?' }))[0]).toBe('exam in analysis in June');
  });

  test('words are found in languages without spaces, and in other spellings', async () => {
    await remember('喜欢用图形理解微积分', '考试在六月', 'mag Übungen', 'ﬁnds fractions hard');
    expect((await shown({ query: '微积分' }))[0]).toBe('喜欢用图形理解微积分');
    expect((await shown({ query: 'übung' }))[0]).toBe('mag Übungen');
    expect((await shown({ query: 'finds' }))[0]).toBe('ﬁnds fractions hard');
  });

  test('without a query, or one that fits nothing, the newest come first', async () => {
    for (const text of ['old', 'newer', 'newest']) {
      await remember(text);
      await clock.advance(10 * day);
    }
    expect(await shown()).toEqual(['newest', 'newer', 'old']);
    expect(await shown({ query: 'zzz' })).toEqual(['newest', 'newer', 'old']);
    expect(await shown({ query: 'old' })).toEqual(['old', 'newest', 'newer']);
  });

  test('eight when nothing is said, k when it is, and how many there are beside them', async () => {
    await remember(...Array.from({ length: 12 }, (_, at) => `fact ${at}`));
    expect(await shown()).toHaveLength(8);
    expect(await shown({ k: 3 })).toHaveLength(3);
    expect(await shown({ k: '5' })).toHaveLength(5);
    expect(await shown({ k: null, query: '' })).toHaveLength(8);
    expect(JSON.parse(await told(read()))).toMatchObject({ more: 4 });
    expect(await read({ k: 51 })).toMatchObject({ kind: 'failed', badArgs: true });
  });

  test('never more than 1,500 tokens', async () => {
    await remember(...Array.from({ length: 20 }, (_, at) => `${at} ${'x'.repeat(230)}`));
    const text = await told(read({ k: 20 }));
    expect(estimateTokens(text)).toBeLessThanOrEqual(1_500);
    expect(JSON.parse(text).memories).toHaveLength(4);
    expect(JSON.parse(text).more).toBe(16);
  });

  test('a query of a hundred thousand characters is no burden', async () => {
    await remember('exam in June');
    expect(await shown({ query: `exam ${'微'.repeat(100_000)}` })).toEqual(['exam in June']);
  });
});
