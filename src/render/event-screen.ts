/** A turn on a surface that shows the events themselves, as the terminal does. */
import { inWords } from '../domain/controls.ts';
import { LeaseLostError } from '../domain/errors.ts';
import type { OpenPause } from '../domain/pause.ts';
import type { Outcome, TurnEvent } from '../domain/turn.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import type { TurnScreen } from '../ports/screen.ts';

/** Sends events. `batch` names what is sent: when it is sent again after a lost answer, it is told by that name. */
export type Publish = (events: readonly TurnEvent[], batch: string) => Promise<void>;

/** Events are sent in batches this far apart: a token at a time would be a message to Redis each. */
const batchMs = 30;
/** After a failure it is tried again this often: an answer with a hole in it is worse than a late one. */
const tryAgainMs = 500;

/** A worker that lost the conversation publishes nothing; the end of the process ends all trying. */
export function eventScreen(
  publish: Publish,
  ledger: Ledger,
  clock: Clock,
  log: Logger,
  signal: AbortSignal,
  newId: () => string,
): TurnScreen {
  let waiting: TurnEvent[] = [];
  let sending: Promise<void> = Promise.resolve();
  let isDue = false;

  const deliver = async (events: readonly TurnEvent[]): Promise<void> => {
    for (const batch = newId(); !signal.aborted; ) {
      try {
        await ledger.check();
        return await publish(events, batch);
      } catch (error) {
        if (error instanceof LeaseLostError) return;
        log.warn({ error }, 'live events could not be sent; they are sent again');
        await clock.sleep(tryAgainMs, signal).catch(() => {}); // the process ends
      }
    }
  };
  const send = (): Promise<void> => {
    const events = waiting;
    waiting = [];
    isDue = false;
    if (events.length > 0) sending = sending.then(() => deliver(events));
    return sending;
  };
  const add = (event: TurnEvent) => {
    waiting.push(event);
    if (isDue) return;
    isDue = true;
    clock.after(batchMs, () => void send());
  };
  const question = ({ callId, question: asked }: OpenPause): TurnEvent => ({
    type: 'question.opened',
    callId,
    question: asked,
  });

  const finish = async (outcome: Outcome) => {
    add({ type: 'turn.ended', outcome });
    await send();
  };

  return {
    show(event) {
      // A question is shown when it is stored, and the end when it is certain: `ask` and `finish`.
      if (event.type !== 'question.opened' && event.type !== 'turn.ended') add(event);
    },
    finish,
    // What a terminal has shown stands.
    takeBack: finish,
    async ask(pause) {
      add(question(pause));
      await send();
      return undefined;
    },
    async closeCard({ callId }, as) {
      add({ type: 'question.closed', callId, as });
      await send();
    },
    async tell(slot, text, { controls } = {}) {
      if ((await ledger.get(slot)) !== undefined) return true;
      add({ type: 'told', text: inWords({ text, ...(controls && { controls }) }) });
      await send();
      await ledger.intend(slot);
      return true;
    },
  };
}
