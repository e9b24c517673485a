import { beforeEach, describe, expect, test } from 'vitest';
import { CallId, ConversationId, EventId, TurnId, UserId } from '../../src/domain/ids.ts';
import type { Inbound } from '../../src/domain/inbound.ts';
import { textOf } from '../../src/domain/message.ts';
import { type Accept, acceptInbound, type IntakeServices } from '../../src/intake/accept.ts';
import type { Sender } from '../../src/intake/policy.ts';
import type { Conversations } from '../../src/ports/conversations.ts';
import type { FileFetches } from '../../src/ports/files.ts';
import type { TurnQueue } from '../../src/ports/turn-queue.ts';
import { memoryConversations } from '../../src/store/memory.ts';
import { chance } from '../support/chance.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';

const talk = ConversationId('discord:1');
const address = { surface: 'discord', place: '1' };
const mia: Sender = { isSelf: false, isBot: false };

let clock: ManualClock;
let store: Conversations;
/** What happened outside, in order. */
let happened: string[];
/** What the queue does until it answers. */
let queueTakes: () => Promise<void>;

beforeEach(() => {
  clock = manualClock(1_000);
  store = memoryConversations(clock);
  happened = [];
  queueTakes = async () => {};
});

const queue: TurnQueue = {
  async wake(conversation) {
    happened.push(`wake ${conversation}`);
    await queueTakes();
  },
  async stop(conversation) {
    happened.push(`stop ${conversation}`);
    await queueTakes();
  },
};

const fetches: FileFetches = {
  async send({ message, surface, files }) {
    happened.push(`fetch ${surface} ${message}: ${files.map(({ name }) => name).join(', ')}`);
    await queueTakes();
  },
};

function gateway(changes: Partial<IntakeServices> = {}): Accept {
  const none = { servers: [], channels: [], roles: [], users: [] };
  const write = (_: object, text: string) => void happened.push(`log: ${text}`);
  return acceptInbound({
    conversations: store,
    queue,
    fetches,
    config: { access: { admins: [], allow: { ...none, bots: ['99'] }, deny: { ...none, users: ['13'] } } },
    clock,
    log: { debug: () => {}, info: write, warn: write, error: write },
    ...changes,
  });
}

function said(text: string, changes: { id?: string; author?: string; wanted?: Inbound['wanted'] } = {}) {
  const { id = text, author = 'discord:42', wanted = 'always' } = changes;
  const item = {
    kind: 'message',
    id: EventId(id),
    author: UserId(author),
    address,
    content: text,
  } as const;
  return { conversation: talk, item, wanted, from: mia };
}

async function inbox(): Promise<string[]> {
  return (await store.claim(talk)).opening.map((item) =>
    'content' in item ? textOf(item.content) : item.kind,
  );
}

test('the first message wakes a worker, those behind it are only stored', async () => {
  const accept = gateway();
  expect(await accept(said('one'))).toBe('queued');
  expect(await accept(said('two'))).toBe('queued');
  expect(happened).toEqual(['wake discord:1']);
  expect(await inbox()).toEqual(['one', 'two']);
});

test('it is stored before anybody is told, and acknowledged without waiting for the queue', async () => {
  let answer = () => {};
  queueTakes = () => new Promise((resolve) => (answer = resolve));
  const accept = gateway({
    conversations: {
      append: async (inbound) => {
        const result = await store.append(inbound);
        happened.push('stored');
        return result;
      },
    },
  });
  expect(await accept(said('one'))).toBe('queued');
  happened.push('acknowledged');
  const settled = accept.settled().then(() => happened.push('told'));
  await clock.advance(0);
  answer();
  await settled;
  expect(happened).toEqual(['stored', 'wake discord:1', 'acknowledged', 'told']);
});

test('when the queue fails the message is stored all the same and the sweep finds it', async () => {
  queueTakes = () => Promise.reject(new Error('away'));
  const accept = gateway();
  expect(await accept(said('one'))).toBe('queued');
  await accept.settled();
  expect(happened).toEqual([
    'wake discord:1',
    'log: a worker could not be told of what is stored; the sweep tells it',
  ]);
  expect(await store.overdue(clock.now())).toEqual([talk]);
});

test('when the store is away the adapter learns of it, nobody is told, and the same message can come again', async () => {
  let isAway = true;
  const accept = gateway({
    conversations: {
      append: (inbound) => (isAway ? Promise.reject(new Error('Redis is away')) : store.append(inbound)),
    },
  });
  await expect(accept(said('one'))).rejects.toThrow('Redis is away');
  expect(happened).toEqual([]);
  isAway = false;
  expect(await accept(said('one'))).toBe('queued');
  expect(happened).toEqual(['wake discord:1']);
});

test('ten copies of each message, out of order, through two gateways: each is stored once and one wake is sent', async () => {
  const [one, other] = [gateway(), gateway()];
  const messages = Array.from({ length: 20 }, (_, n) => `message ${n}`);
  const dice = chance(7);
  const copies = messages
    .flatMap((text) => Array.from({ length: 10 }, (_, n) => ({ text, accept: n % 2 === 0 ? one : other })))
    .map((copy) => ({ copy, at: dice.upTo(1e9) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ copy }) => copy);
  const results = await Promise.all(copies.map(({ text, accept }) => accept(said(text))));
  expect(results.filter((result) => result === 'queued')).toHaveLength(20);
  expect(results.filter((result) => result === 'duplicate')).toHaveLength(180);
  expect(happened).toEqual(['wake discord:1']);
  expect((await inbox()).toSorted()).toEqual(messages.toSorted());
});

test('the same post as a plain message and as a mention counts once and as a mention, in either order', async () => {
  const accept = gateway();
  const plain = said('@Docent hello', { wanted: 'if_followed' });
  const mention = said('@Docent hello', { wanted: 'and_follow' });
  expect([await accept(plain), await accept(mention)]).toEqual(['ignored', 'queued']);
  const other = ConversationId('discord:2');
  expect([
    await accept({ ...mention, conversation: other }),
    await accept({ ...plain, conversation: other }),
  ]).toEqual(['queued', 'duplicate']);
  expect(happened).toEqual(['wake discord:1', 'wake discord:2']);
});

describe('stop', () => {
  test('is told to the worker when a turn runs', async () => {
    const accept = gateway();
    await accept(said('explain everything'));
    const claim = await store.claim(talk);
    expect(await accept(said('Stop!'))).toBe('stopping');
    expect(happened).toEqual(['wake discord:1', 'stop discord:1']);
    expect(claim.stopRequested).toBe(true);
  });

  test('with nothing to stop is idle', async () => {
    expect(await gateway()(said('stop'))).toBe('idle');
    expect(happened).toEqual([]);
  });

  test('while a question is open wakes a worker, which closes it; a second one is late', async () => {
    const accept = gateway();
    await accept(said('help me revise'));
    const claim = await store.claim(talk);
    claim.accept(claim.opening);
    await claim.openPause({
      turn: TurnId('t'),
      callId: CallId('c'),
      question: {},
      address,
      asker: UserId('discord:42'),
      askedAt: 0,
      expiresAt: 1,
      answers: [],
      used: [],
      told: [],
    });
    await claim.commit();
    expect(await accept(said('stop', { id: 'm0', author: 'discord:43' }))).toBe('not_part');
    expect(await accept(said('stop', { id: 'm1' }))).toBe('queued');
    expect(happened).toEqual(['wake discord:1', 'wake discord:1']);
    const next = await store.claim(talk);
    expect(next.opening.map(({ kind }) => kind)).toEqual(['stop']);
    next.accept(next.opening);
    await next.commit();
    expect(await accept(said('stop', { id: 'm2' }))).toBe('late');
  });
});

test('who may not speak with Docent is refused, and nothing is stored', async () => {
  const accept = gateway();
  expect(await accept(said('hello', { author: 'discord:13' }))).toBe('refused_person');
  expect(await accept(said('chatter', { author: 'discord:13', wanted: 'if_followed' }))).toBe('ignored');
  expect(happened).toEqual([]);
  expect(await inbox()).toEqual([]);
});

describe('a bot that is allowed', () => {
  const bot = (n: number, conversation = talk) => ({
    ...said(`tick ${n}`, { author: 'discord:99' }),
    conversation,
    from: { isSelf: false, isBot: true },
  });

  test('is heard twenty times a minute, however many conversations it begins', async () => {
    const accept = gateway();
    const results: string[] = [];
    for (let n = 0; n < 25; n += 1) results.push(await accept(bot(n, ConversationId(`discord:c${n}`))));
    expect(results).toEqual([...Array(20).fill('queued'), ...Array(5).fill('ignored')]);
    expect(happened.filter((line) => line.startsWith('log'))).toHaveLength(5);
    await clock.advance(60_000);
    expect(await accept(bot(100))).toBe('queued');
  });

  test('is not counted for what comes twice', async () => {
    const accept = gateway();
    for (let n = 0; n < 15; n += 1) await accept(bot(n));
    for (let n = 0; n < 15; n += 1) expect(await accept(bot(n))).toBe('duplicate');
    expect(await accept(bot(16))).toBe('queued');
  });
});

test('the time until a message is stored is measured', async () => {
  const times: [string, number][] = [];
  const accept = gateway({
    meter: { count: () => {}, watch: () => {}, time: (name, ms) => void times.push([name, ms]) },
    conversations: {
      append: async (inbound) => {
        await clock.advance(40);
        return store.append(inbound);
      },
    },
  });
  await accept(said('one'));
  await accept(said(' '));
  expect(times).toEqual([['ack', 40]]);
});

describe('files of a message', () => {
  const file = (name: string) => ({ id: name, name, source: 'here' });
  const withFiles = (id: string, ...names: string[]) => {
    const candidate = said('look', { id });
    return { ...candidate, item: { ...candidate.item, files: names.map(file) } };
  };

  test('are sent for as soon as the message is stored, once', async () => {
    const accept = gateway();
    await accept(withFiles('m1', 'a.md', 'b.md'));
    await accept(withFiles('m1', 'a.md', 'b.md'));
    await accept(withFiles('m2', 'c.md'));
    expect(happened).toEqual(['fetch discord m1: a.md, b.md', 'wake discord:1', 'fetch discord m2: c.md']);
  });

  test('are not sent for when the message is not for the bot', async () => {
    const accept = gateway();
    expect(await accept({ ...withFiles('m1', 'a.md'), wanted: 'if_followed' })).toBe('ignored');
    expect(happened).toEqual([]);
  });

  test('that cannot be sent for are left to the turn', async () => {
    queueTakes = async () => {
      throw new Error('away');
    };
    const accept = gateway();
    expect(await accept(withFiles('m1', 'a.md'))).toBe('queued');
    await accept.settled();
    expect(happened.filter((each) => each.startsWith('log'))).toHaveLength(2);
  });
});
