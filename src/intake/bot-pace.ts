/** How often each bot was answered of late: two bots that answer each other do not end by themselves. */
import type { UserId } from '../domain/ids.ts';
import type { Clock } from '../ports/runtime.ts';

const MINUTE_MS = 60_000;

/** Holds times of the bots that are allowed, hence of few. Counted per bot: each mention may be a conversation of its own. */
export class BotPace {
  private readonly times = new Map<UserId, readonly number[]>();

  constructor(private readonly clock: Clock) {}

  /** Messages of this bot within the last minute. */
  lately(bot: UserId): number {
    return this.recent(bot).length;
  }

  add(bot: UserId): void {
    this.times.set(bot, [...this.recent(bot), this.clock.now()]);
  }

  private recent(bot: UserId): readonly number[] {
    const since = this.clock.now() - MINUTE_MS;
    return (this.times.get(bot) ?? []).filter((time) => time > since);
  }
}
