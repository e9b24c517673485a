/** What Discord counts the messages of a channel against, until its headers say otherwise. A thread is a channel. */
import type { NamedBudget } from '../../ports/rate-budget.ts';
import type { Surface } from '../../ports/surface.ts';

export function channelBudgets(channel: string): Surface['budgets'] {
  return {
    post: budget('post', channel, 5_000),
    edit: budget('edit', channel, 5_000),
    remove: budget('remove', channel, 1_000),
  };
}

function budget(route: string, scope: string, perMs: number): NamedBudget {
  return { name: { surface: 'discord', route, scope }, rule: { calls: 5, perMs } };
}
