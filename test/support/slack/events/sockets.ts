/** Socket Mode: tickets, hello, envelopes that wait for their acknowledgement, and the ways in which sockets go wrong. */

import { rules } from '../rules.ts';
import type { Slack } from '../slack.ts';
import type { Json } from '../world/world.ts';
import { ackWithinMs, type Delivery, type FailReason, type Outcome } from './courier.ts';

/** A socket as the server has it. */
export interface Wire {
  send(text: string): void;
  close(code: number): void;
  terminate(): void;
}

export interface SocketKnobs {
  /** False: sockets open and nothing is said. */
  readonly saysHello: boolean;
  /** True: sockets are open and nobody is at the other end: no pong, no events, no answer. */
  readonly isDeaf: boolean;
  /** New sockets are turned away. */
  readonly isClosed: boolean;
}

interface Waiting {
  readonly sentAt: number;
  readonly what: string;
  readonly settle: (outcome: Outcome) => void;
  readonly cancel: () => void;
}

export class Sockets {
  knobs: SocketKnobs = { saysHello: true, isDeaf: false, isClosed: false };
  private readonly tickets = new Set<string>();
  private readonly open = new Set<Connection>();
  private count = 0;
  /** All that were ever opened. */
  opened = 0;

  constructor(readonly slack: Slack) {}

  newTicket(): string {
    const ticket = `t${(this.count += 1)}`;
    this.tickets.add(ticket);
    return `${this.slack.url.replace('http', 'ws')}/link/?ticket=${ticket}&app_id=${this.slack.world.appId}`;
  }

  /** Whether a socket with this ticket may open; a ticket is good for one. */
  admit(ticket: string): boolean {
    return !this.knobs.isClosed && this.tickets.delete(ticket) && this.open.size < rules.connections.max;
  }

  connect(wire: Wire): Connection {
    const connection = new Connection(this, wire);
    this.opened += 1;
    this.open.add(connection);
    if (this.knobs.saysHello && !this.knobs.isDeaf)
      connection.send({
        type: 'hello',
        connection_info: { app_id: this.slack.world.appId },
        num_connections: this.open.size,
        debug_info: { host: 'applink-1', build_number: 1, approximate_connection_time: 18_060 },
      });
    return connection;
  }

  closed(connection: Connection): void {
    this.open.delete(connection);
  }

  get size(): number {
    return this.open.size;
  }

  get all(): readonly Connection[] {
    return [...this.open];
  }

  async send(delivery: Delivery, attempt: number, why?: FailReason): Promise<Outcome> {
    const connections = [...this.open];
    const chosen = connections[Math.floor(this.slack.runtime.chance() * connections.length)];
    if (chosen === undefined) return { isTaken: false, why: 'connection_failed', mayRepeat: true };
    return chosen.deliver(delivery, attempt, why);
  }
}

export class Connection {
  private readonly waiting = new Map<string, Waiting>();
  /** Envelopes whose time went by. */
  private readonly over = new Map<string, string>();

  constructor(
    private readonly sockets: Sockets,
    private readonly wire: Wire,
  ) {}

  send(frame: Json): void {
    this.wire.send(JSON.stringify(frame));
  }

  deliver(delivery: Delivery, attempt: number, why?: FailReason): Promise<Outcome> {
    const { slack } = this.sockets;
    const id = `${delivery.id}-${slack.world.newId('E')}`;
    return new Promise((resolve) => {
      const cancel = slack.runtime.later(ackWithinMs, () => {
        this.waiting.delete(id);
        this.over.set(id, delivery.what);
        resolve({ isTaken: false, why: 'timeout', mayRepeat: true });
      });
      this.waiting.set(id, { sentAt: slack.world.now(), what: delivery.what, settle: resolve, cancel });
      if (this.sockets.knobs.isDeaf) return;
      this.send({
        envelope_id: id,
        type: delivery.kind,
        accepts_response_payload: delivery.kind !== 'events_api',
        ...(delivery.kind === 'events_api' && { retry_attempt: attempt, retry_reason: why ?? '' }),
        payload: delivery.payload,
      });
    });
  }

  /** `warning` and `refresh_requested`: the app is asked to come again. `link_disabled`: Socket Mode was turned off. */
  disconnect(reason: 'warning' | 'refresh_requested' | 'link_disabled'): void {
    this.send({ type: 'disconnect', reason, debug_info: { host: 'applink-1' } });
  }

  cut(): void {
    this.wire.terminate();
  }

  receive(text: string): void {
    const { slack, knobs } = this.sockets;
    if (knobs.isDeaf) return;
    const frame = JSON.parse(text) as { envelope_id?: string; payload?: unknown };
    const id = frame.envelope_id ?? '';
    const waiting = this.waiting.get(id);
    if (waiting === undefined) {
      const late = this.over.get(id);
      if (late === undefined) slack.journal.note('odd_ack', id);
      else slack.journal.note('late_ack', late);
      return;
    }
    this.waiting.delete(id);
    this.over.set(id, waiting.what);
    waiting.cancel();
    waiting.settle({ isTaken: true, afterMs: slack.world.now() - waiting.sentAt, answer: frame.payload });
  }

  /** What waited on this socket is brought again over another one. */
  closed(): void {
    this.sockets.closed(this);
    for (const { cancel, settle } of this.waiting.values()) {
      cancel();
      settle({ isTaken: false, why: 'connection_failed', mayRepeat: true });
    }
    this.waiting.clear();
  }
}
