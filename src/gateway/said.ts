/** What people say and do on a platform, as it goes to the store. */
import type { MessageRef } from '../domain/address.ts';
import type { ConversationId } from '../domain/ids.ts';
import type { Inbound, SaidItem } from '../domain/inbound.ts';
import type { Sender } from '../intake/policy.ts';

/** Anything that is said to a conversation, and by whom. */
export interface Said extends Inbound {
  readonly from: Sender;
}

/** A message of a person. */
export interface Heard extends Said {
  readonly conversation: ConversationId;
  readonly item: SaidItem;
  /** It replies to this message of the bot. */
  readonly repliesTo?: MessageRef;
}
