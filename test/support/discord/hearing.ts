/** A gateway of the product in this process, on the fake: what it stores and notes is a few variables that a test looks at. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type GatewayOptions,
  type RunningGateway,
  startDiscordGateway,
} from '../../../src/adapters/discord/gateway.ts';
import { localRateBudgets } from '../../../src/delivery/local-rate-budgets.ts';
import type { TutorError } from '../../../src/domain/errors.ts';
import type { Change } from '../../../src/domain/inbound.ts';
import { textOf } from '../../../src/domain/message.ts';
import { systemClock } from '../../../src/observe/clock.ts';
import { quietLog } from '../quiet-log.ts';
import type { FakeDiscord } from './server.ts';

/** What outlives a gateway. */
export class Store {
  /** While it is away nothing can be stored or noted. */
  isAway = false;
  /** What was said, once each, in the order in which it was stored. */
  readonly said: { readonly id: string; readonly text: string; readonly conversation: string }[] = [];
  readonly ids = new Set<string>();
  readonly changes: Change[] = [];
  cursor: string | undefined;
  readonly directs = new Set<string>();
  /** How often a message came that was stored before. */
  again = 0;

  get texts(): readonly string[] {
    return this.said.map(({ text }) => text);
  }
}

/** A gateway as the product runs it; `heard` resolves when so many messages are stored. */
export interface Hearing {
  readonly gateway: RunningGateway;
  readonly fatal: readonly TutorError[];
  /** Whether the connection was said to be lost or back, in order. */
  readonly contact: readonly ('ok' | 'away')[];
}

export async function hear(
  discord: FakeDiscord,
  store: Store,
  more: Partial<GatewayOptions> = {},
): Promise<Hearing> {
  const fatal: TutorError[] = [];
  const contact: ('ok' | 'away')[] = [];
  const guarded = async <Result>(what: () => Result): Promise<Result> => {
    await sleep(0);
    if (store.isAway) throw new Error('the store is away');
    return what();
  };
  const gateway = await startDiscordGateway({
    token: discord.token,
    apiUrl: discord.apiUrl,
    shards: 'auto',
    guildId: undefined,
    lastGuild: { get: async () => undefined, set: async () => {} },
    followAllThreads: false,
    accept: ({ conversation, item }) =>
      guarded(() => {
        if (store.ids.has(item.id)) {
          store.again += 1;
          return 'duplicate';
        }
        store.ids.add(item.id);
        if ('content' in item) store.said.push({ id: item.id, text: textOf(item.content), conversation });
        return 'queued';
      }),
    change: (change) =>
      guarded(() => {
        store.changes.push(change);
        return store.ids.has(change.id) ? 'changed' : 'unknown';
      }),
    isBusy: () => guarded(() => false),
    ownerOf: () => guarded(() => undefined),
    pauseOf: () => guarded(() => undefined),
    journalOf: () => guarded(() => []),
    messagesOf: async () => [],
    thinkingIn: () => [],
    vote: async () => undefined,
    isAdmin: () => false,
    cursor: {
      get: () => guarded(() => store.cursor),
      set: (id) => guarded(() => void (store.cursor = id)),
    },
    directs: {
      note: (channel) => guarded(() => void store.directs.add(channel)),
      newest: () => guarded(() => [...store.directs]),
    },
    budgets: localRateBudgets(systemClock),
    finishLeft: async () => {},
    catchUpMaxAgeMs: 24 * 3_600_000,
    mayUse: () => true,
    answerCommand: async () => ({ text: '' }),
    answerPress: async () => ({ kind: 'tell', text: '' }),
    formFor: async () => ({ kind: 'tell', text: '' }),
    isFirst: async () => true,
    newestAt: async () => undefined,
    noteLocale: async () => {},
    contact: { ok: () => contact.push('ok'), away: () => contact.push('away') },
    clock: systemClock,
    log: quietLog,
    tell: () => {},
    onFatal: (error) => fatal.push(error),
    ...more,
  });
  return { gateway, fatal, contact };
}
