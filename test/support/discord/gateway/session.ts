/** One gateway session: what it may see, what it was sent, and the connection it has at the moment. */
import { GatewayIntentBits } from 'discord-api-types/v10';

/** The socket of one connection. */
export interface GatewaySocket {
  send(text: string): void;
  close(code: number, reason: string): void;
  /** As when a cable is pulled. */
  terminate(): void;
}

/** Something that happened, before it is cut to what a session may see. */
export interface GatewayEvent {
  readonly name: string;
  /** Absent: a direct message, which goes to shard 0. */
  readonly guildId?: string | undefined;
  /** Absent: everybody gets it. */
  readonly intent?: GatewayIntentBits;
  /** The data; `canRead` says whether the session has the content intent. */
  readonly data: (canRead: boolean) => unknown;
}

export interface SessionView {
  readonly id: string;
  readonly intents: number;
  readonly shard: readonly [number, number];
  readonly isConnected: boolean;
  readonly isEnded: boolean;
  readonly resumes: number;
  /** Names of the events it was sent, in order. */
  readonly events: readonly string[];
}

export class Session {
  socket: GatewaySocket | undefined;
  isEnded = false;
  resumes = 0;
  private readonly sent: { readonly s: number; readonly t: string; readonly text: string }[] = [];

  constructor(
    readonly id: string,
    readonly intents: number,
    readonly shard: readonly [number, number],
  ) {}

  get sequence(): number {
    return this.sent.length;
  }

  wants({ guildId, intent }: GatewayEvent): boolean {
    const [own, of] = this.shard;
    const shard = guildId === undefined ? 0 : Number((BigInt(guildId) >> 22n) % BigInt(of));
    return shard === own && (intent === undefined || (this.intents & intent) !== 0);
  }

  get canRead(): boolean {
    return (this.intents & GatewayIntentBits.MessageContent) !== 0;
  }

  /** Numbers the event and keeps it for a resume; sends it when somebody listens, unless it is kept back. */
  dispatch(name: string, d: unknown, isKeptBack = false): void {
    const s = this.sent.length + 1;
    const text = JSON.stringify({ op: 0, s, t: name, d });
    this.sent.push({ s, t: name, text });
    if (!isKeptBack) this.socket?.send(text);
  }

  /** Sends again what came after `sequence`. */
  replay(sequence: number): void {
    for (const { s, text } of this.sent) if (s > sequence) this.socket?.send(text);
  }

  view(): SessionView {
    const { id, intents, shard, isEnded, resumes } = this;
    const events = this.sent.map(({ t }) => t);
    return { id, intents, shard, isConnected: this.socket !== undefined, isEnded, resumes, events };
  }
}
