/** Docent on the fake Slack as it is deployed: gateways and workers as processes that may die, over sockets or over HTTP. */
import { createServer } from 'node:net';
import { Deployment, type Ground, startGround } from '../deployment.ts';
import type { Child } from '../processes.ts';
import type { ShownMessage } from './controls/views.ts';
import { type FakeSlack, startSlack } from './server.ts';

/** How events come to the gateways. */
export type Way = 'sockets' | 'HTTP';

export class Docent extends Deployment {
  private rooms = 0;

  private constructor(
    readonly slack: FakeSlack,
    ground: Ground,
  ) {
    super(ground, {
      SLACK_BOT_TOKEN: slack.token,
      SLACK_SIGNING_SECRET: slack.signingSecret,
      SLACK_API_URL: slack.apiUrl,
    });
  }

  static async start(): Promise<Docent> {
    const [slack, ground] = await Promise.all([startSlack(), startGround()]);
    // Slack takes short bursts; how short, it does not say.
    await slack.rates({ postBurst: 5 });
    return new Docent(slack, ground);
  }

  /** So many gateways that listen in this way, and Slack knows where. */
  async listen(
    way: Way,
    count: number,
    env: Readonly<Record<string, string>> = {},
  ): Promise<readonly Child[]> {
    if (way === 'sockets') {
      await this.slack.receiveAt([]);
      const secrets = { SLACK_APP_TOKEN: this.slack.appToken, ...env };
      return Promise.all(Array.from({ length: count }, () => this.run('gateway', secrets)));
    }
    const ports = await Promise.all(Array.from({ length: count }, freePort));
    const gateways = await Promise.all(
      ports.map((port) => this.run('gateway', { PORT: String(port), ...env })),
    );
    await this.slack.receiveAt(ports.map((port) => `http://127.0.0.1:${port}/slack/events`));
    return gateways;
  }

  /** A channel that nobody has written in. */
  async newRoom(): Promise<string> {
    const name = `room-${(this.rooms += 1)}`;
    await this.slack.addChannel(name, { creator: 'Olga' });
    return name;
  }

  /** What the bot says in a place now. `thread` leaves out what stands elsewhere; the trace is left out. */
  async says(where: string, thread?: string): Promise<readonly ShownMessage[]> {
    const all = await this.slack.messages(where, thread === undefined ? {} : { thread });
    return all.filter((message) => message.author === 'Docent' && !isTrace(message));
  }

  /** The answers there, in this order, and nothing else. */
  async untilSays(
    where: string,
    thread: string | undefined,
    ...texts: readonly string[]
  ): Promise<readonly ShownMessage[]> {
    let seen: readonly ShownMessage[] = [];
    await this.until(
      () => `${where} says ${JSON.stringify(texts)}; it says ${JSON.stringify(seen.map(answerIn))}`,
      async () => {
        seen = await this.says(where, thread);
        return seen.length === texts.length && texts.every((text, at) => answerIn(seen[at]) === text);
      },
    );
    return seen;
  }

  /** The first message of the bot there in which this can be read. */
  async untilShown(where: string, part: string, thread?: string): Promise<ShownMessage> {
    let seen: readonly ShownMessage[] = [];
    let found: ShownMessage | undefined;
    await this.until(
      () => `"${part}" is shown in ${where}; there is ${JSON.stringify(seen.map(({ shown }) => shown))}`,
      async () => {
        seen = await this.says(where, thread);
        found = seen.find(({ shown }) => shown.includes(part));
        return found !== undefined;
      },
    );
    if (found === undefined) throw new Error('it was shown');
    return found;
  }

  /** The newest message of the bot there, once it is an answer that has ended. */
  async untilEnded(where: string, thread?: string): Promise<ShownMessage> {
    let last: ShownMessage | undefined;
    await this.until(
      () => `the answer in ${where} has ended; it is ${JSON.stringify(last)}`,
      async () => {
        last = (await this.says(where, thread)).at(-1);
        return last?.buttons.some(({ actionId }) => actionId === 'remove') === true;
      },
    );
    if (last === undefined) throw new Error('it was there');
    return last;
  }

  /** What happened until now has been stored: events overtake each other when nobody waits for it. */
  async untilTaken(): Promise<void> {
    await this.until('nothing is on its way', async () => (await this.slack.underWay()) === 0);
  }

  /** What somebody is told in private in a place, once there is something. */
  async untilToldPrivately(who: string, where: string): Promise<readonly string[]> {
    let told: readonly string[] = [];
    await this.until(`${who} is told in private`, async () => {
      const all = await this.slack.messages(where, { onlyFor: who });
      told = all.filter(({ onlyFor }) => onlyFor === who).map(({ shown }) => shown);
      return told.length > 0;
    });
    return told;
  }

  override async problems(): Promise<string[]> {
    const [violations, notices] = await Promise.all([this.slack.violations(), this.slack.notices()]);
    return [
      ...this.llm.violations.map((why) => `model: ${why}`),
      ...violations.map(({ rule, method, why }) => `refused by Slack: ${rule} ${method} ${why}`),
      ...notices.map(({ kind, what }) => `${kind}: ${what}`),
    ];
  }

  /** Also what was counted: the next test has minutes of its own. */
  override async forget(): Promise<void> {
    const spent = await this.redis.redis.keys('*:rate:{slack:*');
    if (spent.length > 0) await this.redis.redis.del(...spent);
    await this.slack.rates({});
    await this.slack.forgetJournal();
  }

  override async close(): Promise<void> {
    await super.close();
    await this.slack.close();
  }
}

/** Small print: one line in a context block, or a plan with its tasks and no text. */
const isTrace = ({ shown, blocks, stream }: ShownMessage): boolean =>
  shown.includes('🧠') && (blocks.length > 0 || stream !== undefined);

/** What an answer says, without what its buttons stand in. */
const answerIn = (message: ShownMessage | undefined): string => message?.shown.trim() ?? '';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
