/** Messages of a channel: create, read, edit, delete. */
import { MessageType } from 'discord-api-types/v10';
import type { Discord } from '../discord.ts';
import { tellDeleted } from '../gateway/events.ts';
import { may, visibleChannel } from '../world/permissions.ts';
import type { Channel, Message, World } from '../world/world.ts';
import { createInChannel } from './create-message.ts';
import { editOwn } from './edit-message.ts';
import { payloadOf } from './payload-of.ts';
import { Form, refusal } from './refusal.ts';
import type { Handle, RestCall, RouteTable } from './rest-call.ts';

/** A message that the bot can address: neither deleted nor private to somebody. */
export function messageIn(world: World, channel: Channel, id = ''): Message {
  const message = world.messages.get(id);
  const isThere =
    message !== undefined &&
    !message.isDeleted &&
    message.channelId === channel.id &&
    message.ephemeralFor === undefined;
  if (!isThere) throw refusal('unknown_message', id);
  return message;
}

const channelOf = ({ world, params }: RestCall): Channel => visibleChannel(world, params['channel'] ?? '');

const create: Handle = (call) => {
  const message = createInChannel(call, channelOf(call));
  return { status: 200, body: payloadOf(call.discord, message) };
};

const edit: Handle = (call) => {
  const { world, params, body } = call;
  const channel = channelOf(call);
  if (channel.thread?.isArchived === true) throw refusal('thread_archived', channel.name);
  const message = messageIn(world, channel, params['message']);
  const isOnlyFlags = Object.keys(body).every((key) =>
    ['flags', 'tts', 'enforce_nonce', 'allowed_mentions'].includes(key),
  );
  const mayHideEmbeds = isOnlyFlags && channel.guildId !== undefined && may(world, channel, 'ManageMessages');
  if (message.authorId !== world.bot.id && !mayHideEmbeds) throw refusal('not_author');
  const isSystem =
    message.type !== MessageType.Default &&
    message.type !== MessageType.Reply &&
    message.type !== MessageType.ChatInputCommand;
  if (isSystem) throw refusal('system_message');
  return { status: 200, body: editOwn(call, message) };
};

const remove: Handle = (call) => {
  const { discord, world, params } = call;
  const channel = channelOf(call);
  const message = messageIn(world, channel, params['message']);
  const isOwn = message.authorId === world.bot.id;
  if (!isOwn && (channel.guildId === undefined || !may(world, channel, 'ManageMessages')))
    throw refusal('missing_permissions', 'ManageMessages');
  message.isDeleted = true;
  tellDeleted(discord, [message]);
  return { status: 204 };
};

/** The nonce is told when a message is created, and lost afterwards. */
function fetched(discord: Discord, message: Message) {
  const { nonce: _, ...payload } = payloadOf(discord, message);
  return payload;
}

const list: Handle = (call) => {
  const { discord, world, query } = call;
  const channel = channelOf(call);
  const form = new Form();
  const limit = Number(query.get('limit') ?? 50);
  form.expect(Number.isInteger(limit) && limit >= 1 && limit <= 100, 'limit', 'page_size');
  form.done();
  if (channel.guildId !== undefined && !may(world, channel, 'ReadMessageHistory'))
    return { status: 200, body: [] };
  const all = world.messagesIn(channel.id);
  const at = (name: string) => BigInt(query.get(name) ?? 0);
  const page = (): Message[] => {
    if (query.has('after')) return all.filter(({ id }) => BigInt(id) > at('after')).slice(0, limit);
    if (query.has('before')) return all.filter(({ id }) => BigInt(id) < at('before')).slice(-limit);
    if (!query.has('around')) return all.slice(-limit);
    const older = all.filter(({ id }) => BigInt(id) < at('around')).slice(-Math.floor(limit / 2));
    const newer = all.filter(({ id }) => BigInt(id) >= at('around')).slice(0, limit - older.length);
    return [...older, ...newer];
  };
  return {
    status: 200,
    body: page()
      .toReversed()
      .map((each) => fetched(discord, each)),
  };
};

const get: Handle = (call) => {
  const { discord, world, params } = call;
  const channel = channelOf(call);
  if (channel.guildId !== undefined && !may(world, channel, 'ReadMessageHistory'))
    throw refusal('missing_access', 'ReadMessageHistory');
  return { status: 200, body: fetched(discord, messageIn(world, channel, params['message'])) };
};

const removeMany: Handle = (call) => {
  const { discord, world, body } = call;
  const channel = channelOf(call);
  if (!may(world, channel, 'ManageMessages')) throw refusal('missing_permissions', 'ManageMessages');
  const ids = (body['messages'] ?? []) as readonly string[];
  const form = new Form();
  form.expect(ids.length >= 2 && ids.length <= 100, 'messages', 'bulk_size');
  form.done();
  const found = ids
    .flatMap((id) => world.messages.get(id) ?? [])
    .filter((each) => each.channelId === channel.id);
  const fortnightMs = 14 * 24 * 60 * 60_000;
  if (found.some(({ at }) => world.now() - at > fortnightMs)) throw refusal('bulk_age');
  for (const message of found) message.isDeleted = true;
  tellDeleted(discord, found);
  return { status: 204 };
};

const typing: Handle = (call) => {
  const { world } = call;
  const channel = channelOf(call);
  if (
    channel.guildId !== undefined &&
    !may(world, channel, channel.thread === undefined ? 'SendMessages' : 'SendMessagesInThreads')
  )
    throw refusal('missing_permissions', 'SendMessages');
  return { status: 204 };
};

export const messages = {
  create_message: ['POST /channels/:channel/messages', create, { bucket: 'create_message' }],
  list_messages: ['GET /channels/:channel/messages', list],
  get_message: ['GET /channels/:channel/messages/:message', get],
  edit_message: ['PATCH /channels/:channel/messages/:message', edit, { bucket: 'edit_message' }],
  delete_message: ['DELETE /channels/:channel/messages/:message', remove, { bucket: 'delete_message' }],
  delete_messages: ['POST /channels/:channel/messages/bulk-delete', removeMany],
  typing: ['POST /channels/:channel/typing', typing, { bucket: 'typing' }],
} as const satisfies RouteTable;
