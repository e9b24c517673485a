/**
 * Which message on the surface is ours, as the ledger knows it: whoever goes on after a crash edits what is there and
 * never posts twice. A message that was taken away or can no longer be edited is followed by another one, whose slot and
 * key have a `+` more.
 */
import type { MessageRef } from '../domain/address.ts';
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

  /** What the message is known to say for good. */
  get recorded(): string | undefined {
    return this.text;
  }

  get key(): string {
    return `${this.means.key}${this.followers}`;
  }

  /** Looks it up, in the ledger and then on the platform. */
  async find(): Promise<void> {
    const { ledger, surface, signal } = this.means;
    let entry = await ledger.get(this.slot);
    while (entry?.state === 'done') {
      const follower = await ledger.get(`${this.slot}+`);
      if (follower === undefined) break;
      // The process that went on to it may have died before it took this one away.
      if (follower.state === 'intended') await this.tryToRemove(entry.ref);
      this.followers += '+';
      entry = follower;
    }
    this.isMaybeThere = entry?.state === 'intended';
    this.at = entry?.state === 'done' ? entry.ref : undefined;
    this.text = entry?.state === 'done' ? entry.shown : undefined;
    const found = this.isMaybeThere ? await surface.find(this.key, signal) : undefined;
    if (found !== undefined) await this.placed(found);
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
    await this.means.ledger.done(this.slot, ref, text);
    this.text = text;
  }

  /** Before any other write: rejects when another worker owns the conversation. */
  async check(): Promise<void> {
    const { ledger } = this.means;
    if (this.at === undefined || this.text === undefined) return ledger.check();
    await ledger.done(this.slot, this.at);
    this.text = undefined;
  }

  /** After a write that is to stay: nobody has to repeat it. */
  async tell(text: string): Promise<void> {
    if (this.at === undefined) return;
    await this.means.ledger.done(this.slot, this.at, text);
    this.text = text;
  }

  /** What is wanted next is another message. `remove` takes this one away. */
  async follow(remove: (ref: MessageRef) => Promise<unknown>): Promise<void> {
    await this.means.ledger.intend(`${this.slot}+`);
    if (this.at !== undefined) await remove(this.at);
    this.followers += '+';
    this.at = undefined;
    this.text = undefined;
    this.isMaybeThere = false;
  }

  /** How often that happened. */
  get followed(): number {
    return this.followers.length;
  }

  /** A message that cannot be taken away stays as it is. */
  async tryToRemove(ref: MessageRef): Promise<void> {
    const { surface, signal } = this.means;
    await surface.remove(ref, signal).catch(() => signal.throwIfAborted());
  }

  private get slot(): string {
    return `${this.means.slot}${this.followers}`;
  }
}
