/** What the running of turns tells `/metrics` and `/readyz`: counted from records and events, never from inside the loop. */
import type { Hooks } from '../loop/hooks.ts';
import type { Contact } from '../ports/contact.ts';
import type { Meter } from '../ports/meter.ts';

export function watchTurns(meter: Meter, model: Contact): Hooks {
  return {
    onRecord(record) {
      if (record.type === 'assistant/message') model.ok();
      if (record.type !== 'step/end') return;
      meter.count('rounds', {});
      if (record.usage === undefined) return;
      meter.count('tokens', { kind: 'prompt' }, record.usage.prompt);
      meter.count('tokens', { kind: 'completion' }, record.usage.completion);
    },
    onEvent(event) {
      if (event.type !== 'turn.ended') return;
      meter.count('turns', { outcome: event.outcome.kind });
      const { outcome } = event;
      if (outcome.kind === 'error' && isServiceFailure(outcome.failure.code))
        model.away(outcome.failure.message);
    },
  };
}

/** What the service did, not what was asked of it. */
const serviceFailures: ReadonlySet<string> = new Set(
  [
    'unreachable',
    'unauthorized',
    'unknown_model',
    'rate_limited',
    'server_error',
    'not_a_stream',
    'cut',
    'idle',
  ].map((failure) => `model.${failure}`),
);

function isServiceFailure(code: string): boolean {
  return serviceFailures.has(code);
}
