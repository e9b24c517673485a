/** What a person says in a thread, as an adapter brings it to the one door. Ids are as long as real ones. */
import { ConversationId, EventId, UserId } from '../../src/domain/ids.ts';
import type { Candidate } from '../../src/intake/policy.ts';
import { question } from './workload.ts';

const idDigits = 19;

/** Each place has a person of its own; `message` is a number that nobody used before. */
export function said(place: number, message: number, content = question): Candidate {
  const thread = id(1, place);
  return {
    conversation: ConversationId(`discord:${thread}`),
    item: {
      kind: 'message',
      id: EventId(id(2, message)),
      author: UserId(`discord:${id(3, place)}`),
      address: { surface: 'discord', place: thread, replyTo: id(2, message), locale: 'en-US' },
      content,
    },
    wanted: 'and_follow',
    from: { isSelf: false, isBot: false, server: id(4, 1), channel: id(5, 1) },
  };
}

function id(kind: number, number: number): string {
  return `${kind}${String(number).padStart(idDigits - 1, '0')}`;
}
