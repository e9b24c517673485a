/** Somebody presses a button, fills in a form or uses a command: who, where, and what they may do there. */
import type { MessageRef, SurfaceAddress } from '../domain/address.ts';
import type { EventId, UserId } from '../domain/ids.ts';
import type { Sender } from '../intake/policy.ts';

export interface Press {
  readonly id: EventId;
  readonly author: UserId;
  readonly name: string;
  readonly address: SurfaceAddress;
  readonly from: Sender;
  /** The message that the button stands in. */
  readonly on?: MessageRef;
  /** Whoever looks after the channel may do what otherwise only the asker may. */
  readonly isManager: () => Promise<boolean>;
}

/** What every item of the inbox has. */
export function saidIn({ id, author, name, address }: Press) {
  return { id, author, name, address };
}

/** What its author is told in private. */
export interface Told {
  readonly text: string;
  /** Beside it they are asked what was wrong. */
  readonly asksWhy?: true;
  /** The store said so, and says it to one process only, should several hear the same. */
  readonly byStore?: true;
}
