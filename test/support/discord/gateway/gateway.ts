/** Gateway v10: hello, identify, heartbeats, resume, close codes, and events to every session that may see them. */
import { GatewayIntentBits, GatewayOpcodes } from 'discord-api-types/v10';
import { type CloseRule, rules } from '../rules.ts';
import { guildPayload, userPayload } from '../world/payloads.ts';
import type { Guild, World } from '../world/world.ts';
import { type GatewayEvent, type GatewaySocket, Session, type SessionView } from './session.ts';

export interface GatewayKnobs {
  /** Unit: milliseconds. */
  readonly heartbeatMs: number;
  /** False: heartbeats are no longer answered (a zombie connection). */
  readonly answersHeartbeats: boolean;
  /** True: what happens is kept back until a resume, as on a line that is dead and not closed. */
  readonly keepsBack: boolean;
  /** False: connections are opened and nothing is ever said. */
  readonly saysHello: boolean;
  /** False: an identify gets no READY. */
  readonly saysReady: boolean;
  /** False: READY lists the servers, and none of them comes. */
  readonly sendsGuilds: boolean;
  /** False: connections are cut at once. */
  readonly accepts: boolean;
  /** Time in which a second identify of the same shard group is refused. Real: 5,000. Unit: milliseconds. */
  readonly identifyGapMs: number;
  readonly sessionStartsLeft: number;
  /** What `GET /gateway/bot` recommends. */
  readonly shards: number;
  /** Servers one shard may have before more shards are demanded. */
  readonly guildsPerShard: number;
  /** Each event to each session is late by a random time in this range, so that they overtake each other. Unit: ms. */
  readonly delayMs: readonly [number, number];
  /** Events of these names are later still, by so many milliseconds: `{ THREAD_CREATE: 100 }`. */
  readonly lateMs: Readonly<Record<string, number>>;
  /** Share of events that come twice, 0 to 1. */
  readonly duplicates: number;
}

const defaultKnobs: GatewayKnobs = {
  heartbeatMs: 41_250,
  answersHeartbeats: true,
  keepsBack: false,
  saysHello: true,
  saysReady: true,
  sendsGuilds: true,
  accepts: true,
  identifyGapMs: 0,
  sessionStartsLeft: 1_000,
  shards: 1,
  guildsPerShard: rules.sharding_required.max,
  delayMs: [0, 0],
  lateMs: {},
  duplicates: 0,
};

/** A session can be resumed this long after its connection was lost. Unit: milliseconds. */
const resumableMs = 3 * 60_000;
/** Frames are counted over this time. Unit: milliseconds. */
const frameWindowMs = 60_000;
const validIntents = Object.values(GatewayIntentBits).reduce<number>(
  (sum, bit) => (typeof bit === 'number' ? sum | bit : sum),
  0,
);

/** What the server of the sockets tells the gateway. */
export interface Connection {
  receive(text: string): void;
  closed(code: number): void;
}

export class Gateway {
  knobs = defaultKnobs;
  /** Set by the server: where the gateway is. */
  url = '';
  private readonly sessions = new Map<string, Session>();
  private readonly lostAt = new Map<Session, number>();
  private readonly sockets = new Set<GatewaySocket>();
  private readonly lastIdentify = new Map<number, number>();

  /** `chance` gives numbers from 0 to 1; `later` runs something after milliseconds. */
  constructor(
    private readonly world: World,
    private readonly chance: () => number,
    private readonly later: (ms: number, run: () => void) => () => void,
  ) {}

  dispatch(event: GatewayEvent): void {
    for (const session of this.live()) {
      if (!session.wants(event)) continue;
      // What it says is what was true when it happened, however late it comes.
      const data = event.data(session.canRead);
      const [least, most] = this.knobs.delayMs;
      const times = this.chance() < this.knobs.duplicates ? 2 : 1;
      for (let copy = 0; copy < times; copy += 1) {
        const delayMs = least + this.chance() * (most - least) + (this.knobs.lateMs[event.name] ?? 0);
        const dispatch = () => session.dispatch(event.name, data, this.knobs.keepsBack);
        if (delayMs === 0) dispatch();
        else this.later(delayMs, dispatch);
      }
    }
  }

  connect(socket: GatewaySocket, query: URLSearchParams): Connection {
    const ignored: Connection = { receive: () => {}, closed: () => {} };
    if (!this.knobs.accepts) {
      socket.terminate();
      return ignored;
    }
    this.sockets.add(socket);
    const hangUp = (rule: CloseRule) => socket.close(rules[rule].code, rules[rule].says);
    if (query.get('v') !== '10' || query.get('encoding') !== 'json') hangUp('invalid_version');
    const { heartbeatMs } = this.knobs;
    let session: Session | undefined;
    let frames: number[] = [];
    let cancelWatch = () => {};
    const watch = () => {
      cancelWatch();
      cancelWatch = this.later(heartbeatMs * 2, () => hangUp('session_timeout'));
    };
    if (this.knobs.saysHello) {
      socket.send(JSON.stringify({ op: GatewayOpcodes.Hello, d: { heartbeat_interval: heartbeatMs } }));
      watch();
    }
    const use = (started: Session | undefined) => {
      if (started === undefined) return;
      session = started;
      session.socket = socket;
      this.lostAt.delete(session);
    };
    return {
      receive: (text) => {
        const now = this.world.now();
        frames = [...frames.filter((at) => at > now - frameWindowMs), now];
        if (frames.length > rules.frame_rate.max) return hangUp('frame_rate');
        if (Buffer.byteLength(text) > rules.decode_error.max) return hangUp('decode_error');
        const frame = parseFrame(text);
        if (frame === undefined) return hangUp('decode_error');
        switch (frame.op) {
          case GatewayOpcodes.Heartbeat:
            if (typeof frame.d === 'number' && frame.d > (session?.sequence ?? 0))
              return hangUp('invalid_seq');
            watch();
            if (this.knobs.answersHeartbeats)
              socket.send(JSON.stringify({ op: GatewayOpcodes.HeartbeatAck }));
            return;
          case GatewayOpcodes.Identify:
            if (session?.socket === socket) return hangUp('already_authenticated');
            return use(this.identify(socket, frame.d as Identify, hangUp));
          case GatewayOpcodes.Resume:
            if (session?.socket === socket) return hangUp('already_authenticated');
            return use(this.resume(socket, frame.d as Resume, hangUp));
          case GatewayOpcodes.PresenceUpdate:
          case GatewayOpcodes.VoiceStateUpdate:
          case GatewayOpcodes.RequestGuildMembers:
            if (session === undefined) hangUp('not_authenticated');
            return;
          default:
            return hangUp('unknown_opcode');
        }
      },
      closed: (code) => {
        cancelWatch();
        this.sockets.delete(socket);
        if (session === undefined || session.socket !== socket) return;
        session.socket = undefined;
        this.lostAt.set(session, this.world.now());
        // A client that says goodbye has ended its session.
        if (code === 1000 || code === 1001) session.isEnded = true;
      },
    };
  }

  /** Closes every connection with a code; the sessions stay unless the client gives them up. */
  closeAll(code: number): void {
    for (const socket of this.sockets) socket.close(code, '');
  }

  cutAll(): void {
    for (const socket of this.sockets) socket.terminate();
  }

  /** Asks every client to come back and resume. */
  askToReconnect(): void {
    this.toAll({ op: GatewayOpcodes.Reconnect, d: null });
  }

  /** Tells every client that its session is over, for now (`true`) or for good. */
  invalidate(isResumable: boolean): void {
    const sessions = this.live();
    if (!isResumable) for (const session of sessions) session.isEnded = true;
    for (const session of sessions) {
      session.socket?.send(JSON.stringify({ op: GatewayOpcodes.InvalidSession, d: isResumable }));
      // It listens to this line again when it is resumed on it.
      session.socket = undefined;
      this.lostAt.set(session, this.world.now());
    }
  }

  /** The servers that were kept back come now. */
  sendGuilds(): void {
    for (const session of this.live()) this.sendGuildsTo(session);
  }

  /** Sessions are forgotten: who comes back to resume has to identify. */
  forgetSessions(): void {
    for (const session of this.sessions.values()) session.isEnded = true;
  }

  views(): SessionView[] {
    return [...this.sessions.values()].map((session) => session.view());
  }

  /** The answer to `GET /gateway/bot`. */
  bot() {
    const { shards, sessionStartsLeft: remaining } = this.knobs;
    const limit = { total: 1_000, remaining, reset_after: 14_400_000, max_concurrency: 1 };
    return { url: this.url, shards, session_start_limit: limit };
  }

  private identify(
    socket: GatewaySocket,
    wish: Identify,
    hangUp: (rule: CloseRule) => void,
  ): Session | undefined {
    const { world, knobs } = this;
    const wrong = this.wrongWith(wish);
    if (wrong !== undefined) {
      hangUp(wrong);
      return undefined;
    }
    const [own, of] = shardOf(wish);
    const last = this.lastIdentify.get(own) ?? Number.NEGATIVE_INFINITY;
    if (world.now() < last + knobs.identifyGapMs) {
      socket.send(JSON.stringify({ op: GatewayOpcodes.InvalidSession, d: false }));
      return undefined;
    }
    this.lastIdentify.set(own, world.now());
    const session = new Session(world.newId(), wish.intents, [own, of]);
    this.sessions.set(session.id, session);
    session.socket = socket;
    if (!knobs.saysReady) return session;
    session.dispatch('READY', {
      v: 10,
      user: { ...userPayload(world.bot), verified: true, mfa_enabled: true, flags: 0 },
      guilds: this.guildsOf(session).map(({ id }) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: this.url,
      shard: [own, of],
      application: { id: world.applicationId, flags: 0 },
    });
    if (knobs.sendsGuilds) this.sendGuildsTo(session);
    return session;
  }

  private sendGuildsTo(session: Session): void {
    if ((session.intents & GatewayIntentBits.Guilds) === 0) return;
    for (const guild of this.guildsOf(session))
      session.dispatch('GUILD_CREATE', guildPayload(this.world, guild));
  }

  private guildsOf(session: Session): Guild[] {
    return this.guilds().filter(({ id }) => session.wants({ name: '', guildId: id, data: () => undefined }));
  }

  private resume(
    socket: GatewaySocket,
    wish: Resume,
    hangUp: (rule: CloseRule) => void,
  ): Session | undefined {
    this.live();
    const session = this.sessions.get(wish.session_id);
    if (wish.token !== this.world.token) {
      hangUp('bad_token');
      return undefined;
    }
    if (session === undefined || session.isEnded) {
      socket.send(JSON.stringify({ op: GatewayOpcodes.InvalidSession, d: false }));
      return undefined;
    }
    if (wish.seq > session.sequence) {
      hangUp('invalid_seq');
      return undefined;
    }
    session.socket = socket;
    session.resumes += 1;
    session.replay(wish.seq);
    session.dispatch('RESUMED', {});
    return session;
  }

  private wrongWith(wish: Identify): CloseRule | undefined {
    const { token, portal } = this.world;
    const [own, of] = shardOf(wish);
    const { intents } = wish;
    if (wish.token !== token) return 'bad_token';
    if (own < 0 || own >= of) return 'invalid_shard';
    if (this.guilds().length > this.knobs.guildsPerShard * of) return 'sharding_required';
    if (!Number.isInteger(intents) || (intents & ~validIntents) !== 0) return 'invalid_intents';
    const isMissing =
      (!portal.messageContent && (intents & GatewayIntentBits.MessageContent) !== 0) ||
      (!portal.guildMembers && (intents & GatewayIntentBits.GuildMembers) !== 0) ||
      (!portal.presences && (intents & GatewayIntentBits.GuildPresences) !== 0);
    return isMissing ? 'disallowed_intents' : undefined;
  }

  private guilds(): Guild[] {
    return [...this.world.guilds.values()].filter(({ id }) => this.world.hasBot(id));
  }

  /** Sessions that are connected or may still be resumed. */
  private live(): Session[] {
    const earliest = this.world.now() - resumableMs;
    for (const [session, at] of this.lostAt) if (at < earliest) session.isEnded = true;
    return [...this.sessions.values()].filter(({ isEnded }) => !isEnded);
  }

  private toAll(frame: unknown): void {
    for (const { socket } of this.live()) socket?.send(JSON.stringify(frame));
  }
}

interface Identify {
  readonly token: string;
  readonly intents: number;
  readonly shard?: readonly [number, number];
}

interface Resume {
  readonly token: string;
  readonly session_id: string;
  readonly seq: number;
}

const shardOf = ({ shard = [0, 1] }: Identify): readonly [number, number] => shard;

function parseFrame(text: string): { readonly op: number; readonly d: unknown } | undefined {
  try {
    const frame = JSON.parse(text) as { op?: unknown; d?: unknown } | null;
    return typeof frame?.op === 'number' ? { op: frame.op, d: frame.d } : undefined;
  } catch {
    return undefined; // the caller hangs up
  }
}
