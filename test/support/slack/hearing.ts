/** A gateway of the product in this process, on the fake: what it stores and notes is a few variables that a test looks at. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type RunningSlack,
  type SlackGatewayOptions,
  startSlackGateway,
} from '../../../src/adapters/slack/gateway.ts';
import { slackPeople } from '../../../src/adapters/slack/people.ts';
import { oneWorkspace, slackWeb } from '../../../src/adapters/slack/web.ts';
import type { Change, InboxItem } from '../../../src/domain/inbound.ts';
import { textOf } from '../../../src/domain/message.ts';
import { systemClock } from '../../../src/observe/clock.ts';
import type { Ballot } from '../../../src/ports/votes.ts';
import { quietLog } from '../quiet-log.ts';
import type { FakeSlack } from './server.ts';

/** What outlives a gateway. */
export class Store {
  /** While it is away nothing can be stored or noted. */
  isAway = false;
  /** Each step of it takes so long. Unit: milliseconds. */
  delayMs = 0;
  /** What was said, once each, in the order in which it was stored. */
  readonly items: { readonly conversation: string; readonly item: InboxItem }[] = [];
  readonly ids = new Set<string>();
  readonly changes: Change[] = [];
  readonly ballots: Ballot[] = [];
  readonly places = new Set<string>();
  readonly told: string[] = [];
  cursor: string | undefined;
  /** How often something came that was stored before. */
  again = 0;

  get texts(): readonly string[] {
    return this.items.flatMap(({ item }) => ('content' in item ? [textOf(item.content)] : []));
  }

  get kinds(): readonly string[] {
    return this.items.map(({ item }) => item.kind);
  }
}

export interface Hearing {
  readonly gateway: RunningSlack;
  readonly contact: readonly ('ok' | 'away')[];
  /** Where it takes requests, when it does. */
  readonly url: string;
  close(): Promise<void>;
}

export type HearingOptions = Partial<SlackGatewayOptions> & { readonly overHttp?: true };

export async function hear(
  slack: FakeSlack,
  store: Store,
  { overHttp, ...more }: HearingOptions = {},
): Promise<Hearing> {
  const contact: ('ok' | 'away')[] = [];
  const guarded = async <Result>(what: () => Result): Promise<Result> => {
    await sleep(store.delayMs);
    if (store.isAway) throw new Error('the store is away');
    return what();
  };
  const webFor = oneWorkspace(slackWeb({ token: slack.token, apiUrl: slack.apiUrl }));
  const gateway = await startSlackGateway({
    isSingle: true,
    appToken: overHttp ? undefined : slack.appToken,
    signingSecret: overHttp ? slack.signingSecret : undefined,
    installing: undefined,
    apiUrl: slack.apiUrl,
    webFor,
    people: slackPeople(webFor),
    groupsOf: async () => undefined,
    followAllThreads: false,
    accept: ({ conversation, item }) =>
      guarded(() => {
        const id = `${conversation} ${item.id}`;
        if (store.ids.has(id)) {
          store.again += 1;
          return 'duplicate';
        }
        store.ids.add(id);
        store.items.push({ conversation, item });
        return 'queued';
      }),
    change: (change) =>
      guarded(() => {
        store.changes.push(change);
        return store.ids.has(`${change.conversation} ${change.id}`) ? 'changed' : 'unknown';
      }),
    noted: () => {},
    uninstalled: async () => {},
    noteProfile: () => {},
    isBusy: () => guarded(() => false),
    ownerOf: () => guarded(() => undefined),
    pauseOf: () => guarded(() => undefined),
    journalOf: () => guarded(() => []),
    spokenIn: () => guarded(() => []),
    messagesOf: async () => [],
    thinkingIn: () => [],
    vote: async (ballot) => void store.ballots.push(ballot),
    isAdmin: () => false,
    mayUse: () => true,
    answerCommand: async ({ name }) => ({ text: `answer to ${name}` }),
    answerPress: async () => ({ kind: 'tell', text: '' }),
    formFor: async () => ({ kind: 'tell', text: '' }),
    readLine: () => undefined,
    isFirst: async () => true,
    cursor: {
      get: () => guarded(() => store.cursor),
      set: (mark) => guarded(() => void (store.cursor = mark)),
    },
    places: {
      note: (place) => guarded(() => void store.places.add(place)),
      newest: () => guarded(() => [...store.places]),
    },
    catchUpMaxAgeMs: 24 * 3_600_000,
    contact: { ok: () => contact.push('ok'), away: () => contact.push('away') },
    clock: systemClock,
    log: quietLog,
    tell: (sentence) => store.told.push(sentence),
    ...more,
  });
  const server = overHttp ? await serve(gateway) : undefined;
  const port = (server?.address() as AddressInfo | undefined)?.port;
  const url = port === undefined ? '' : `http://127.0.0.1:${port}`;
  if (server !== undefined) await slack.receiveAt([`${url}/slack/events`]);
  return {
    gateway,
    contact,
    url,
    async close() {
      if (overHttp) await slack.receiveAt([]);
      server?.closeAllConnections();
      server?.close();
      await gateway.close();
    },
  };
}

async function serve({ listener }: RunningSlack): Promise<Server> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
