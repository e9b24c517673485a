/** A script for several conversations at once: what is answered depends on the newest words of a person that it knows. */
import type { ReceivedMessage, ReceivedRequest, Reply } from './reply.ts';

/** `replies`: by words that a message contains, the replies to it, one for each step; the last one is repeated. */
export function byWords(
  replies: Readonly<Record<string, readonly Reply[]>>,
): (request: ReceivedRequest, n?: number) => Reply {
  return ({ messages }) => {
    for (const [at, message] of [...messages.entries()].toReversed()) {
      if (message.role !== 'user') continue;
      const words = Object.keys(replies).find((each) => textOf(message).includes(each));
      if (words === undefined) continue;
      const steps = messages.slice(at).filter(({ role }) => role === 'assistant').length;
      const reply = replies[words]?.[steps] ?? replies[words]?.at(-1);
      if (reply !== undefined) return reply;
    }
    throw new Error('nobody said anything that this script knows');
  };
}

function textOf({ content }: ReceivedMessage): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}
