/**
 * Docent on the fake Discord as it is deployed: a Redis and a model of its own, gateways and workers as processes that may
 * die. The roles are those of the product, started as `docent start` starts them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ConversationId } from '../../../src/domain/ids.ts';
import { conversationKeys } from '../../../src/store/redis/keys.ts';
import { type Reply, say } from '../llm/reply.ts';
import { type StrictLlm, startStrictLlm } from '../llm/strict-llm.ts';
import { type Child, startProgram } from '../processes.ts';
import { startTestRedis, type TestRedis } from '../redis/redis.ts';
import type { ShownMessage } from './controls/views.ts';
import { type FakeDiscord, startDiscord } from './server.ts';

/** A step of a test that takes longer than this has failed, also on a machine that is busy. Unit: milliseconds. */
const patienceMs = 45_000;

export class Docent {
  /** In the order in which they were asked for. */
  readonly processes: Child[] = [];
  private adding: Promise<void> = Promise.resolve();
  private rooms = 0;

  private constructor(
    readonly discord: FakeDiscord,
    readonly redis: TestRedis,
    readonly llm: StrictLlm,
    private readonly replies: Reply[],
  ) {}

  static async start(): Promise<Docent> {
    const replies: Reply[] = [];
    const next = () => replies.shift() ?? say('FINISH', 'The test has no reply for this.');
    const [discord, redis, llm] = await Promise.all([
      startDiscord(),
      startTestRedis(['--appendonly', 'yes']),
      startStrictLlm(next),
    ]);
    return new Docent(discord, redis, llm, replies);
  }

  /** What the model will say next, in place of what is left of before. */
  willSay(...replies: readonly Reply[]): void {
    this.replies.splice(0, this.replies.length, ...replies);
  }

  /** A channel that nobody has written in. */
  async newRoom(): Promise<string> {
    const name = `room-${(this.rooms += 1)}`;
    await this.discord.addChannel(name);
    return name;
  }

  /** Resolves when the process is ready. */
  async run(role: 'gateway' | 'worker', env: Readonly<Record<string, string>> = {}): Promise<Child> {
    const starting = startProgram(new URL('../docent-program.ts', import.meta.url), {
      ROLE: role,
      REDIS_URL: this.redis.url,
      PORT: '0',
      DISCORD_TOKEN: this.discord.token,
      DISCORD_API_URL: this.discord.apiUrl,
      OPENAI_BASE_URL: this.llm.url,
      OPENAI_MODEL: 'test-model',
      LOOP_PROTOCOL: 'label',
      LOCK_MS: '2000',
      QUOTA_MESSAGES_PER_MINUTE: '0',
      ...env,
    });
    this.adding = this.adding.then(async () => void this.processes.push(await starting));
    await this.adding;
    const child = await starting;
    await child.line('ready');
    return child;
  }

  /** What the bot says in a place now; the trace is small print and left out. */
  async says(where: string): Promise<readonly ShownMessage[]> {
    const all = await this.discord.messages(where).catch(() => []);
    return all.filter(
      ({ author, type, content }) => author === 'Docent' && type !== 21 && !content.startsWith('-# '),
    );
  }

  async untilSays(where: string, ...texts: readonly string[]): Promise<readonly ShownMessage[]> {
    let seen: readonly ShownMessage[] = [];
    await this.until(
      () =>
        `${where} says ${JSON.stringify(texts)}; it says ${JSON.stringify(seen.map(({ content }) => content))}`,
      async () => {
        seen = await this.says(where);
        return seen.length === texts.length && texts.every((text, at) => seen[at]?.content === text);
      },
    );
    return seen;
  }

  /** The first message of the bot there whose text contains this. */
  async untilShown(where: string, part: string): Promise<ShownMessage> {
    let found: ShownMessage | undefined;
    await this.until(`"${part}" is shown in ${where}`, async () => {
      found = (await this.says(where)).find(({ content }) => content.includes(part));
      return found !== undefined;
    });
    if (found === undefined) throw new Error('it was shown');
    return found;
  }

  /** What waits in the inbox of the conversation in a thread. */
  async inboxOf(thread: string): Promise<readonly string[]> {
    return this.redis.redis.lrange(conversationKeys(ConversationId(`discord:${thread}`)).inbox, 0, -1);
  }

  /** The trace of a turn there, once it contains this. */
  async untilTrace(where: string, part: string): Promise<ShownMessage> {
    let found: ShownMessage | undefined;
    await this.until(`a trace with "${part}" is shown in ${where}`, async () => {
      const all = await this.discord.messages(where).catch(() => []);
      found = all.find(
        ({ author, content }) => author === 'Docent' && content.startsWith('-# ') && content.includes(part),
      );
      return found !== undefined;
    });
    if (found === undefined) throw new Error('it was shown');
    return found;
  }

  /** The newest message of the bot there, once it is an answer that has ended. */
  async untilEnded(where: string): Promise<ShownMessage> {
    let last: ShownMessage | undefined;
    await this.until(`the answer in ${where} has ended`, async () => {
      last = (await this.says(where)).at(-1);
      return last?.buttons.some(({ label }) => label === '🗑️') === true;
    });
    if (last === undefined) throw new Error('it was there');
    return last;
  }

  /** What the answers to these clicks told their authors in private, once there are some. */
  async untilToldPrivately(...clicks: readonly { readonly id: string }[]): Promise<readonly string[]> {
    let told: readonly string[] = [];
    await this.until('somebody is told in private', async () => {
      const interactions = await Promise.all(clicks.map(({ id }) => this.discord.interaction(id)));
      told = interactions
        .flatMap(({ answer, followUps, isEphemeral }) => [
          ...(isEphemeral && answer !== undefined ? [answer] : []),
          ...followUps,
        ])
        .map(({ content }) => content);
      return told.length > 0;
    });
    return told;
  }

  /** Polls; there is no other way to hear of what happens in other processes. */
  async until(what: string | (() => string), check: () => boolean | Promise<boolean>): Promise<void> {
    const end = performance.now() + patienceMs;
    while (!(await check())) {
      if (performance.now() > end)
        throw new Error(`not within ${patienceMs} ms: ${typeof what === 'string' ? what : what()}`);
      await sleep(30);
    }
  }

  /** What must hold after every test. */
  async problems(): Promise<string[]> {
    const [violations, notices] = await Promise.all([this.discord.violations(), this.discord.notices()]);
    return [
      ...this.llm.violations.map((why) => `model: ${why}`),
      ...violations.map(({ rule, path, why }) => `refused by Discord: ${rule} ${path} ${why}`),
      ...notices.map(({ kind, what }) => `${kind}: ${what}`),
    ];
  }

  output(): string {
    return this.processes.map((child) => `process ${child.pid}\n${child.output()}`).join('\n');
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((child) => child.kill()));
    await Promise.all([this.discord.close(), this.llm.close(), this.redis.close()]);
  }
}
