/** A turn on a surface that shows the events themselves, as the terminal does. */
import type { OpenPause } from '../domain/pause.ts';
import type { TurnEvent } from '../domain/turn.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import type { TurnScreen } from '../ports/screen.ts';

/** Events are sent in batches this far apart: a token at a time would be a message to Redis each. */
const batchMs = 30;

/**
 * `publish` may fail without harm to the turn: the live view is lost, nothing else. A worker that lost the conversation
 * publishes nothing.
 */
export function eventScreen(
  publish: (events: readonly TurnEvent[]) => Promise<void>,
  ledger: Ledger,
  clock: Clock,
  log: Logger,
): TurnScreen {
  let batch: TurnEvent[] = [];
  let sending: Promise<void> = Promise.resolve();
  let isDue = false;

  const send = (): Promise<void> => {
    const events = batch;
    batch = [];
    isDue = false;
    if (events.length > 0) {
      sending = sending
        .then(() => ledger.check())
        .then(() => publish(events))
        .catch((error: unknown) => log.warn({ error }, 'live events could not be sent'));
    }
    return sending;
  };
  const add = (event: TurnEvent) => {
    batch.push(event);
    if (isDue) return;
    isDue = true;
    clock.after(batchMs, () => void send());
  };
  const question = ({ callId, question: asked }: OpenPause): TurnEvent => ({
    type: 'question.opened',
    callId,
    question: asked,
  });

  return {
    show(event) {
      // A question is shown when it is stored, and the end when it is certain: `ask` and `finish`.
      if (event.type !== 'question.opened' && event.type !== 'turn.ended') add(event);
    },
    async finish(outcome) {
      add({ type: 'turn.ended', outcome });
      await send();
    },
    async ask(pause) {
      add(question(pause));
      await send();
      return undefined;
    },
    async closeCard({ callId }, as) {
      add({ type: 'question.closed', callId, as });
      await send();
    },
    async tell(slot, text) {
      if ((await ledger.get(slot)) !== undefined) return;
      add({ type: 'told', text });
      await send();
      await ledger.intend(slot);
    },
  };
}
