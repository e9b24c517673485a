/** A call that Slack refuses: the row of the table, and what the answer says beyond it. */
import { type BlockRule, type ErrorRule, type RuleName, rules } from '../rules.ts';
import type { Json } from '../world/world.ts';

export class Refusal extends Error {
  constructor(
    readonly rule: RuleName,
    readonly why: string,
    readonly body: Json,
  ) {
    super(`${rule}: ${why}`);
  }
}

export function refusal(rule: ErrorRule, why = '', more: Json = {}): Refusal {
  return new Refusal(rule, why, { ok: false, error: rules[rule].says, ...more });
}

/** `at` points into the blocks: `/blocks/0/text`. */
export function blockRefusal(rule: BlockRule, at: string): Refusal {
  const error = at.startsWith('/blocks') ? 'invalid_blocks' : 'invalid_arguments';
  return new Refusal(rule, at, {
    ok: false,
    error,
    errors: [`${rules[rule].says} [json-pointer:${at}]`],
    response_metadata: { messages: [`[ERROR] ${rules[rule].says} [json-pointer:${at}]`] },
  });
}
