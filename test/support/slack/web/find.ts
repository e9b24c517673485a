/** What a call names: channels the bot may see or write in, messages, threads. Refuses as Slack does. */
import { isTs } from '../world/timestamps.ts';
import type { Channel, Message, Person } from '../world/world.ts';
import { type Call, textOf } from './method.ts';
import { refusal } from './refusal.ts';

/** A person of this workspace, or one who is here by Slack Connect. */
export function personIn({ slack, team }: Call, id: unknown): Person {
  const found = slack.world.people.get(textOf(id));
  if (found === undefined || (found.teamId !== team.id && !found.isStranger))
    throw refusal('user_not_found', textOf(id));
  return found;
}

/** A channel that the bot can know of. */
export function channelOf(call: Call, name = 'channel'): Channel {
  const { slack, team, args } = call;
  const id = textOf(args[name]);
  const found = slack.world.channels.get(id);
  const isSeen =
    found !== undefined &&
    (found.teamId === team.id || found.isShared) &&
    (found.kind === 'channel' || found.members.has(team.botUserId));
  if (!isSeen) throw refusal('channel_not_found', id);
  return found;
}

/** A channel that the bot is in. */
export function ownChannel(call: Call, name = 'channel'): Channel {
  const channel = channelOf(call, name);
  if (!channel.members.has(call.team.botUserId)) throw refusal('not_in_channel', channel.name);
  return channel;
}

/** A channel that can be written in; the id of a person stands for the DM with them. */
export function writableChannel(call: Call): Channel {
  const { slack, team, args } = call;
  const person = slack.world.people.get(textOf(args['channel']));
  if (person !== undefined && person.teamId === team.id) return slack.world.dmWith(person);
  const channel = channelOf(call);
  const isPublic = channel.kind === 'channel' && team.scopes.includes('chat:write.public');
  if (!channel.members.has(team.botUserId) && !isPublic) throw refusal('not_in_channel', channel.name);
  if (channel.isArchived) throw refusal('is_archived', channel.name);
  return channel;
}

/** The root of the thread that `thread_ts` names; a reply stands for its root. */
export function threadOf(call: Call, channel: Channel, name = 'thread_ts'): string | undefined {
  const given = call.args[name];
  if (given === undefined) return undefined;
  if (!isTs(given)) throw refusal('invalid_thread_ts', JSON.stringify(given));
  const { world } = call.slack;
  const named = world.message(channel.id, given);
  if (named === undefined || named.onlyFor !== undefined) throw refusal('thread_not_found', given);
  const root = named.threadTs ?? named.ts;
  const message = world.message(channel.id, root);
  // Of a root with replies a stump stays, which can be replied to.
  if (message?.isDeleted === true && world.repliesTo(channel.id, root).length === 0)
    throw refusal('cannot_reply_to_message', root);
  return root;
}

/** A message that everybody in the channel sees. */
export function messageIn(call: Call, channel: Channel, name = 'ts'): Message {
  const ts = call.args[name];
  const found = call.slack.world.message(channel.id, textOf(ts));
  if (found === undefined || found.isDeleted || found.onlyFor !== undefined)
    throw refusal('message_not_found', textOf(ts));
  return found;
}
