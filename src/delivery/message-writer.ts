/** The single writes that bring one message from what the platform shows to what is wanted, each on its route. */
import { createHash } from 'node:crypto';
import type { MessageRef } from '../domain/address.ts';
import { RateLimitedError, StreamEndedError, SurfaceGoneError, WriteRefusedError } from '../domain/errors.ts';
import type { SurfaceMessage } from '../domain/surface-message.ts';
import type { Clock } from '../ports/runtime.ts';
import type { MessageStream, Posted, Route, Surface, Written } from '../ports/surface.ts';
import type { PacedMessage } from './paced-message.ts';
import type { PlacedMessage } from './placed-message.ts';
import { restOf, type StreamText, settledText } from './stream-text.ts';

export interface MessageWriterMeans {
  readonly surface: Surface;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
  readonly placed: PlacedMessage;
  readonly paced: PacedMessage;
}

/** What a message is to say, or that it is to go. */
export type Content = SurfaceMessage | 'removed';

/** Text that waits longer than this for its stream goes on by edits: they have a budget of their own. Unit: ms. */
const patienceMs = 5_000;
/** So many messages follow one that refuses to be edited. */
const maxFollowers = 3;

/** What is posted only to be taken away. */
const placeholder: SurfaceMessage = { kind: 'notice', state: 'live', text: '…' };
/** Whether the message grows, and how far it has, is not known: it is stopped before it is edited. */
const unknownStream: StreamText = { text: '', since: Number.NEGATIVE_INFINITY, isGivenUp: true };

export class MessageWriter {
  /** What the platform shows, as far as that is known. */
  private shown: SurfaceMessage | undefined;
  private growing: StreamText | undefined;
  private mayGrow = true;
  private isEndPutOff = false;

  constructor(private readonly means: MessageWriterMeans) {}

  /** What is the next write towards this? Undefined when there is none. `isLast`: nobody goes on with it for now. */
  routeTo(content: Content, isLast: boolean): Route | undefined {
    const { placed, surface, clock } = this.means;
    if (placed.isLeaving) return 'remove';
    if (content === 'removed') {
      // Posted again, it answers with the message that may be there: that one can be taken away.
      if (placed.ref === undefined && placed.mayExist) return 'post';
      return placed.ref !== undefined || !placed.isKnown ? 'remove' : undefined;
    }
    const isLive = content.state === 'live' && !isLast;
    if (this.growing !== undefined) {
      const rest = restOf(this.growing, content);
      const isOld = clock.now() - this.growing.since >= (surface.stream?.maxMs ?? 0);
      const isEnd = rest === undefined || isOld || !isLive;
      if (isEnd && !(this.isEndPutOff && rest)) return 'stop';
      return rest === '' ? undefined : 'append';
    }
    if (placed.ref !== undefined) return this.shows(content) ? undefined : 'edit';
    const canGrow = surface.stream !== undefined && this.mayGrow && !placed.mayExist && isLive;
    if (!canGrow || !mayGrow(content)) return 'post';
    return settledText(content) === '' ? undefined : 'start';
  }

  /** A write on this route has to wait until its content is so old: another route may be open. */
  waits(route: Route, willBeMs: number): void {
    if (route === 'start') this.mayGrow = false;
    if (route === 'append' && willBeMs > patienceMs) this.giveUpStream();
    // The last text need not wait for the end of the stream.
    if (route === 'stop') this.isEndPutOff = true;
  }

  /** Finds out what is there, where that is not known. */
  async find(content: Content): Promise<void> {
    const { placed, surface } = this.means;
    if (placed.isKnown) return;
    await placed.find(content === 'removed' ? undefined : content);
    this.shown = undefined;
    if (placed.ref === undefined) return;
    if (content !== 'removed' && placed.recorded === digest(content)) this.shown = content;
    // Another process may have let it grow, and died.
    else if (surface.stream !== undefined && mayGrow(content) && placed.recorded === undefined)
      this.growing = unknownStream;
  }

  /** Makes the write whose turn was waited for. */
  async write(route: Route, content: Content): Promise<void> {
    const { surface, placed } = this.means;
    const { ref } = placed;
    const { stream } = surface;
    if (route === 'remove') return this.remove();
    if (content === 'removed') return this.post(placeholder);
    if (route === 'post') return this.post(content);
    if (route === 'start' && stream !== undefined) return this.start(stream, content);
    if (route === 'edit' && ref !== undefined) return this.edit(ref, content);
    if (stream === undefined || ref === undefined || this.growing === undefined)
      return this.means.paced.pass();
    return this.grow(stream, ref, this.growing, content, route === 'stop');
  }

  private async post(content: SurfaceMessage): Promise<void> {
    const { placed, surface, signal } = this.means;
    const wasThere = placed.mayExist;
    const ref = await this.posted(() => surface.post(content, placed.key, signal));
    // A platform that has seen the key before answers with the message as it was posted then.
    this.shown = wasThere ? undefined : content;
    if (wasThere && surface.stream !== undefined) this.growing = unknownStream;
    await placed.placed(ref, !wasThere && isSettled(content) ? digest(content) : undefined);
  }

  private async start(stream: MessageStream, content: SurfaceMessage): Promise<void> {
    const { placed, signal, clock } = this.means;
    const text = settledText(content);
    const since = clock.now();
    this.mayGrow = false;
    const ref = await this.posted(() => stream.start({ ...content, text }, placed.key, signal));
    this.growing = { text, since, isGivenUp: false };
    await placed.placed(ref);
  }

  private async posted(post: () => Promise<Posted>): Promise<MessageRef> {
    const { placed } = this.means;
    try {
      return (await this.call(() => placed.intend(), post, true)).ref;
    } catch (error) {
      if (error instanceof RateLimitedError || error instanceof WriteRefusedError) placed.notPosted();
      throw error;
    }
  }

  private async edit(ref: MessageRef, content: SurfaceMessage): Promise<void> {
    const { surface, placed, signal } = this.means;
    // Until it is answered nobody knows which of the two is shown.
    this.shown = undefined;
    try {
      await this.call(
        () => placed.check(),
        () => surface.edit(ref, content, signal),
        content.state !== 'live',
      );
    } catch (error) {
      const isClosed = error instanceof WriteRefusedError && error.refuses === 'message';
      if (!isClosed || placed.followed >= maxFollowers) throw error;
      return placed.leave();
    }
    await this.showed(content);
  }

  /** An append that failed is never repeated: it may have been done. The stream is ended, and edits make it right. */
  private async grow(
    stream: MessageStream,
    ref: MessageRef,
    growing: StreamText,
    content: SurfaceMessage,
    isEnd: boolean,
  ): Promise<void> {
    const { placed, signal } = this.means;
    const rest = restOf(growing, content) ?? '';
    if (rest === '' && !isEnd) return this.means.paced.pass();
    const text = growing.text + rest;
    try {
      await this.call(
        () => placed.check(),
        () => (isEnd ? stream.stop(ref, rest, content, signal) : stream.append(ref, rest, signal)),
        isEnd,
      );
    } catch (error) {
      this.giveUpStream();
      const isRefused = error instanceof WriteRefusedError;
      if (!(error instanceof StreamEndedError || isRefused)) throw error;
      if (isEnd || !isRefused) this.growing = undefined;
      return;
    }
    this.growing = isEnd ? undefined : { ...growing, text };
    if (isEnd && !growing.isGivenUp && text === content.text) await this.showed(content);
  }

  private async remove(): Promise<void> {
    const { surface, placed, signal } = this.means;
    const { ref } = placed;
    if (ref === undefined) return this.means.paced.pass();
    try {
      await this.call(
        () => placed.leave(),
        () => surface.remove(ref, signal),
        true,
      );
    } catch (error) {
      // Gone already, or not ours to take away.
      if (!(error instanceof SurfaceGoneError || error instanceof WriteRefusedError)) throw error;
    }
    await placed.left();
    this.shown = undefined;
    this.growing = undefined;
  }

  /** Also when another process has written it for good, and what is wanted has come back to that. */
  private shows(content: SurfaceMessage): boolean {
    if (this.shown !== undefined) return isSame(this.shown, content);
    return this.means.placed.recorded === digest(content);
  }

  private async showed(content: SurfaceMessage): Promise<void> {
    this.shown = content;
    if (isSettled(content)) await this.means.placed.tell(digest(content));
  }

  /** Whoever may not write any more does not. `isLast`: as of `PacedMessage`. */
  private async call<Result extends Written>(
    before: () => Promise<void>,
    write: () => Promise<Result>,
    isLast: boolean,
  ): Promise<Result> {
    const { paced } = this.means;
    try {
      await before();
    } catch (error) {
      await paced.pass();
      throw error;
    }
    return paced.call(write, isLast);
  }

  private giveUpStream(): void {
    if (this.growing !== undefined) this.growing = { ...this.growing, isGivenUp: true };
  }
}

function mayGrow(content: Content): boolean {
  return content === 'removed' || content.kind === 'answer';
}

/** It is how it ended; whoever comes later need not write it again. */
function isSettled({ state }: SurfaceMessage): boolean {
  return state !== 'live' && state !== 'open';
}

function isSame(one: SurfaceMessage | undefined, other: SurfaceMessage): boolean {
  if (one === other) return true;
  if (one === undefined || one.text !== other.text || one.state !== other.state) return false;
  return readable(one) === readable(other);
}

function digest(message: SurfaceMessage): string {
  return createHash('sha1').update(readable(message)).digest('base64url');
}

/** All that a reader can tell apart, whatever fields a message has. */
function readable(message: SurfaceMessage): string {
  return JSON.stringify({ ...message, settledChars: undefined });
}
