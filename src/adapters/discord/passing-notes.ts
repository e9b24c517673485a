/** One short line to a person who wrote something, where Discord knows no private one: it pings nobody and soon goes. */
import { createHash } from 'node:crypto';
import { MessageFlags, Routes } from 'discord.js';
import { z } from 'zod';
import type { Clock, Logger } from '../../ports/runtime.ts';
import type { Rest } from './rest.ts';

export interface PassingNotesMeans {
  readonly rest: Rest;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Unit: milliseconds. */
const shownMs = 15_000;
const created = z.object({ id: z.string() });

export class PassingNotes {
  /** What is shown now, by what takes it away. */
  private readonly shown = new Map<() => Promise<void>, () => void>();

  constructor(private readonly means: PassingNotesMeans) {}

  /** Several processes may say it: it is there once. A failure is only logged. */
  async say(channel: string, message: string, content: string): Promise<void> {
    const { rest, clock, log } = this.means;
    const body = {
      content,
      flags: MessageFlags.SuppressNotifications,
      allowed_mentions: { parse: [], users: [], roles: [], replied_user: false },
      message_reference: { message_id: message, fail_if_not_exists: false },
      nonce: createHash('sha256').update(`note:${message}`).digest('base64url').slice(0, 25),
      enforce_nonce: true,
    };
    try {
      const reply = await rest({ method: 'POST', route: Routes.channelMessages(channel), body });
      const { id } = created.parse(reply.body);
      const takeAway = () => this.takeAway(channel, id);
      const cancel = clock.after(shownMs, () => {
        this.shown.delete(takeAway);
        void takeAway();
      });
      this.shown.set(takeAway, cancel);
    } catch (error) {
      log.warn({ error, channel }, 'a person could not be told why they get no answer');
    }
  }

  /** Takes away what is still shown. */
  async clear(): Promise<void> {
    const left = [...this.shown];
    this.shown.clear();
    for (const [, cancel] of left) cancel();
    await Promise.all(left.map(([takeAway]) => takeAway()));
  }

  private async takeAway(channel: string, id: string): Promise<void> {
    try {
      await this.means.rest({ method: 'DELETE', route: Routes.channelMessage(channel, id) });
    } catch (error) {
      this.means.log.debug({ error, message: id }, 'a note is gone already, or stays');
    }
  }
}
