/** What the running of turns tells `/metrics` and `/readyz`: counted from records and events, never from inside the loop. */
import { ModelError } from '../domain/errors.ts';
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
      if (event.outcome.kind === 'error' && event.outcome.error instanceof ModelError)
        model.away(event.outcome.error);
    },
  };
}
