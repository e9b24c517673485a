/**
 * The test's side of the fake Discord. It runs as a process of its own, so it outlives bots that are killed.
 *
 *     const discord = await startDiscord();
 *     const client = new Client({ intents, rest: { api: discord.apiUrl } });   // DISCORD_API_URL for the product
 *     await client.login(discord.token);
 *
 *     const question = await discord.say('mia', '@Docent why?');               // @name, @&role become mentions
 *     const [, answer] = await discord.until(() => discord.messages('general'), (all) => all.length === 2);
 *     const click = await discord.press('mia', answer.id, 'Stop');             // label, emoji or custom id
 *     await discord.submit('mia', click.id, { why: 'because' });               // the form that the click opened
 *     await discord.archiveThread(question.id);
 *
 *     await discord.rates({ shape: 'bucket' });                                // window · bucket · off
 *     await discord.fault({ on: 'create_message', how: 'slow', ms: 2_000 });   // rest/faults.ts
 *     await discord.gateway({ duplicates: 0.2, delayMs: [0, 50] });            // gateway/gateway.ts
 *     await discord.advance(16 * 60_000);                                      // the fake's clock, not yours
 *
 *     expect(await discord.violations()).toEqual([]);                          // refused calls that were the bot's fault
 *     expect(await discord.notices()).toEqual([]);                             // no nonce, no allowed_mentions, late …
 *     expect(await discord.pings()).toEqual([]);                               // who was really notified
 *
 * People are made when first named; channels are `general`, `calculus` (text), `news` (announcement), `questions` (forum),
 * `lounge` (voice), `dm` (with who speaks), threads by id or name. Everything that can be called is in `controls/`: people
 * (say, edit, react, startThread …), clicks (press, choose, submit, command …), moderators (channels, permissions, threads,
 * kickBot …) and knobs (messages, calls, faults, gateway …); each returns a promise here.
 */
import { startProgram } from '../processes.ts';
import type { Controls } from './controls/controls.ts';

type Remote = {
  readonly [Name in keyof Controls]: (
    ...args: Parameters<Controls[Name]>
  ) => Promise<ReturnType<Controls[Name]>>;
};

export interface FakeDiscord extends Remote {
  /** What a client is given as `rest.api`, without the version. */
  readonly apiUrl: string;
  readonly token: string;
  readonly applicationId: string;
  readonly botId: string;
  /** The server that is there from the start. */
  readonly guildId: string;
  /** Looks again until it is right; rejects after `withinMs` (default 10 s) with what it saw last. */
  until<T>(look: () => Promise<T>, isRight: (seen: T) => boolean, withinMs?: number): Promise<T>;
  /** A new world on the same address: other ids, the same token, all connections cut. Faster than another process. */
  startAnew(): Promise<void>;
  close(): Promise<void>;
}

/** `seed` decides delays and duplicates of events. */
export async function startDiscord({ seed = 1 }: { readonly seed?: number } = {}): Promise<FakeDiscord> {
  const child = await startProgram(new URL('discord-program.ts', import.meta.url), { SEED: String(seed) });
  const url = await child.line('http://');
  const call = async (name: string, args: readonly unknown[]): Promise<unknown> => {
    const answer = await fetch(`${url}/control/${name}`, { method: 'POST', body: JSON.stringify(args) });
    const body: unknown = await answer.json();
    if (!answer.ok) throw new Error(`fake Discord: ${(body as { error: string }).error}`);
    return body ?? undefined;
  };
  const ids = async () => (await call('ids', [])) as ReturnType<Controls['ids']>;
  const own = {
    ...(await ids()),
    apiUrl: `${url}/api`,
    until,
    async startAnew() {
      await call('startAnew', []);
      Object.assign(own, await ids());
    },
    close: () => child.kill(),
  };
  return new Proxy(own as unknown as FakeDiscord, {
    get(target, name) {
      if (typeof name !== 'string' || name in own) return Reflect.get(target, name) as unknown;
      // A promise must not be taken for one more control.
      return name === 'then' ? undefined : (...args: readonly unknown[]) => call(name, args);
    },
  });
}

async function until<T>(
  look: () => Promise<T>,
  isRight: (seen: T) => boolean,
  withinMs = 10_000,
): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (isRight(seen)) return seen;
    if (Date.now() > end) throw new Error(`it did not happen; seen last: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
