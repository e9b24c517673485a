/** Where a conversation takes place, and messages there. Plain data: it is stored with every inbox item and turn. */

/** Built by an adapter, read by the same adapter's surface; nobody else looks inside but for `surface` and `locale`. */
export interface SurfaceAddress {
  /** `discord`, `slack`, `web`, `term` … : which surface answers. */
  readonly surface: string;
  /** The channel, thread or direct conversation to speak in. */
  readonly place: string;
  /** The person's message that is answered, where a surface can reply to one. */
  readonly replyTo?: string;
  /** What a thread that is opened for the conversation is called after: what was asked. */
  readonly title?: string;
  /** No thread can be started there. */
  readonly noThreads?: true;
  /** Whom the answer is for, as the platform names them, where it wants to know. */
  readonly recipient?: string;
  /** The person's language as the platform tells it (BCP 47). */
  readonly locale?: string;
}

/** A message of ours on a surface. */
export interface MessageRef {
  readonly surface: string;
  readonly place: string;
  readonly id: string;
}
