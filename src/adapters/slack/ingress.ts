/**
 * What Slack sends, over a socket or as a request: handed on whole, and acknowledged by whoever has stored it. Nothing is
 * acknowledged by itself, so that what was not stored is sent again.
 */
import { App, type Receiver, type ReceiverEvent } from '@slack/bolt';
import type { Logger } from '../../ports/runtime.ts';
import { boltLog } from './bolt-log.ts';

export interface Delivery {
  readonly body: unknown;
  /** Slack sends what was not acknowledged up to three times more. */
  readonly isRepeated: boolean;
  /** Resolves when it is sent, or cannot be any more: then Slack sends the thing again, and it is known by its id. */
  readonly ack: (response?: object) => Promise<void>;
}

export type Receive = (delivery: Delivery) => void;

/** An app of Bolt that runs no listener and looks nobody up: whatever a receiver hears goes to `receive`. */
class PassingApp extends App {
  constructor(
    receiver: Receiver,
    private readonly receive: Receive,
    private readonly log: Logger,
  ) {
    super({
      receiver,
      // Nobody is looked up.
      deferInitialization: true,
      convoStore: false,
      ignoreSelf: false,
      logger: boltLog(log),
    });
  }

  override async processEvent({ body, retryNum, ack }: ReceiverEvent): Promise<void> {
    const { log } = this;
    this.receive({
      body,
      isRepeated: retryNum !== undefined && retryNum > 0,
      async ack(response) {
        try {
          await ack(response);
        } catch (error) {
          log.debug({ error }, 'something was stored and could not be acknowledged any more');
        }
      },
    });
  }
}

export function passOn(receiver: Receiver, receive: Receive, log: Logger): void {
  void new PassingApp(receiver, receive, log);
}
