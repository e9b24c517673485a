/**
 * Up to where each part of Discord was listened to without a gap. A connection that is resumed brings what was said
 * meanwhile; a session that begins anew brings nothing, and servers that come back after an outage do not, either.
 */
import { type Hold, isNewer, type Progress } from '../../gateway/progress.ts';

/** Events may overtake each other by so much: what is read again is stored once. Unit: milliseconds. */
const overlapMs = 10_000n;

export class Listening {
  /** By shard: the newest message that was heard. */
  private readonly newest = new Map<number, string>();
  /** By shard: from when its connection was lost. */
  private readonly lost = new Map<number, Hold>();
  /** Servers that are to come, by id. */
  private readonly missing = new Map<string, Hold>();

  /** `begin`: up to there all was heard by the processes before. */
  constructor(
    private readonly progress: Progress,
    private readonly begin: string,
  ) {}

  heard(shard: number, message: string): void {
    if (isNewer(message, this.heardBy(shard))) this.newest.set(shard, message);
  }

  connectionLost(shard: number): void {
    if (!this.lost.has(shard)) this.lost.set(shard, this.progress.hold(this.readFrom(shard)));
  }

  resumed(shard: number): void {
    this.lost.get(shard)?.release();
    this.lost.delete(shard);
  }

  /** A session begins, and these servers will come. Returns the message after which direct messages may be missing. */
  began(shard: number, servers: readonly string[]): string {
    const after = this.readFrom(shard);
    for (const server of servers) this.miss(server, after);
    this.resumed(shard);
    return after;
  }

  /** Also when a server has an outage. */
  gone(shard: number, server: string, isForNow: boolean): void {
    if (isForNow) return this.miss(server, this.readFrom(shard));
    this.missing.get(server)?.release();
    this.missing.delete(server);
  }

  /** A server is there. `read` is told after which message to read, if any may be missing. */
  came(server: string, read: (after: string) => void): void {
    const hold = this.missing.get(server);
    if (hold === undefined) return;
    this.missing.delete(server);
    read(hold.after);
    hold.release();
  }

  private miss(server: string, after: string): void {
    if (!this.missing.has(server)) this.missing.set(server, this.progress.hold(after));
  }

  private heardBy(shard: number): string {
    return this.newest.get(shard) ?? this.begin;
  }

  private readFrom(shard: number): string {
    const id = BigInt(this.heardBy(shard)) - (overlapMs << 22n);
    return (id > 0n ? id : 0n).toString();
  }
}
