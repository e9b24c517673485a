/** Docent on the fake Discord as it is deployed: gateways and workers as processes that may die. */
import { ConversationId } from '../../../src/domain/ids.ts';
import { conversationKeys } from '../../../src/store/redis/keys.ts';
import { Deployment, type Ground, startGround } from '../deployment.ts';
import type { ShownMessage } from './controls/views.ts';
import { type FakeDiscord, startDiscord } from './server.ts';

export class Docent extends Deployment {
  private rooms = 0;

  private constructor(
    readonly discord: FakeDiscord,
    ground: Ground,
  ) {
    super(ground, { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.apiUrl });
  }

  static async start(): Promise<Docent> {
    const [discord, ground] = await Promise.all([startDiscord(), startGround()]);
    return new Docent(discord, ground);
  }

  /** A channel that nobody has written in. */
  async newRoom(): Promise<string> {
    const name = `room-${(this.rooms += 1)}`;
    await this.discord.addChannel(name);
    return name;
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

  override async problems(): Promise<string[]> {
    const [violations, notices] = await Promise.all([this.discord.violations(), this.discord.notices()]);
    return [
      ...this.llm.violations.map((why) => `model: ${why}`),
      ...violations.map(({ rule, path, why }) => `refused by Discord: ${rule} ${path} ${why}`),
      ...notices.map(({ kind, what }) => `${kind}: ${what}`),
    ];
  }

  override async forget(): Promise<void> {
    await this.discord.forgetJournal();
  }

  override async close(): Promise<void> {
    await super.close();
    await this.discord.close();
  }
}
