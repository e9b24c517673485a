/** The connection to Discord: every event is read, stored and forgotten; no turn is run here. */
import {
  ChannelType,
  Client,
  Events,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  GatewayIntentBits,
  type GatewayReadyDispatchData,
  type Guild,
  Partials,
} from 'discord.js';
import type { MessageRef } from '../../domain/address.ts';
import type { TutorError } from '../../domain/errors.ts';
import type { ConversationId } from '../../domain/ids.ts';
import type { Change } from '../../domain/inbound.ts';
import { Changes } from '../../gateway/changes.ts';
import type { PressHandlers } from '../../gateway/control-press.ts';
import { Inflow } from '../../gateway/inflow.ts';
import { Progress } from '../../gateway/progress.ts';
import { Recent } from '../../gateway/recent.ts';
import type { Heard, Said } from '../../gateway/said.ts';
import { whyUnanswered } from '../../gateway/why-unanswered.ts';
import type { Contact } from '../../ports/contact.ts';
import type { MessageOwner } from '../../ports/conversations.ts';
import type { RateBudgets } from '../../ports/rate-budget.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import { offerToAnswerAgain } from './changed-question.ts';
import { Clicks, type ClicksMeans } from './clicks.ts';
import { ClosedChannels } from './closed-channels.ts';
import { type CommandHandlers, Commands } from './commands.ts';
import { refusalOfClose, refusalOfLogin } from './fatal.ts';
import { Gap } from './gap.ts';
import { Listening } from './listening.ts';
import { Marks } from './marks.ts';
import { MessageReader } from './message-reader.ts';
import { type HeardMessage, isThread, userOf } from './normalize.ts';
import { PacedCalls } from './paced-calls.ts';
import { PassingNotes } from './passing-notes.ts';
import { permissionsProblem } from './permissions.ts';
import { type CommandScope, keepRegistering } from './register-commands.ts';
import { discordRest, type Rest } from './rest.ts';
import { idBefore } from './snowflake.ts';

/** Direct messages come on this one. */
const shardOfDirects = 0;

/** What was heard before the end may take so long to be stored. Unit: milliseconds. */
const lastWordsMs = 3_000;
const saveEveryMs = 1_000;
/** Of these it is known who wrote them, should they be deleted. */
const rememberedMessages = 10_000;
/** So much is kept in memory while the store is away: messages, changes to them, what people press. */
const keptThings = 10_000;
/** Discord lists no direct messages to bots: these are read after a gap. */
const readDirects = 500;
/** Of these the language is known. */
const rememberedPeople = 10_000;

export interface GatewayOptions
  extends CommandHandlers,
    PressHandlers,
    Omit<CommandScope, 'applicationId'>,
    Pick<ClicksMeans, 'pauseOf' | 'journalOf' | 'messagesOf' | 'thinkingIn' | 'vote' | 'isAdmin'> {
  readonly token: string;
  /** Without the version, such as `https://discord.com/api`. */
  readonly apiUrl: string;
  readonly shards: number | 'auto';
  readonly followAllThreads: boolean;
  /** Rejects while the store is away; the same event is taken once. */
  readonly accept: (said: Said) => Promise<string>;
  /** A message of somebody was edited or deleted. Rejects as `accept` does. */
  readonly change: (change: Change) => Promise<unknown>;
  /** Whether a turn runs that may still take what is said. */
  readonly isBusy: (conversation: ConversationId) => Promise<boolean>;
  readonly ownerOf: (message: MessageRef) => Promise<MessageOwner | undefined>;
  /** How far all gateways together have read; kept over restarts. */
  readonly cursor: {
    get(): Promise<string | undefined>;
    set(messageId: string): Promise<void>;
  };
  /** Where people write to the bot directly; kept over restarts. */
  readonly directs: {
    note(channel: string): Promise<void>;
    /** Those that were noted last, newest first. */
    newest(count: number): Promise<readonly string[]>;
  };
  /** Sees to answers that could not be shown to their end: the bot may write again where it could not. */
  readonly finishLeft: () => Promise<void>;
  /** Instead of 10,000 things that are kept in memory while the store is away. */
  readonly maxKept?: number;
  /** Shared with all who write in its channels. */
  readonly budgets: RateBudgets;
  /** Missed messages that are older are left unanswered. */
  readonly catchUpMaxAgeMs: number;
  readonly contact: Contact;
  readonly clock: Clock;
  readonly log: Logger;
  /** One sentence for the operator, who can do something about it. */
  readonly tell: (sentence: string) => void;
  /** The connection has ended for good. */
  readonly onFatal: (error: TutorError) => void;
}

export interface RunningGateway {
  /** Hears nothing any more; resolves when what was heard is stored. */
  close(): Promise<void>;
}

/** Resolves when the bot hears. Rejects with one sentence when Discord will not have it. */
export async function startDiscordGateway(options: GatewayOptions): Promise<RunningGateway> {
  const begin = (await options.cursor.get()) ?? idBefore(options.clock.now());
  const gateway = new Gateway(options, begin);
  await gateway.login(begin);
  return gateway;
}

class Gateway implements RunningGateway {
  private readonly client: Client;
  private readonly rest: Rest;
  private readonly leaving = new AbortController();
  private readonly reader: MessageReader;
  private readonly changes: Changes<HeardMessage>;
  private readonly inflow: Inflow;
  private readonly clicks: Clicks;
  private readonly commands: Commands;
  private readonly gap: Gap;
  private readonly closed: ClosedChannels;
  private readonly notes: PassingNotes;
  private readonly marks: Marks;
  private readonly heard = new Recent<Heard>(rememberedMessages);
  /** Messages do not tell the language of people; what they press does. */
  private readonly locales = new Recent<string>(rememberedPeople);
  private botId = '';
  private readonly progress: Progress;
  private readonly listening: Listening;
  private saved: string | undefined;
  private readingDirects: Promise<void> | undefined;
  private cancelSave = () => {};
  private registering: Promise<void> | undefined;

  /** `begin`: all up to this message was heard before. */
  constructor(
    private readonly options: GatewayOptions,
    begin: string,
  ) {
    const { token, apiUrl, shards, log, contact, onFatal, maxKept = keptThings } = options;
    const { signal } = this.leaving;
    this.progress = new Progress(begin);
    this.listening = new Listening(this.progress, begin);
    this.rest = discordRest({ token, apiUrl });
    this.inflow = new Inflow({ ...options, maxKept, signal });
    const reread: ClicksMeans['reread'] = (...what) => this.reader.reread(...what);
    const calls = new PacedCalls({ ...options, rest: this.rest, signal });
    this.clicks = new Clicks({ ...options, rest: this.rest, calls, inflow: this.inflow, reread, signal });
    this.notes = new PassingNotes({ ...options, calls });
    this.marks = new Marks({ ...options, rest: this.rest });
    this.commands = new Commands({ ...options, rest: this.rest, inflow: this.inflow });
    const { rest, inflow, progress } = this;
    const store = (message: HeardMessage) => this.store(message);
    this.gap = new Gap({ ...options, rest, inflow, progress, store, signal });
    this.client = new Client({
      intents: [
        GatewayIntentBits.Guilds,
        GatewayIntentBits.GuildMessages,
        GatewayIntentBits.DirectMessages,
        GatewayIntentBits.MessageContent,
      ],
      partials: [Partials.Channel, Partials.Message],
      // A number in `shards` would be the only shard to run.
      ...(shards === 'auto' ? { shards } : { shardCount: shards }),
      rest: { api: apiUrl },
    });
    const { client } = this;
    this.closed = new ClosedChannels({ ...options, client, rest });
    const localeOf = (person: string) => this.locales.get(person);
    this.reader = new MessageReader({ ...options, client, rest, localeOf });
    this.changes = new Changes({
      ...options,
      reader: this.reader,
      heard: this.heard,
      offerAgain: (change, turn) => offerToAnswerAgain({ ...options, rest }, change, turn),
    });
    this.client.on(Events.Raw, (packet: GatewayDispatchPayload, shard: number) =>
      this.receive(packet, shard),
    );
    this.client.on(Events.ClientReady, ({ guilds }) => {
      for (const guild of guilds.cache.values()) this.checkPermissions(guild);
      this.finishLeft();
    });
    this.client.on(Events.GuildCreate, (guild) => {
      this.checkPermissions(guild);
      this.finishLeft();
    });
    // Perhaps a permission that came back.
    this.client.on(Events.ChannelUpdate, () => this.finishLeft());
    this.client.on(Events.ShardReady, () => contact.ok());
    this.client.on(Events.ShardResume, (shard) => {
      this.listening.resumed(shard);
      contact.ok();
    });
    this.client.on(Events.ShardReconnecting, (shard) => {
      this.listening.connectionLost(shard);
      contact.away(new Error('the connection was lost'));
    });
    this.client.on(Events.ShardDisconnect, ({ code }) => {
      const refusal = refusalOfClose(code);
      if (refusal !== undefined && this.botId !== '') onFatal(refusal);
    });
    this.client.on(Events.ShardError, (error) =>
      log.warn({ error }, 'the connection to Discord has an error'),
    );
    this.client.on(Events.Error, (error) => log.error({ error }, 'discord.js has an error'));
    this.client.on(Events.Warn, (warning) => log.warn({ warning }, 'discord.js warns'));
  }

  async login(begin: string): Promise<void> {
    // Until all shards have said which servers they bring.
    const starting = this.progress.hold(begin);
    const save = () => {
      void this.saveProgress();
      this.cancelSave = this.options.clock.after(saveEveryMs, save);
    };
    this.cancelSave = this.options.clock.after(saveEveryMs, save);
    try {
      await this.client.login(this.options.token);
    } catch (error) {
      this.cancelSave();
      throw refusalOfLogin(error);
    }
    starting.release();
  }

  async close(): Promise<void> {
    await this.client.destroy();
    const stored = Promise.all([this.commands.settled(), this.readingDirects, this.gap.settled()]).then(() =>
      this.inflow.settled(),
    );
    const settled = Promise.all([stored, this.clicks.settled()]);
    await Promise.race([settled, this.options.clock.sleep(lastWordsMs, this.leaving.signal)]);
    this.leaving.abort();
    await Promise.all([settled, this.registering]);
    await this.notes.clear();
    this.cancelSave();
    await this.saveProgress();
  }

  private receive(packet: GatewayDispatchPayload, shard: number): void {
    switch (packet.t) {
      case GatewayDispatchEvents.Ready:
        this.botId = packet.d.user.id;
        this.registering ??= this.register(packet.d.application.id);
        return this.sessionBegins(packet.d, shard);
      case GatewayDispatchEvents.GuildCreate: {
        const server = packet.d;
        return this.listening.came(server.id, (after) => this.gap.readServer(server, after));
      }
      case GatewayDispatchEvents.GuildDelete:
        return this.listening.gone(shard, packet.d.id, packet.d.unavailable === true);
      case GatewayDispatchEvents.MessageCreate: {
        const message = packet.d;
        this.listening.heard(shard, message.id);
        return this.pass(message, true, () => void this.store(message));
      }
      case GatewayDispatchEvents.MessageUpdate: {
        const message = packet.d;
        // A preview that Discord adds is an update, too.
        if (message.edited_timestamp === null) return;
        this.changes.note(message.id, message);
        return this.pass(message, false, () => {
          void this.inflow.take(lineOf(message), () =>
            this.changes.edited(message, message.edited_timestamp ?? ''),
          );
        });
      }
      case GatewayDispatchEvents.MessageDelete: {
        return this.forget([packet.d.id], packet.d.channel_id);
      }
      case GatewayDispatchEvents.MessageDeleteBulk: {
        return this.forget(packet.d.ids, packet.d.channel_id);
      }
      case GatewayDispatchEvents.InteractionCreate: {
        const { member, user = member?.user } = packet.d;
        if (user !== undefined && 'locale' in packet.d) this.locales.set(user.id, packet.d.locale);
        this.clicks.take(packet.d);
        return this.commands.take(packet.d);
      }
      default:
    }
  }

  private register(applicationId: string): Promise<void> {
    const { rest, options, leaving } = this;
    return keepRegistering({ ...options, applicationId }, { ...options, rest, signal: leaving.signal });
  }

  private checkPermissions({ name, members }: Guild): void {
    const problem = members.me && permissionsProblem(name, members.me.permissions.bitfield);
    if (problem) this.options.tell(`${problem.what} ${problem.fix}`);
  }

  private finishLeft(): void {
    this.options.finishLeft().catch((error: unknown) => {
      this.options.log.warn({ error }, 'answers that were left wait for the next start');
    });
  }

  private sessionBegins({ guilds }: GatewayReadyDispatchData, shard: number): void {
    const after = this.listening.began(
      shard,
      guilds.map(({ id }) => id),
    );
    if (shard === shardOfDirects) this.readingDirects = this.readDirects(after);
  }

  private async readDirects(after: string): Promise<void> {
    const hold = this.progress.hold(after);
    await this.inflow.take('direct messages', async () => {
      for (const id of await this.options.directs.newest(readDirects))
        this.gap.read({ id, type: ChannelType.DM }, after);
      hold.release();
    });
  }

  /** Behind what is read of its channel, if any is. */
  private pass({ id: message, channel_id: id, ...where }: Where, isNew: boolean, run: () => void): void {
    const type = where.channel_type ?? this.client.channels.cache.get(id)?.type ?? ChannelType.GuildText;
    this.gap.pass({ place: { id, type, guild: where.guild_id }, message, isNew, run });
  }

  /** Resolves when it is stored, or all waiting has ended. */
  private store(message: HeardMessage): Promise<void> {
    this.progress.heard(message.id);
    return this.inflow.take(lineOf(message), async () => {
      await this.hear(message);
      if (message.channel_type === ChannelType.DM) await this.options.directs.note(message.channel_id);
      this.progress.stored(message.id);
    });
  }

  /** Now and then, and at the end. */
  private async saveProgress(): Promise<void> {
    const { until } = this.progress;
    if (until === undefined || until === this.saved) return;
    try {
      await this.options.cursor.set(until);
      this.saved = until;
    } catch (error) {
      this.options.log.debug({ error }, 'how far Discord was read is noted later');
    }
  }

  private async hear(message: HeardMessage): Promise<void> {
    // Events come twice, and what was heard just before a gap is read again.
    if (this.heard.get(message.id) !== undefined) return;
    const newest = this.changes.newest(message);
    const said = newest && (await this.reader.read(newest));
    if (said === undefined) return;
    const { accept, isBusy, mayUse } = this.options;
    const isAsked = said.wanted !== 'if_followed' && !said.from.isBot;
    if (isAsked && this.closed.isClosed(message) && mayUse(userOf(message.author.id), said.from))
      return this.closed.explain(message, said);
    // Asked for in front of the append, and not waited for before it.
    const [wasBusy, accepted] = await Promise.all([isBusy(said.conversation), accept(said)]);
    this.heard.set(message.id, said);
    const { kind, address, id } = said.item;
    if (accepted === 'queued' && wasBusy && kind === 'message') this.marks.noted(address, id);
    const why = whyUnanswered(accepted, said);
    if (why !== undefined) this.notes.say(message.channel_id, message.id, why);
  }

  /** Discord tells only the ids: who wrote what is older than the newest messages is not known any more. */
  private forget(ids: readonly string[], channel: string): void {
    const type = this.client.channels.cache.get(channel)?.type;
    for (const id of ids) {
      this.changes.note(id, 'deleted');
      const where = { id, channel_id: channel, channel_type: type };
      this.pass(where, false, () => void this.inflow.take(lineOf(where), () => this.changes.deleted(id)));
    }
  }
}

/** What is said in one conversation stays in order; a message of a channel begins one of its own. */
function lineOf({ id, channel_id: channel, channel_type: type = ChannelType.GuildText }: Where): string {
  return isThread(type) || type === ChannelType.DM ? channel : id;
}

interface Where {
  readonly id: string;
  readonly channel_id: string;
  readonly channel_type?: ChannelType | undefined;
  readonly guild_id?: string | undefined;
}
