/** Everything a test can do to the fake, as one object of functions; the driver calls them over the wire. */
import type { Slack } from '../slack.ts';
import { clicksOf } from './clicks.ts';
import { type ClockKnobs, knobsOf } from './knobs.ts';
import { peopleOf } from './people.ts';

export function controlsOf(slack: Slack, clock: ClockKnobs) {
  return { ...peopleOf(slack), ...clicksOf(slack), ...knobsOf(slack, clock) };
}

export type Controls = ReturnType<typeof controlsOf>;

/** All that the product's manifest asks for. */
const scopes = [
  'app_mentions:read',
  'assistant:write',
  'channels:history',
  'channels:read',
  'chat:write',
  'commands',
  'files:read',
  'files:write',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write',
  'mpim:history',
  'mpim:read',
  'reactions:read',
  'reactions:write',
  'usergroups:read',
  'users:read',
];

/** The workspace that every test starts with. */
export function settle(slack: Slack, { addChannel }: Controls): void {
  slack.world.addTeam('Study group', scopes);
  addChannel('general');
  addChannel('calculus');
  addChannel('elsewhere', { withBot: false });
}
