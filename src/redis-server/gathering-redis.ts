/**
 * A client that sends the commands of one moment together: those of one turn of the event loop, a few in a write. ioredis
 * writes each to the socket by itself, and such a write is a third of what a command costs this process. Replies that
 * arrive together, on whatever connection, let many turns go on at once, so what they send next is gathered too. (Its own
 * auto-pipelining costs as much as it saves.)
 */
import { Redis } from 'ioredis';

/** More in a write saves little, and Redis would wait, idle, until this process has said all it has to say. */
const commandsInOneWrite = 8;

export class GatheringRedis extends Redis {
  /** The socket that holds commands back, and how many there have been. */
  private held: { readonly stream: Redis['stream']; commands: number } | undefined;

  override sendCommand(...command: Parameters<Redis['sendCommand']>): unknown {
    const held = (this.held ??= this.gather());
    const reply = super.sendCommand(...command);
    if (held !== undefined && ++held.commands % commandsInOneWrite === 0) {
      held.stream.uncork();
      held.stream.cork();
    }
    return reply;
  }

  /** Until the end of this turn of the event loop. */
  private gather(): GatheringRedis['held'] {
    if (this.status !== 'ready') return undefined;
    const { stream } = this;
    stream.cork();
    setImmediate(() => {
      this.held = undefined;
      stream.uncork();
    });
    return { stream, commands: 0 };
  }
}
