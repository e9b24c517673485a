/**
 * A whole deployment as a flow test uses it: a Redis, a platform and a model of its own, two gateways in this process, and
 * worker processes that may die.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type App, closeApp, composeApp } from '../../../src/app/compose.ts';
import { openRedis } from '../../../src/app/redis.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { FileRef } from '../../../src/domain/file.ts';
import { ConversationId, EventId, UserId } from '../../../src/domain/ids.ts';
import type { InboxItem } from '../../../src/domain/inbound.ts';
import type { JournalRecord } from '../../../src/domain/journal.ts';
import { textOf } from '../../../src/domain/message.ts';
import type { OpenPause } from '../../../src/domain/pause.ts';
import type { Answer } from '../../../src/domain/question.ts';
import { type Accept, type Accepted, acceptInbound } from '../../../src/intake/accept.ts';
import { changeInbound } from '../../../src/intake/change.ts';
import { systemClock } from '../../../src/observe/clock.ts';
import type { Appended } from '../../../src/ports/conversations.ts';
import { readJournal } from '../../../src/store/journal-form.ts';
import { conversationKeys } from '../../../src/store/redis/keys.ts';
import { type CrashPlan, crashVariable } from '../crash.ts';
import type { Script } from '../llm/reply.ts';
import { type StrictLlm, startStrictLlm } from '../llm/strict-llm.ts';
import { type Child, startProgram } from '../processes.ts';
import { quietLog } from '../quiet-log.ts';
import { startTestRedis, type TestRedis } from '../redis/redis.ts';
import type { PlatformRules, PutFile, ShownMessage } from '../surface/platform-calls.ts';
import { type Platform, startPlatform } from '../surface/start-platform.ts';
import { surfaceName } from '../surface/surface-over.ts';

export interface BotOptions {
  readonly rules?: Partial<PlatformRules>;
  readonly redisArgs?: readonly string[];
}

export interface WorkerOptions {
  readonly crash?: CrashPlan;
  /** Settings that differ from those of a test: `LOCK_MS` 2000. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Whose words, through which gateway, in which place. */
export interface Said {
  readonly as?: string;
  readonly gateway?: number;
  readonly room?: string;
  readonly kind?: 'message' | 'next' | 'note';
  readonly id?: string;
  readonly mentioned?: true;
  readonly files?: readonly FileRef[];
}

export const conversationIn = (room: string) => ConversationId(`${surfaceName}:${room}`);

/** A step of a test that takes longer than this has failed, also on a machine that is busy. Unit: milliseconds. */
const patienceMs = 40_000;

export class Bot {
  readonly workers: Child[] = [];
  private ids = 0;

  private constructor(
    readonly redis: TestRedis,
    readonly platform: Platform,
    readonly llm: StrictLlm,
    private readonly gateways: readonly Gateway[],
  ) {}

  static async start(script: Script, { rules = {}, redisArgs = [] }: BotOptions = {}): Promise<Bot> {
    const [redis, platform, llm] = await Promise.all([
      startTestRedis(redisArgs),
      startPlatform(rules),
      startStrictLlm(script),
    ]);
    const gateways = await Promise.all([openGateway(redis.url), openGateway(redis.url)]);
    return new Bot(redis, platform, llm, gateways);
  }

  /** Resolves when it takes work. */
  async startWorker({ crash, env = {} }: WorkerOptions = {}): Promise<Child> {
    const worker = await startProgram(new URL('../worker-program.ts', import.meta.url), {
      REDIS_URL: this.redis.url,
      PLATFORM_URL: this.platform.url,
      OPENAI_BASE_URL: this.llm.url,
      OPENAI_MODEL: 'test-model',
      LOOP_PROTOCOL: 'label',
      LOCK_MS: '2000',
      LOG_LEVEL: 'info',
      QUOTA_MESSAGES_PER_MINUTE: '0',
      ...(crash === undefined ? {} : { [crashVariable]: JSON.stringify(crash) }),
      ...env,
    });
    this.workers.push(worker);
    await worker.line('ready');
    return worker;
  }

  /** Somebody writes; the gateway does what it does with every event: store, then wake. */
  async hears(text: string, said: Said = {}): Promise<Accepted> {
    return this.accept(this.message(text, said), said);
  }

  /** As `hears`, but the gateway dies between storing and waking. */
  async hearsAndDies(text: string, said: Said = {}): Promise<Appended> {
    return this.store(this.message(text, said), said);
  }

  /** Somebody uploads a file; it can go with a message then. */
  async uploads(
    name: string,
    content: string | Uint8Array,
    { how, times, type = 'text/plain' }: Partial<Pick<PutFile, 'how' | 'times' | 'type'>> = {},
  ): Promise<FileRef> {
    const id = `f${(this.ids += 1)}`;
    const bytes = Buffer.from(content).toString('base64');
    const source = await this.platform.putFile({
      id,
      bytes,
      type,
      ...(how && { how }),
      ...(times !== undefined && { times }),
    });
    return { id, name, type, source };
  }

  /** Somebody presses the button of an option, or sends the form of a card with several questions. */
  async clicks(labels: string | readonly string[], said: Said = {}): Promise<Accepted> {
    return this.clicksOn(await this.shownQuestion(said.room), labels, said);
  }

  /** The same with a card that was seen earlier: it may be closed by now. */
  async clicksOn(pause: OpenPause, labels: string | readonly string[], said: Said = {}): Promise<Accepted> {
    const by = UserId(`${surfaceName}:${said.as ?? 'mia'}`);
    const answers = [labels]
      .flat()
      .map((label, at): Answer => ({ id: `q${at + 1}`, selected: [label], text: '', status: 'answered' }));
    const at = new Date().toISOString();
    return this.accept(
      { ...this.from(said), kind: 'answer', callId: pause.callId, answers: { answers, by, at } },
      said,
    );
  }

  async stops(said: Said = {}): Promise<Accepted> {
    return this.accept({ ...this.from(said), kind: 'stop' }, said);
  }

  /** As `stops`, but the gateway dies between storing and telling. */
  async stopsAndDies(said: Said = {}): Promise<Appended> {
    return this.store({ ...this.from(said), kind: 'stop' }, said);
  }

  /** A person deletes the bot's message that reads like this. */
  async deletes(part: string, room = 'room'): Promise<void> {
    const shown = await this.platform.shown(room);
    const message = shown.find(({ versions }) => versions.at(-1)?.text.includes(part));
    if (message === undefined) throw new Error(`no message reads "${part}"`);
    await this.platform.deleteMessage(message.id);
  }

  /** Somebody changes what they wrote, or deletes it (no text). */
  changes(id: string, text: string | undefined, room = 'room'): ReturnType<typeof changeInbound> {
    this.edits += 1;
    return changeInbound(this.gateway(0).app, {
      conversation: conversationIn(room),
      id: EventId(id),
      author: UserId(`${surfaceName}:mia`),
      name: 'mia',
      address: { surface: surfaceName, place: room },
      content: text,
      version: String(this.edits),
    });
  }

  private edits = 0;

  /** "Ask anyway": the question is closed in favour of somebody else. */
  async asksAnyway(said: Said = {}): Promise<Accepted> {
    const { callId } = await this.shownQuestion(said.room);
    return this.accept({ ...this.from(said), kind: 'supersede', callId }, said);
  }

  async shownQuestion(room?: string): Promise<OpenPause> {
    const pause = await this.openQuestion(room);
    if (pause === undefined) throw new Error('there is no open question');
    return pause;
  }

  openQuestion(room = 'room'): Promise<OpenPause | undefined> {
    return this.gateway(0).app.conversations.pauseOf(conversationIn(room));
  }

  /** Stores what was said, and nothing more: the gateway died before it could tell anybody. */
  private store(item: InboxItem, { gateway = 0, room = 'room' }: Said): Promise<Appended> {
    const { conversations } = this.gateway(gateway).app;
    return conversations.append({ conversation: conversationIn(room), item, wanted: 'always' });
  }

  private accept(item: InboxItem, { gateway = 0, room = 'room' }: Said): Promise<Accepted> {
    const from = { isSelf: false, isBot: false, channel: room };
    return this.gateway(gateway).accept({ conversation: conversationIn(room), item, wanted: 'always', from });
  }

  private gateway(number: number): Gateway {
    const gateway = this.gateways[number];
    if (gateway === undefined) throw new Error(`there is no gateway ${number}`);
    return gateway;
  }

  /** What people read in a place, in order; without the traces. */
  async thread(room = 'room'): Promise<string[]> {
    return (await this.messages(room)).filter(({ kind }) => kind !== 'trace').map(({ text }) => text);
  }

  /** Every message of a place as it stands now. */
  async messages(room = 'room'): Promise<NonNullable<ShownMessage['versions'][number]>[]> {
    const shown = await this.platform.shown(room);
    return shown.flatMap(({ versions }) => versions.at(-1) ?? []);
  }

  async journal(room = 'room'): Promise<JournalRecord[]> {
    const texts = await this.redis.redis.lrange(conversationKeys(conversationIn(room)).journal, 0, -1);
    return readJournal(texts, conversationIn(room));
  }

  /** Somebody takes a record out of the journal. The first is 1. */
  async losesRecord(number: number, room = 'room'): Promise<void> {
    const { journal } = conversationKeys(conversationIn(room));
    const [text = ''] = await this.redis.redis.lrange(journal, number - 1, number - 1);
    await this.redis.redis.lrem(journal, 1, text);
  }

  /** The words of people as the model knows them, in order. */
  async said(room = 'room'): Promise<string[]> {
    const records = await this.journal(room);
    return records.flatMap((record) =>
      record.type === 'user/message' && record.item !== undefined ? [textOf(record.content)] : [],
    );
  }

  /** These words of people, and no others, have reached the model, and it has answered. */
  async untilSaid(...texts: readonly string[]): Promise<void> {
    await this.until(
      `the model was told ${texts.join(', ')}`,
      async () =>
        (await this.said()).join() === texts.join() && (await this.journal()).at(-1)?.type === 'turn/end',
    );
  }

  /** The worker that wrote the newest message with this text. */
  async writerOf(part: string): Promise<Child> {
    const { messages } = await this.platform.state();
    const version = messages.flatMap(({ versions }) => versions).findLast(({ text }) => text.includes(part));
    const writer = this.workers.find(({ pid }) => String(pid) === version?.by);
    if (writer === undefined) throw new Error(`no worker wrote "${part}"`);
    return writer;
  }

  /** What tools did to the world, by name. */
  async effects(): Promise<string[]> {
    return (await this.platform.effects()).map(({ name }) => name);
  }

  /** Nothing is waiting and nothing runs. */
  async untilIdle(room = 'room', ms = patienceMs): Promise<void> {
    const { state } = conversationKeys(conversationIn(room));
    await this.until(
      'the conversation is at rest',
      async () => (await this.redis.redis.hexists(state, 'wake')) === 0,
      ms,
    );
  }

  /** The place reads exactly like this. */
  async untilThread(...texts: readonly string[]): Promise<void> {
    let last: string[] = [];
    await this.until(
      () => `the thread reads ${JSON.stringify(texts)}; it reads ${JSON.stringify(last)}`,
      async () => {
        last = await this.thread();
        return last.length === texts.length && texts.every((text, at) => last[at] === text);
      },
    );
  }

  /** A message of the place says this somewhere. */
  async untilShown(part: string, ms = patienceMs, room = 'room'): Promise<void> {
    await this.until(
      `"${part}" is shown`,
      async () => (await this.messages(room)).some(({ text }) => text.includes(part)),
      ms,
    );
  }

  /** The model was asked this often. */
  async untilAsked(times: number): Promise<void> {
    await this.until(
      () => `the model was asked ${times} times; it was asked ${this.llm.requests.length} times`,
      () => this.llm.requests.length >= times,
    );
  }

  /** Polls; there is no other way to hear of what happens in other processes. */
  async until(
    what: string | (() => string),
    check: () => boolean | Promise<boolean>,
    ms = patienceMs,
  ): Promise<void> {
    const end = performance.now() + ms;
    while (!(await check())) {
      if (performance.now() > end)
        throw new Error(`not within ${ms} ms: ${typeof what === 'string' ? what : what()}`);
      await sleep(40);
    }
  }

  /** What must hold after every test, whatever was in it. Throws with everything that does not. */
  async problems(): Promise<string[]> {
    const { messages, violations } = await this.platform.state();
    const keys = messages.map(({ key }) => key);
    const twice = keys.filter((key, at) => keys.indexOf(key) !== at);
    const effects = (await this.platform.effects()).map(({ key }) => key);
    const repeated = effects.filter((key, at) => effects.indexOf(key) !== at);
    return [
      ...this.llm.violations.map((why) => `model: ${why}`),
      ...violations.map((why) => `platform: ${why}`),
      ...twice.map((key) => `posted twice: ${key}`),
      ...repeated.map((key) => `ran twice: ${key}`),
    ];
  }

  /** What the workers wrote: for a test that failed. */
  output(): string {
    return this.workers.map((worker) => `worker ${worker.pid}\n${worker.output()}`).join('\n');
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.kill()));
    for (const { app, accept } of this.gateways) {
      await accept.settled();
      await closeApp(app);
    }
    await Promise.all([this.platform.close(), this.llm.close(), this.redis.close()]);
  }

  private message(text: string, said: Said): InboxItem {
    const { kind = 'message', mentioned, files } = said;
    return {
      ...this.from(said),
      kind,
      content: text,
      ...(mentioned === true && { mentioned }),
      ...(files !== undefined && { files }),
    };
  }

  private from({ as = 'mia', room = 'room', id = `e${(this.ids += 1)}` }: Said) {
    const address = { surface: surfaceName, place: room };
    return { id: EventId(id), author: UserId(`${surfaceName}:${as}`), name: as, address };
  }
}

/** What takes events in: it stores them and tells a worker. */
interface Gateway {
  readonly app: App;
  readonly accept: Accept;
}

async function openGateway(redisUrl: string): Promise<Gateway> {
  const { config } = loadConfig({ REDIS_URL: redisUrl }, () => undefined);
  const redis = await openRedis(config, systemClock, quietLog, () => {});
  const app = composeApp(config, redis, systemClock, quietLog);
  return { app, accept: acceptInbound(app) };
}
