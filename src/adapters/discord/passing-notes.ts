/** One short line to a person who wrote something, where Discord knows no private one: it pings nobody and soon goes. */
import { createHash } from 'node:crypto';
import { MessageFlags, Routes } from 'discord.js';
import { z } from 'zod';
import type { Clock, Logger } from '../../ports/runtime.ts';
import type { PacedCalls } from './paced-calls.ts';

export interface PassingNotesMeans {
  readonly calls: PacedCalls;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A note that could not be shown so long after its message is not shown any more. Unit: milliseconds. */
const shownMs = 15_000;
/** So long the end of the process waits for their turn to go. Unit: milliseconds. */
const lastMs = 2_000;
const created = z.object({ id: z.string() });

interface Shown {
  readonly channel: string;
  readonly cancel: () => void;
}

export class PassingNotes {
  /** What is shown now, by the id of its message. */
  private readonly shown = new Map<string, Shown>();
  private readonly running = new Set<Promise<void>>();
  private readonly over = new AbortController();

  constructor(private readonly means: PassingNotesMeans) {}

  /** Nobody waits for it. Several processes may say it: it is there once. A failure is only logged. */
  say(channel: string, message: string, content: string): void {
    this.run(this.within(shownMs, (signal) => this.show(channel, message, content, signal)));
  }

  /** Says no more, and takes away what is still shown. */
  async clear(): Promise<void> {
    this.over.abort(new Error('the process ends'));
    await Promise.all(this.running);
    const left = [...this.shown];
    for (const [, { cancel }] of left) cancel();
    await this.within(lastMs, (signal) =>
      Promise.all(left.map(([id, { channel }]) => this.takeAway(channel, id, signal))),
    );
  }

  private async show(channel: string, message: string, content: string, signal: AbortSignal): Promise<void> {
    const { calls, clock, log } = this.means;
    const body = {
      content,
      flags: MessageFlags.SuppressNotifications,
      allowed_mentions: { parse: [], users: [], roles: [], replied_user: false },
      message_reference: { message_id: message, fail_if_not_exists: false },
      nonce: createHash('sha256').update(`note:${message}`).digest('base64url').slice(0, 25),
      enforce_nonce: true,
    };
    const call = { method: 'POST', route: Routes.channelMessages(channel), body } as const;
    try {
      const reply = await calls.make(
        'post',
        { channel, about: message },
        call,
        AbortSignal.any([signal, this.over.signal]),
      );
      const { id } = created.parse(reply);
      const cancel = clock.after(shownMs, () => this.run(this.takeAway(channel, id, this.over.signal)));
      this.shown.set(id, { channel, cancel });
    } catch (error) {
      log.warn({ error, channel }, 'a person could not be told why they get no answer');
    }
  }

  private async takeAway(channel: string, id: string, signal: AbortSignal): Promise<void> {
    const { calls, log } = this.means;
    const call = { method: 'DELETE', route: Routes.channelMessage(channel, id) } as const;
    try {
      await calls.make('remove', { channel, about: id }, call, signal);
    } catch (error) {
      log.debug({ error, message: id }, 'a note is gone already, or stays');
      if (signal.aborted) return;
    }
    this.shown.delete(id);
  }

  /** The signal ends when the time is over. Unit: milliseconds. */
  private async within<Result>(ms: number, act: (signal: AbortSignal) => Promise<Result>): Promise<void> {
    const late = new AbortController();
    const cancel = this.means.clock.after(ms, () => late.abort(new Error('it is too late')));
    await act(late.signal).finally(cancel);
  }

  private run(work: Promise<void>): void {
    const done = work.finally(() => this.running.delete(done));
    this.running.add(done);
  }
}
