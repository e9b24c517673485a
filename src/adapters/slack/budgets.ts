/** What Slack takes: so many calls of a method in a minute, over the whole workspace; posts are counted by channel. */
import type { NamedBudget } from '../../ports/rate-budget.ts';
import { surfaceName } from './place.ts';

/** `burst` as in `RateRule`. */
export function methodBudget(route: string, team: string, calls: number, burst?: number): NamedBudget {
  const rule = { calls, perMs: 60_000, ...(burst !== undefined && { burst }) };
  return { name: { surface: surfaceName, route, scope: team }, rule };
}

export function postBudget(team: string, channel: string): NamedBudget {
  const name = { surface: surfaceName, route: 'chat.postMessage', scope: `${team}:${channel}` };
  return { name, rule: { calls: 1, perMs: 1_000 } };
}
