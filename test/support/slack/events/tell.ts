/** What happens is told to the app: an event for every effect, also for its own. */
import type { Slack } from '../slack.ts';
import { channelPayload, messagePayload } from '../world/payloads.ts';
import type { Channel, Json, Message } from '../world/world.ts';
import { newest } from '../world/world.ts';

const kindNames = {
  channel: 'message.channels',
  group: 'message.groups',
  im: 'message.im',
  mpim: 'message.mpim',
};

function channelOf({ world }: Slack, id: string): Channel {
  const found = world.channels.get(id);
  if (found === undefined) throw new Error(`there is no channel ${id}`);
  return found;
}

/** Only where the bot is a member. */
function tellMessageEvent(slack: Slack, channel: Channel, teamId: string, event: Json): void {
  const team = slack.world.teamOf(channel.teamId);
  if (!channel.members.has(team.botUserId)) return;
  slack.courier.event(kindNames[channel.kind], teamId, {
    channel: channel.id,
    channel_type: channel.kind,
    ...event,
  });
}

/** A new message: `message`, and `app_mention` beside it when it mentions the bot; either may come first. */
export function tellMessage(slack: Slack, message: Message): void {
  const channel = channelOf(slack, message.channelId);
  const team = slack.world.teamOf(channel.teamId);
  const payload = {
    ...messagePayload(slack.world, slack.fileUrl, message),
    ...(message.isBroadcast && { subtype: 'thread_broadcast', root: rootOf(slack, message) }),
    event_ts: message.ts,
  };
  const isMention = channel.kind !== 'im' && newest(message).text.includes(`<@${team.botUserId}>`);
  const mention = () => {
    if (!isMention || message.userId === team.botUserId || !channel.members.has(team.botUserId)) return;
    const { channel_type: _kind, ...event } = { channel_type: '', channel: channel.id, ...payload };
    slack.courier.event('app_mention', channel.teamId, { ...event, type: 'app_mention' });
  };
  const isFirst = slack.runtime.chance() < 0.5;
  if (isFirst) mention();
  tellMessageEvent(slack, channel, channel.teamId, payload);
  if (!isFirst) mention();
}

const rootOf = ({ world, fileUrl }: Slack, { channelId, threadTs = '' }: Message): Json => {
  const root = world.message(channelId, threadTs);
  return root === undefined ? {} : messagePayload(world, fileUrl, root);
};

/** `before`: the message as it was. */
export function tellChanged(slack: Slack, message: Message, before: Json): void {
  const channel = channelOf(slack, message.channelId);
  const ts = slack.world.nextTs();
  tellMessageEvent(slack, channel, message.teamId, {
    type: 'message',
    subtype: 'message_changed',
    hidden: true,
    ts,
    event_ts: ts,
    message: messagePayload(slack.world, slack.fileUrl, message),
    previous_message: before,
  });
}

/** Takes a message away and tells it. A root with replies leaves a stump, which Slack tells as a change. */
export function tellDeleted(slack: Slack, message: Message): void {
  const { world, fileUrl } = slack;
  const channel = channelOf(slack, message.channelId);
  const before = messagePayload(world, fileUrl, message);
  message.isDeleted = true;
  const ts = world.nextTs();
  const hasReplies = world.repliesTo(message.channelId, message.ts).length > 0;
  const stump = {
    type: 'message',
    subtype: 'tombstone',
    user: 'USLACKBOT',
    text: 'This message was deleted.',
    ts: message.ts,
    thread_ts: message.ts,
    hidden: true,
  };
  tellMessageEvent(slack, channel, message.teamId, {
    type: 'message',
    hidden: true,
    ts,
    event_ts: ts,
    previous_message: before,
    ...(hasReplies
      ? { subtype: 'message_changed', message: stump }
      : { subtype: 'message_deleted', deleted_ts: message.ts }),
  });
}

export function tellReaction(
  slack: Slack,
  type: 'reaction_added' | 'reaction_removed',
  message: Message,
  userId: string,
  reaction: string,
): void {
  const channel = channelOf(slack, message.channelId);
  if (!channel.members.has(slack.world.teamOf(channel.teamId).botUserId)) return;
  slack.courier.event(type, message.teamId, {
    type,
    user: userId,
    reaction,
    item: { type: 'message', channel: message.channelId, ts: message.ts },
    item_user: message.userId,
    event_ts: slack.world.nextTs(),
  });
}

export function tellJoined(slack: Slack, channel: Channel, userId: string, inviter: string): void {
  slack.courier.event('member_joined_channel', channel.teamId, {
    type: 'member_joined_channel',
    user: userId,
    channel: channel.id,
    channel_type: channel.kind === 'channel' ? 'C' : 'G',
    team: channel.teamId,
    inviter,
    event_ts: slack.world.nextTs(),
  });
}

export const channelName = ({ world }: Slack, channel: Channel): Json => {
  const payload = channelPayload(channel, world.teamOf(channel.teamId).botUserId);
  return { id: channel.id, name: payload['name'] ?? 'directmessage' };
};
