import type { Reply } from './reply.ts';

export interface HeldReply {
  /** For a script that is a function. */
  readonly reply: () => Promise<Reply>;
  release(): void;
}

/** A reply that comes when the test says so. */
export function held(reply: Reply): HeldReply {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  return { reply: () => released.then(() => reply), release };
}
