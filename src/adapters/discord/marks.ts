/** What becomes of a message that people write while a turn runs, under that message: 👀 it is noted, ✅ it was used. */
import { Routes } from 'discord.js';
import type { SurfaceAddress } from '../../domain/address.ts';
import type { EventId } from '../../domain/ids.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import type { Rest } from './rest.ts';

export interface MarksMeans {
  readonly rest: Rest;
  readonly clock: Clock;
  readonly log: Logger;
}

const noted = encodeURIComponent('👀');
const used = encodeURIComponent('✅');
/** Discord takes one reaction in a quarter of a second. Unit: milliseconds. */
const gapMs = 300;

/** Only for show: nothing waits for it, and a failure is only logged. */
export class Marks {
  constructor(private readonly means: MarksMeans) {}

  noted({ place }: SurfaceAddress, message: EventId): void {
    void this.try(() => this.put(place, message, noted));
  }

  used({ place }: SurfaceAddress, message: EventId): void {
    const { rest, clock } = this.means;
    void this.try(async () => {
      await this.put(place, message, used);
      await clock.sleep(gapMs);
      const route = Routes.channelMessageOwnReaction(place, message, noted);
      await rest({ method: 'DELETE', route });
    });
  }

  private async put(place: string, message: EventId, emoji: string): Promise<void> {
    const route = Routes.channelMessageOwnReaction(place, message, emoji);
    await this.means.rest({ method: 'PUT', route });
  }

  private async try(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.means.log.debug({ error }, 'a message could not be marked');
    }
  }
}
