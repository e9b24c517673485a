/** Channels: read, change, delete, and the way to a direct message. */
import { ChannelType } from 'discord-api-types/v10';
import { tellChannel } from '../gateway/events.ts';
import { channelPayload } from '../world/payloads.ts';
import { require, visibleChannel } from '../world/permissions.ts';
import { Form, refusal } from './refusal.ts';
import type { Handle, RouteTable } from './rest-call.ts';
import { editThread } from './threads.ts';

const get: Handle = ({ world, params }) => ({
  status: 200,
  body: channelPayload(world, visibleChannel(world, params['channel'] ?? '')),
});

const edit: Handle = (call) => {
  const { discord, world, params, body } = call;
  const channel = visibleChannel(world, params['channel'] ?? '');
  if (channel.thread !== undefined) return { status: 200, body: editThread(call, channel, channel.thread) };
  if (channel.type === ChannelType.DM) throw refusal('wrong_channel_type');
  require(world, channel, 'ManageChannels');
  const form = new Form();
  form.text(body['name'], 'name', 'thread_name', 1);
  form.done();
  if (typeof body['name'] === 'string') channel.name = body['name'];
  if (typeof body['topic'] === 'string') channel.topic = body['topic'];
  tellChannel(discord, 'UPDATE', channel);
  return { status: 200, body: channelPayload(world, channel) };
};

const remove: Handle = ({ discord, world, params }) => {
  const channel = visibleChannel(world, params['channel'] ?? '');
  if (channel.type !== ChannelType.DM)
    require(world, channel, channel.thread === undefined ? 'ManageChannels' : 'ManageThreads');
  const body = channelPayload(world, channel);
  if (channel.type !== ChannelType.DM) {
    tellChannel(discord, 'DELETE', channel);
    world.channels.delete(channel.id);
  }
  return { status: 200, body };
};

const openDm: Handle = ({ world, body }) => {
  const form = new Form();
  form.expect(typeof body['recipient_id'] === 'string', 'recipient_id', 'required');
  form.done();
  const person = world.people.get(String(body['recipient_id']));
  if (person === undefined) throw refusal('unknown_user');
  return { status: 200, body: channelPayload(world, world.dmWith(person)) };
};

export const channels = {
  get_channel: ['GET /channels/:channel', get],
  edit_channel: ['PATCH /channels/:channel', edit, { bucket: 'edit_channel' }],
  delete_channel: ['DELETE /channels/:channel', remove, { bucket: 'edit_channel' }],
  open_dm: ['POST /users/@me/channels', openDm],
} as const satisfies RouteTable;
