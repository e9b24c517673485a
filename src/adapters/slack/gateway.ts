/** The ears on Slack: everything is read, stored, acknowledged and forgotten; no turn is run here. */
import type { RequestListener } from 'node:http';
import type { TurnId } from '../../domain/ids.ts';
import type { Change } from '../../domain/inbound.ts';
import { withBareWords } from '../../gateway/bare-words.ts';
import { Changes } from '../../gateway/changes.ts';
import type { PressHandlers } from '../../gateway/control-press.ts';
import { Inflow } from '../../gateway/inflow.ts';
import { Progress } from '../../gateway/progress.ts';
import { Recent } from '../../gateway/recent.ts';
import type { Heard } from '../../gateway/said.ts';
import { whyUnanswered } from '../../gateway/why-unanswered.ts';
import type { Contact } from '../../ports/contact.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import { Clicks, type ClicksMeans, lineOf } from './clicks.ts';
import { type CommandHandlers, Commands } from './commands.ts';
import { refusalOf, SlackRefusedError } from './fatal.ts';
import { Gap, markAt, markOf } from './gap.ts';
import { HomeTab, type HomeTabMeans } from './home-tab.ts';
import { type Installing, slackListener } from './http.ts';
import type { Delivery } from './ingress.ts';
import { type HeardMessage, isDirectMessage, isReply } from './normalize.ts';
import { offerToAnswerAgain } from './offer-again.ts';
import { type BlockActions, type ChangeEvent, readPayload, type SlackEvent } from './payloads.ts';
import type { SlackPeople } from './people.ts';
import { placeName, userOf } from './place.ts';
import { PrivateWords } from './private-words.ts';
import { Reader, type ReaderMeans } from './reader.ts';
import { SideEvents } from './side-events.ts';
import { Sockets } from './sockets.ts';
import type { WebFor } from './web.ts';

/** What was heard before the end may take so long to be stored. Unit: milliseconds. */
const lastWordsMs = 3_000;
const saveEveryMs = 1_000;
/** Slack may not let us read what was missed for minutes. Unit: milliseconds. */
const gapPatienceMs = 2_000;
/** Of these it is known how they read, should they be changed, and that they were heard. */
const rememberedMessages = 10_000;
/** So much is kept in memory while the store is away. */
const keptThings = 10_000;
/** Places that are read after a gap. */
const readPlaces = 500;

export interface SlackGatewayOptions
  extends CommandHandlers,
    PressHandlers,
    Pick<ClicksMeans, 'accept' | 'pauseOf' | 'journalOf' | 'messagesOf' | 'thinkingIn' | 'vote' | 'isAdmin'>,
    Pick<HomeTabMeans, 'spokenIn' | 'isBusy'>,
    Pick<ReaderMeans, 'ownerOf' | 'groupsOf'> {
  /** The bot of the one workspace, when there is one. */
  readonly isSingle: boolean;
  /** Set: Socket Mode. */
  readonly appToken: string | undefined;
  readonly signingSecret: string | undefined;
  readonly installing: Installing | undefined;
  /** With a slash at its end. */
  readonly apiUrl: string;
  readonly webFor: WebFor;
  readonly people: SlackPeople;
  readonly followAllThreads: boolean;
  /** A message of somebody was edited or deleted. Rejects while the store is away. */
  readonly change: (change: Change) => Promise<unknown>;
  /** Shows that a message joins a turn that runs. */
  readonly noted: (message: Heard) => void;
  /** The app was taken out of a workspace, or its token is no longer good. */
  readonly uninstalled: (team: string) => Promise<void>;
  /** What the platform tells of a person. */
  readonly noteProfile: (
    person: Heard['item']['author'],
    profile: { readonly locale: string | undefined; readonly zone: string | undefined },
  ) => void;
  /** How far all gateways together have read; kept over restarts. */
  readonly cursor: {
    get(): Promise<string | undefined>;
    set(mark: string): Promise<void>;
  };
  /** Where people speak with the bot; kept over restarts. */
  readonly places: {
    note(place: string): Promise<void>;
    newest(count: number): Promise<readonly string[]>;
  };
  /** Instead of 10,000 things that are kept in memory while the store is away. */
  readonly maxKept?: number;
  readonly catchUpMaxAgeMs: number;
  readonly contact: Contact;
  readonly clock: Clock;
  readonly log: Logger;
  /** One sentence for the operator, who can do something about it. */
  readonly tell: (sentence: string) => void;
  /** For tests: how long Slack may owe the answer to a ping. Unit: milliseconds. */
  readonly pingLimitMs?: number;
}

export interface RunningSlack {
  /** What begins with `/slack/` on the server of this process. */
  readonly listener: RequestListener | undefined;
  /** Hears nothing any more; resolves when what was heard is stored. */
  close(): Promise<void>;
}

/** Resolves when the bot hears, or when Slack is away and trying goes on. Rejects with `SlackRefusedError`. */
export async function startSlackGateway(options: SlackGatewayOptions): Promise<RunningSlack> {
  const begin = (await options.cursor.get()) ?? markAt(options.clock.now());
  const gateway = new Gateway(options, begin);
  await gateway.start(begin);
  return gateway;
}

/** A message under the name by which it is known when it is changed. */
type Known = HeardMessage & { readonly id: string };

class Gateway implements RunningSlack {
  readonly listener: RequestListener | undefined;
  private readonly leaving = new AbortController();
  /** What is not read of a gap by then, the next process reads. */
  private readonly readingEnds = new AbortController();
  private readonly sockets: Sockets | undefined;
  private readonly inflow: Inflow;
  private readonly progress: Progress;
  private readonly reader: Reader;
  private readonly changes: Changes<Known>;
  private readonly clicks: Clicks;
  private readonly commands: Commands;
  private readonly home: HomeTab;
  private readonly side: SideEvents;
  private readonly words: PrivateWords;
  private readonly gap: Gap;
  private readonly heard = new Recent<Heard>(rememberedMessages);
  private readonly running = new Set<Promise<void>>();
  private saved: string | undefined;
  private cancelSave = () => {};

  constructor(
    private readonly options: SlackGatewayOptions,
    begin: string,
  ) {
    const {
      appToken,
      signingSecret,
      installing,
      webFor,
      maxKept = keptThings,
      places,
      isSingle,
      people,
    } = options;
    const { signal } = this.leaving;
    this.progress = new Progress(begin);
    this.inflow = new Inflow({ ...options, maxKept, signal });
    this.reader = new Reader(options);
    this.words = new PrivateWords(options);
    const { inflow, progress, reader, words } = this;
    this.home = new HomeTab({ ...options, inflow, words });
    const { home } = this;
    this.side = new SideEvents({
      ...options,
      home,
      keep: (work) => this.keep(work),
      storeThen: (...what) => this.storeThen(...what),
    });
    this.clicks = new Clicks({ ...options, inflow, reader, words, home });
    this.commands = new Commands({ ...options, inflow, home });
    this.changes = new Changes<Known>({
      ...options,
      reader,
      heard: this.heard,
      offerAgain: (change: Change, turn: TurnId) => offerToAnswerAgain({ ...options, webFor }, change, turn),
    });
    this.gap = new Gap({
      ...options,
      placesSpokenIn: () => places.newest(readPlaces),
      ownTeam: async () =>
        isSingle ? (await people.identityOf('').catch(() => undefined))?.team : undefined,
      store: (message) => this.store(message),
      inflow,
      progress,
      signal: this.readingEnds.signal,
    });
    const receive = (delivery: Delivery) => this.receive(delivery);
    if (signingSecret !== undefined || installing !== undefined)
      this.listener = slackListener({
        ...options,
        // With an app token everything comes over sockets.
        signingSecret: appToken === undefined ? signingSecret : undefined,
        receive,
      });
    if (appToken !== undefined)
      this.sockets = new Sockets({ ...options, appToken, receive, onGap: () => this.readGap() });
  }

  async start(begin: string): Promise<void> {
    const save = () => {
      void this.saveProgress();
      this.cancelSave = this.options.clock.after(saveEveryMs, save);
    };
    save();
    try {
      await this.checkToken();
      await this.sockets?.start();
    } catch (error) {
      this.cancelSave();
      throw error;
    }
    // Nobody can be asked: each workspace has a token of its own.
    if (this.sockets === undefined && !this.options.isSingle) this.options.contact.ok();
    if (this.sockets === undefined) this.options.tell('Slack: requests are taken at /slack/events');
    this.gap.read(begin);
  }

  async close(): Promise<void> {
    this.readingEnds.abort();
    await this.sockets?.close();
    const { clock } = this.options;
    const stored = Promise.all([this.commands.settled(), this.gap.settled(), ...this.running]).then(() =>
      this.inflow.settled(),
    );
    const settled = Promise.all([stored, this.clicks.settled()]);
    await Promise.race([settled, clock.sleep(lastWordsMs, this.leaving.signal)]);
    this.leaving.abort();
    await settled;
    this.cancelSave();
    await this.saveProgress();
  }

  /** A wrong token ends the start; a Slack that is away does not. */
  private async checkToken(): Promise<void> {
    if (!this.options.isSingle) return;
    try {
      // One token, one workspace: which one, its answer tells.
      await this.options.people.identityOf('');
    } catch (error) {
      const why = refusalOf('SLACK_BOT_TOKEN', error);
      if (why instanceof SlackRefusedError) throw why;
      this.options.contact.away(why);
      this.options.tell(`${why.message} ${why.hint}`);
    }
  }

  private receive({ body, ack }: Delivery): void {
    const payload = readPayload(body);
    switch (payload.is) {
      case 'event':
        return this.takeEvent(payload.team, payload.event, ack);
      case 'click':
        return this.clicks.take(this.withNote(payload.click), ack);
      case 'form':
        return this.clicks.submit(payload.form, ack);
      case 'shortcut':
        return this.commands.explain(payload.shortcut, ack);
      case 'command':
        return this.commands.take(payload.command, ack);
      case 'other':
        if (payload.type === 'app_rate_limited')
          this.options.log.warn({}, 'Slack holds events back: too many come from one workspace');
        else this.options.log.debug({ type: payload.type }, 'something of no interest came from Slack');
        return this.keep(ack());
    }
  }

  private takeEvent(team: string, event: SlackEvent, ack: Delivery['ack']): void {
    switch (event.type) {
      case 'message':
      case 'app_mention':
        if ('message' in event || 'deleted_ts' in event) return this.takeChange(team, event, ack);
        return this.takeMessage({ ...event, team }, ack);
      case 'reaction_added':
        return this.side.reaction(team, event, ack);
      case 'app_home_opened':
        return this.side.visit(team, event, ack);
      case 'assistant_thread_started': {
        const { channel_id: channel, user_id: user, thread_ts: thread } = event.assistant_thread;
        this.keep(ack());
        return this.keep(this.side.suggest(team, channel, user, thread));
      }
      case 'agent_session_stopped':
        return this.side.stop(team, event, ack);
      case 'app_uninstalled':
      case 'tokens_revoked':
        if (event.type === 'tokens_revoked' && (event.tokens?.bot ?? []).length === 0)
          return this.keep(ack());
        return this.storeThen(ack, team, () => this.options.uninstalled(team));
    }
  }

  private takeMessage(message: HeardMessage, ack: Delivery['ack']): void {
    // Slack sends it again, and what it does not is read later.
    if (!this.inflow.hasRoom) return this.progress.heard(markOf(message.ts));
    const inOrder = Promise.race([
      this.gap.before(spotOf(message)),
      this.options.clock.sleep(gapPatienceMs, this.leaving.signal).catch(() => {}), // the process ends
    ]);
    this.keep(inOrder.then(() => this.store(message)).then(() => ack()));
  }

  /** Resolves when it is stored, or all waiting has ended. */
  private store(message: HeardMessage): Promise<void> {
    const mark = markOf(message.ts);
    this.progress.heard(mark);
    return this.inflow.take(placeName(spotOf(message)), async () => {
      await this.hear(message);
      this.progress.stored(mark);
    });
  }

  private async hear(written: HeardMessage): Promise<void> {
    const id = idOf(written);
    // A mention comes twice, and what was not acknowledged in time comes again.
    if (this.heard.get(id) !== undefined) return;
    // An edit may have overtaken it.
    const message = this.changes.newest({ ...written, id });
    const said = message && (await this.reader.read(message));
    if (message === undefined || said === undefined) return;
    const { accept, isBusy, noted, noteProfile, people } = this.options;
    const isTalk = isReply(message) || isDirectMessage(message);
    const [wasBusy, accepted] = await Promise.all([
      isBusy(said.conversation),
      accept(isTalk ? withBareWords(said) : said),
      said.wanted === 'if_followed' ? undefined : this.notePlaces(message, said),
    ]);
    this.heard.set(id, said);
    if (message.user)
      void people.profileOf(message.team, message.user).then((profile) => {
        if (profile !== undefined) noteProfile(said.item.author, profile);
      });
    if (accepted === 'queued' && wasBusy && said.item.kind === 'message') noted(said);
    const why = whyUnanswered(accepted, said);
    if (why === undefined || !message.user) return;
    this.keep(this.sayWhy(message, message.user, why));
  }

  /** Once, whichever gateways heard it: a mention comes as two events. */
  private async sayWhy(message: HeardMessage, user: string, why: string): Promise<void> {
    const { team, channel } = message;
    if (!(await this.options.isFirst(`why ${idOf(message)}`))) return;
    const thread = isReply(message) ? (message.thread_ts ?? undefined) : undefined;
    await this.words.say({ team, channel, user, thread }, why);
  }

  private async notePlaces({ team, channel }: HeardMessage, said: Heard): Promise<void> {
    const { places } = this.options;
    const spoken = new Set([lineOf(said.conversation), placeName({ team, channel })]);
    await Promise.all([...spoken].map((place) => places.note(place)));
  }

  private takeChange(team: string, event: ChangeEvent, ack: Delivery['ack']): void {
    const { channel, channel_type } = event;
    const before = event.previous_message;
    const now = 'message' in event ? event.message : undefined;
    const isGone = now === undefined || now.subtype === 'tombstone';
    const ts = now?.ts ?? ('deleted_ts' in event ? event.deleted_ts : '');
    const known = isGone ? before : now;
    // Slack adds a preview, or what a thread has become: nothing that its author changed.
    const isSame = !isGone && before != null && now.text === before.text;
    if (known == null || isSame) return this.keep(ack());
    const message: Known = { ...known, ts, team, channel, channel_type, id: idOf({ team, channel, ts }) };
    this.changes.note(message.id, isGone ? 'deleted' : message);
    this.storeThen(ack, placeName(spotOf(message)), async () => {
      if (!isGone) return this.changes.edited(message, event.ts);
      if (this.heard.get(message.id) === undefined) {
        const said = await this.reader.read(message);
        if (said !== undefined) this.heard.set(message.id, said);
      }
      await this.changes.deleted(message.id);
    });
  }

  /** Acknowledged when it is stored, in order with what else is said on its line; never without room for it. */
  private storeThen(ack: Delivery['ack'], line: string, store: () => Promise<void>): void {
    if (!this.inflow.hasRoom) return;
    this.keep(this.inflow.take(line, store).then(() => ack()));
  }

  /** A press tells who the person is. */
  private withNote(click: BlockActions): BlockActions {
    const team = click.team?.id ?? click.user.team_id;
    const { people, noteProfile } = this.options;
    if (team)
      void people.profileOf(team, click.user.id).then((profile) => {
        if (profile !== undefined) noteProfile(userOf(click.user.id), profile);
      });
    return click;
  }

  private readGap(): void {
    const { until } = this.progress;
    if (until !== undefined) this.gap.read(until);
  }

  private async saveProgress(): Promise<void> {
    const { until } = this.progress;
    if (until === undefined || until === this.saved) return;
    try {
      await this.options.cursor.set(until);
      this.saved = until;
    } catch (error) {
      this.options.log.debug({ error }, 'how far Slack was read is noted later');
    }
  }

  private keep(work: Promise<unknown>): void {
    const done: Promise<void> = work
      .then(() => {})
      .catch((error: unknown) =>
        this.options.log.warn({ error }, 'something on Slack could not be dealt with'),
      )
      .finally(() => this.running.delete(done));
    this.running.add(done);
  }
}

/** A message is known by its channel and time, whatever brings it. */
function idOf({ team, channel, ts }: Pick<HeardMessage, 'team' | 'channel' | 'ts'>): string {
  return `${team}:${channel}:${ts}`;
}

/** What is said in one conversation stays in order; a message of a channel begins one of its own. */
function spotOf(message: HeardMessage) {
  const { team, channel, ts, thread_ts: thread } = message;
  const root = thread || (isDirectMessage(message) ? undefined : ts);
  return { team, channel, ...(root !== undefined && { thread: root }) };
}
