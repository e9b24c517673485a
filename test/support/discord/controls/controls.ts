/** Everything a test can do to the fake, as one object of functions; the driver calls them over the wire. */

import type { Discord } from '../discord.ts';
import { clicksOf } from './clicks.ts';
import { type ClockKnobs, knobsOf } from './knobs.ts';
import { moderatorsOf } from './moderators.ts';
import { peopleOf } from './people.ts';

export function controlsOf(discord: Discord, clock: ClockKnobs) {
  return { ...peopleOf(discord), ...clicksOf(discord), ...moderatorsOf(discord), ...knobsOf(discord, clock) };
}

export type Controls = ReturnType<typeof controlsOf>;

/** The server that every test starts with. */
export function settle({ addServer, addChannel }: Controls): void {
  addServer('Study group');
  addChannel('general');
  addChannel('calculus');
  addChannel('news', 'announcement');
  addChannel('questions', 'forum');
  addChannel('lounge', 'voice');
}
