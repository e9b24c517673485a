/**
 * A client that sends the commands of one moment together: those of one turn of the event loop. ioredis writes each to
 * the socket by itself, and such a write is a third of what a command costs this process. Replies that arrive together,
 * on whatever connection, let many turns go on at once, so what they send next is gathered too. (Its own auto-pipelining
 * costs as much as it saves.)
 */
import { Redis } from 'ioredis';

export class GatheringRedis extends Redis {
  private isGathering = false;

  override sendCommand(...command: Parameters<Redis['sendCommand']>): unknown {
    this.gather();
    return super.sendCommand(...command);
  }

  private gather(): void {
    if (this.isGathering || this.status !== 'ready') return;
    const { stream } = this;
    this.isGathering = true;
    stream.cork();
    setImmediate(() => {
      this.isGathering = false;
      stream.uncork();
    });
  }
}
