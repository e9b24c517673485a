/**
 * The test's side of the fake Slack. It runs as a process of its own, so it outlives apps that are killed.
 *
 *     const slack = await startSlack();
 *     const web = new WebClient(slack.token, { slackApiUrl: slack.apiUrl });   // SLACK_API_URL for the product
 *
 *     const question = await slack.say('mia', '@Docent why?');                 // @name, @channel, #channel become mentions
 *     const [, answer] = await slack.until(() => slack.messages('general'), (all) => all.length === 2);
 *     const click = await slack.press('mia', answer.ts, 'Regenerate');         // label, action id or value
 *     await slack.submit('mia', { why: 'because' });                           // the form that the click opened
 *     await slack.command('mia', '/docent', 'help');
 *
 *     await slack.receiveAt([`http://127.0.0.1:${port}/slack/events`]);        // HTTP; an empty list: Socket Mode
 *     await slack.fault({ on: 'chat.postMessage', how: 'lost' });              // web/faults.ts
 *     await slack.events({ duplicates: 0.2, delayMs: [0, 50] });               // events/courier.ts
 *     await slack.advance(300_000);                                            // the fake's clock, not yours
 *
 *     expect(await slack.violations()).toEqual([]);                            // refused calls that were the app's fault
 *     expect(await slack.notices()).toEqual([]);                               // late, twice, unfurled …
 *     expect(await slack.pings()).toEqual([]);                                 // who was really notified
 *
 * People are made when first named; channels are `general`, `calculus` (with the bot), `elsewhere` (without), `dm` (with who
 * speaks). Everything that can be called is in `controls/`: people (say, edit, react, openHome …), clicks (press, choose,
 * submit, command …) and knobs (messages, calls, acks, fault, socketMode …); each returns a promise here.
 */
import { startProgram } from '../processes.ts';
import type { Controls } from './controls/controls.ts';

type Remote = {
  readonly [Name in keyof Controls]: (
    ...args: Parameters<Controls[Name]>
  ) => Promise<Awaited<ReturnType<Controls[Name]>>>;
};

export interface FakeSlack extends Remote {
  /** What a client is given as `slackApiUrl`. */
  readonly apiUrl: string;
  /** Where the fake is. */
  readonly url: string;
  readonly token: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly appId: string;
  /** The workspace that is there from the start, and the bot in it. */
  readonly teamId: string;
  readonly botUserId: string;
  readonly botId: string;
  /** Looks again until it is right; rejects after `withinMs` (default 10 s) with what it saw last. */
  until<T>(look: () => Promise<T>, isRight: (seen: T) => boolean, withinMs?: number): Promise<T>;
  /** A new world on the same address: other ids, all sockets cut. Faster than another process. */
  startAnew(): Promise<void>;
  close(): Promise<void>;
}

/** `seed` decides delays, duplicates, and which of two events comes first. */
export async function startSlack({ seed = 1 }: { readonly seed?: number } = {}): Promise<FakeSlack> {
  const child = await startProgram(new URL('slack-program.ts', import.meta.url), { SEED: String(seed) });
  const url = await child.line('http://');
  const call = async (name: string, args: readonly unknown[]): Promise<unknown> => {
    const answer = await fetch(`${url}/control/${name}`, { method: 'POST', body: JSON.stringify(args) });
    const body: unknown = await answer.json();
    if (!answer.ok) throw new Error(`fake Slack: ${(body as { error: string }).error}`);
    return body ?? undefined;
  };
  const ids = async () => (await call('ids', [])) as ReturnType<Controls['ids']>;
  const own = {
    ...(await ids()),
    url,
    apiUrl: `${url}/api/`,
    until,
    async startAnew() {
      await call('startAnew', []);
      Object.assign(own, await ids());
    },
    close: () => child.kill(),
  };
  return new Proxy(own as unknown as FakeSlack, {
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
