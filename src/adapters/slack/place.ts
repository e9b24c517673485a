/** How places and conversations of Slack are named: by workspace, channel, and the first message of a thread. */
import { ConversationId, UserId } from '../../domain/ids.ts';

export const surfaceName = 'slack';

export interface SlackPlace {
  /** Workspace. */
  readonly team: string;
  /** Channel or direct conversation. */
  readonly channel: string;
  /** The thread, by its first message. */
  readonly thread?: string;
}

/** `T1:C1`, or `T1:C1:1700000000.000100` in a thread. */
export function placeName({ team, channel, thread }: SlackPlace): string {
  return [team, channel, ...(thread === undefined ? [] : [thread])].join(':');
}

/** Throws when it is no such name: nobody but this adapter makes them. */
export function readPlace(name: string): SlackPlace {
  const [, team, channel, thread] = /^([A-Z0-9]+):([A-Z0-9]+)(?::(\d+\.\d+))?$/.exec(name) ?? [];
  if (team === undefined || channel === undefined) throw new Error(`no place of Slack: ${name}`);
  return { team, channel, ...(thread !== undefined && { thread }) };
}

/** A thread, also one that is to be begun by our first answer; a direct conversation without threads is one as a whole. */
export function conversationAt(place: SlackPlace): ConversationId {
  return ConversationId(`${surfaceName}:${placeName(place)}`);
}

export function placeOfConversation(conversation: ConversationId): SlackPlace {
  return readPlace(conversation.slice(surfaceName.length + 1));
}

export const userOf = (id: string): UserId => UserId(`${surfaceName}:${id}`);

/** Slack's own id of a person. */
export function idOf(user: UserId): string {
  return user.slice(surfaceName.length + 1);
}
