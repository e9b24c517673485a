/** Reactions of the bot. */
import { tellReaction } from '../gateway/events.ts';
import { rules } from '../rules.ts';
import { userPayload } from '../world/payloads.ts';
import { may, require, visibleChannel } from '../world/permissions.ts';
import type { Message } from '../world/world.ts';
import { messageIn } from './messages.ts';
import { refusal } from './refusal.ts';
import type { Handle, RestCall, RouteTable } from './rest-call.ts';

/** `✅` or `name:id`; a plain word is no emoji. */
export function emojiOf(text: string): { id: string | null; name: string } {
  const custom = /^(?:a:)?(\w{2,32}):(\d{17,20})$/.exec(text);
  if (custom !== null) return { id: custom[2] ?? '', name: custom[1] ?? '' };
  const isPicture = /[\p{Extended_Pictographic}\p{Regional_Indicator}\u20E3]/u.test(text);
  if (!isPicture || !/^(?:\p{Extended_Pictographic}|\p{Emoji_Component}|\u200D|\uFE0F|\u20E3)+$/u.test(text))
    throw refusal('unknown_emoji', text);
  return { id: null, name: text };
}

function target({ world, params }: RestCall): Message {
  const channel = visibleChannel(world, params['channel'] ?? '');
  const message = messageIn(world, channel, params['message']);
  if (channel.thread?.isArchived === true) throw refusal('thread_archived', channel.name);
  return message;
}

const add: Handle = (call) => {
  const { discord, world, params } = call;
  const emoji = emojiOf(params['emoji'] ?? '');
  const message = target(call);
  const channel = visibleChannel(world, message.channelId);
  const key = emoji.id ?? emoji.name;
  const known = message.reactions.get(key);
  if (channel.guildId !== undefined) {
    require(world, channel, 'ReadMessageHistory');
    if (known === undefined) require(world, channel, 'AddReactions');
  }
  if (known === undefined && message.reactions.size >= rules.reaction_kinds.max)
    throw refusal('reaction_kinds');
  const reaction = known ?? { emoji, users: new Set<string>() };
  message.reactions.set(key, reaction);
  if (reaction.users.has(world.bot.id)) return { status: 204 };
  reaction.users.add(world.bot.id);
  tellReaction(discord, 'MESSAGE_REACTION_ADD', message, world.bot.id, emoji);
  return { status: 204 };
};

const removeOf =
  (whose: 'own' | 'other'): Handle =>
  (call) => {
    const { discord, world, params } = call;
    const emoji = emojiOf(params['emoji'] ?? '');
    const message = target(call);
    const userId = whose === 'own' ? world.bot.id : (params['user'] ?? '');
    if (whose === 'other' && !may(world, visibleChannel(world, message.channelId), 'ManageMessages'))
      throw refusal('missing_permissions', 'ManageMessages');
    const reaction = message.reactions.get(emoji.id ?? emoji.name);
    if (reaction?.users.delete(userId) === true)
      tellReaction(discord, 'MESSAGE_REACTION_REMOVE', message, userId, emoji);
    if (reaction?.users.size === 0) message.reactions.delete(emoji.id ?? emoji.name);
    return { status: 204 };
  };

const list: Handle = (call) => {
  const { world, params } = call;
  const emoji = emojiOf(params['emoji'] ?? '');
  const users = target(call).reactions.get(emoji.id ?? emoji.name)?.users ?? new Set();
  return { status: 200, body: [...users].flatMap((id) => world.people.get(id) ?? []).map(userPayload) };
};

export const reactions = {
  react: ['PUT /channels/:channel/messages/:message/reactions/:emoji/@me', add, { bucket: 'react' }],
  unreact: [
    'DELETE /channels/:channel/messages/:message/reactions/:emoji/@me',
    removeOf('own'),
    { bucket: 'react' },
  ],
  remove_reaction: [
    'DELETE /channels/:channel/messages/:message/reactions/:emoji/:user',
    removeOf('other'),
    { bucket: 'react' },
  ],
  list_reactions: ['GET /channels/:channel/messages/:message/reactions/:emoji', list],
} as const satisfies RouteTable;
