/**
 * Which message on the surface is ours, as the ledger knows it: whoever goes on after a crash edits what is there and
 * never posts twice. A message that was taken away or can no longer be edited is followed by another one, whose slot and
 * key have a `+` more.
 */
import type { MessageRef } from '../domain/address.ts';
import type { SurfaceMessage } from '../domain/surface-message.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Surface } from '../ports/surface.ts';

export interface PlacedMessageMeans {
  readonly surface: Surface;
  readonly ledger: Ledger;
  /** Name of the message within its turn, and for the platform. */
  readonly slot: string;
  readonly key: string;
  readonly signal: AbortSignal;
}

/** What the ledger says of a message that is being taken away, and of one that is gone. */
const leaving = 'leaving';
const left = 'left';

export class PlacedMessage {
  private followers = '';
  private isFound = false;
  private at: MessageRef | undefined;
  private text: string | undefined;
  private isMaybeThere = false;

  constructor(private readonly means: PlacedMessageMeans) {}

  get ref(): MessageRef | undefined {
    return this.at;
  }

  /** Otherwise the outcome of a post is not known, or nothing was looked up yet. */
  get isKnown(): boolean {
    return this.isFound;
  }

  /** A post under this key may have got through without our hearing of it: the platform may answer with that message. */
  get mayExist(): boolean {
    return this.isMaybeThere;
  }

  /** It is to be taken away before anything else, and may be gone already. */
  get isLeaving(): boolean {
    return this.text === leaving;
  }

  /** What the message is known to say for good. */
  get recorded(): string | undefined {
    return this.text;
  }

  /** How many it follows. */
  get followed(): number {
    return this.followers.length;
  }

  get key(): string {
    return `${this.means.key}${this.followers}`;
  }

  /** Looks it up, in the ledger and then on the platform. `message` is what it is to say, when anything. */
  async find(message: SurfaceMessage | undefined): Promise<void> {
    const { ledger, surface, signal } = this.means;
    let entry = await ledger.get(this.slot);
    while (entry?.state === 'done' && entry.shown === left) {
      this.followers += '+';
      entry = await ledger.get(this.slot);
    }
    this.isMaybeThere = entry?.state === 'intended';
    const found = this.isMaybeThere ? await surface.find(this.key, signal, message) : undefined;
    if (found !== undefined) {
      await ledger.done(this.slot, found);
      entry = { state: 'done', ref: found };
      this.isMaybeThere = false;
    }
    this.at = entry?.state === 'done' ? entry.ref : undefined;
    this.text = entry?.state === 'done' ? entry.shown : undefined;
    this.isFound = true;
  }

  /** Before a post. */
  async intend(): Promise<void> {
    await this.means.ledger.intend(this.slot);
    this.isFound = false;
  }

  /** The platform did not take the post: it stays as unknown as it was before. */
  notPosted(): void {
    this.isFound = true;
  }

  /** After a post. `text` as for `tell`. */
  async placed(ref: MessageRef, text?: string): Promise<void> {
    this.at = ref;
    this.isFound = true;
    this.isMaybeThere = false;
    await this.tell(text);
  }

  /** Before any other write: rejects when another worker owns the conversation. */
  async check(): Promise<void> {
    if (this.text === undefined) await this.means.ledger.check();
    else await this.tell(undefined);
  }

  /** After a write. `text` is what it says now, when that is to stay so: nobody has to write it again. */
  async tell(text: string | undefined): Promise<void> {
    if (this.at === undefined) return;
    await this.means.ledger.done(this.slot, this.at, text);
    this.text = text;
  }

  /** Before it is taken away. */
  async leave(): Promise<void> {
    await this.tell(leaving);
  }

  /** It is gone: what is wanted next is another message. */
  async left(): Promise<void> {
    await this.tell(left);
    this.followers += '+';
    this.at = undefined;
    this.text = undefined;
  }

  private get slot(): string {
    return `${this.means.slot}${this.followers}`;
  }
}

/** The message that stands in a slot for people to read; undefined when none was posted, or it was taken away. */
export async function newestAt(ledger: Ledger, slot: string): Promise<MessageRef | undefined> {
  const entry = await ledger.get(slot);
  if (entry?.state !== 'done' || entry.shown === leaving) return undefined;
  return entry.shown === left ? newestAt(ledger, `${slot}+`) : entry.ref;
}
