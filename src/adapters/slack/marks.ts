/** What becomes of a message that people write while a turn runs, under that message: 👀 it is noted, ✅ it was used. */
import type { SurfaceAddress } from '../../domain/address.ts';
import type { EventId } from '../../domain/ids.ts';
import type { Logger } from '../../ports/runtime.ts';
import { readPlace } from './place.ts';
import type { WebFor } from './web.ts';

export interface MarksMeans {
  readonly webFor: WebFor;
  readonly log: Logger;
}

const noted = 'eyes';
const used = 'white_check_mark';

/** Only for show: nothing waits for it, and a failure is only logged. The id of a message is its `ts`. */
export class Marks {
  constructor(private readonly means: MarksMeans) {}

  noted(address: SurfaceAddress, message: EventId): void {
    void this.try(() => this.mark('reactions.add', address, message, noted));
  }

  used(address: SurfaceAddress, message: EventId): void {
    void this.try(async () => {
      await this.mark('reactions.add', address, message, used);
      await this.mark('reactions.remove', address, message, noted);
    });
  }

  private async mark(
    method: 'reactions.add' | 'reactions.remove',
    { place }: SurfaceAddress,
    timestamp: EventId,
    name: string,
  ): Promise<void> {
    const { team, channel } = readPlace(place);
    const web = await this.means.webFor(team);
    await web(method, { channel, timestamp, name });
  }

  private async try(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.means.log.debug({ error }, 'a message could not be marked');
    }
  }
}
