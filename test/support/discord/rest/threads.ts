/** Threads: started from a message, without one, or as a forum post; archived, locked, joined, listed. */
import { ChannelType, MessageType } from 'discord-api-types/v10';
import type { Discord } from '../discord.ts';
import { tellChannel, tellMessage, tellThreadMember } from '../gateway/events.ts';
import { rules } from '../rules.ts';
import { channelPayload, threadMember, threadPayload } from '../world/payloads.ts';
import { may, require, visibleChannel } from '../world/permissions.ts';
import type { Channel, Thread } from '../world/world.ts';
import type { Json } from './check-components.ts';
import { createInChannel } from './create-message.ts';
import { messageIn } from './messages.ts';
import { payloadOf } from './payload-of.ts';
import { Form, refusal } from './refusal.ts';
import type { Handle, RestCall, RouteTable } from './rest-call.ts';

const archiveMinutes: readonly unknown[] = [60, 1_440, 4_320, 10_080];

/** Name, archive time and slow mode of a thread that begins or changes. */
export function checkThreadFields(body: Json, form: Form, isNew: boolean): void {
  if (isNew) form.requiredText(body['name'], 'name', 'thread_name');
  else form.text(body['name'], 'name', 'thread_name', 1);
  const { auto_archive_duration: minutes, rate_limit_per_user: slowMode } = body;
  if (minutes !== undefined && minutes !== null)
    form.expect(archiveMinutes.includes(minutes), 'auto_archive_duration', 'auto_archive');
  if (slowMode !== undefined && slowMode !== null)
    form.expect(
      Number(slowMode) >= 0 && Number(slowMode) <= rules.slow_mode.max,
      'rate_limit_per_user',
      'slow_mode',
    );
}

/** Adds a thread of anybody's and tells the bot. */
export function addThread(
  { world }: Discord,
  parent: Channel,
  options: {
    readonly id?: string;
    readonly name: string;
    readonly type: ChannelType;
    readonly ownerId: string;
    readonly minutes?: number;
  },
): Channel {
  const thread: Thread = {
    ownerId: options.ownerId,
    isArchived: false,
    isLocked: false,
    autoArchiveMinutes: options.minutes ?? 4_320,
    archivedAt: world.now(),
    members: new Set([options.ownerId]),
    messageCount: 0,
  };
  return world.addChannel({
    ...(options.id !== undefined && { id: options.id }),
    type: options.type,
    name: options.name,
    parentId: parent.id,
    ...(parent.guildId !== undefined && { guildId: parent.guildId }),
    thread,
  });
}

function requireRoom({ world }: RestCall, parent: Channel): void {
  const open = world.threadsOf(parent.guildId ?? '').filter(({ thread }) => thread?.isArchived === false);
  if (open.length >= rules.thread_cap.max) throw refusal('thread_cap');
}

/** The thread's id is the message's; its first entry points to the message. */
export function threadFromMessage(
  discord: Discord,
  parent: Channel,
  messageId: string,
  name: string,
  ownerId: string,
  minutes?: number,
): Channel {
  const { world } = discord;
  const type =
    parent.type === ChannelType.GuildAnnouncement ? ChannelType.AnnouncementThread : ChannelType.PublicThread;
  const thread = addThread(discord, parent, {
    id: messageId,
    name,
    type,
    ownerId,
    ...(minutes !== undefined && { minutes }),
  });
  tellChannel(discord, 'CREATE', thread);
  const source = world.messages.get(messageId);
  if (source !== undefined) tellMessage(discord, 'MESSAGE_UPDATE', source);
  const starter = world.addMessage({
    channelId: thread.id,
    authorId: ownerId,
    type: MessageType.ThreadStarterMessage,
    reference: { messageId, channelId: parent.id, isForward: false },
  });
  tellMessage(discord, 'MESSAGE_CREATE', starter);
  return thread;
}

const startFromMessage: Handle = (call) => {
  const { discord, world, params, body } = call;
  const parent = visibleChannel(world, params['channel'] ?? '');
  const isParent = parent.type === ChannelType.GuildText || parent.type === ChannelType.GuildAnnouncement;
  if (!isParent) throw refusal('wrong_channel_type', 'threads start in text and announcement channels');
  require(world, parent, 'CreatePublicThreads');
  const message = messageIn(world, parent, params['message']);
  const form = new Form();
  checkThreadFields(body, form, true);
  form.done();
  if (world.channels.has(message.id)) throw refusal('thread_exists');
  requireRoom(call, parent);
  const minutes = body['auto_archive_duration'] as number | undefined;
  const thread = threadFromMessage(
    discord,
    parent,
    message.id,
    String(body['name']).trim(),
    world.bot.id,
    minutes,
  );
  return { status: 201, body: threadPayload(world, thread) };
};

const start: Handle = (call) => {
  const { discord, world, params, body } = call;
  const parent = visibleChannel(world, params['channel'] ?? '');
  const isForum = parent.type === ChannelType.GuildForum;
  const form = new Form();
  checkThreadFields(body, form, true);
  if (isForum) form.expect(typeof body['message'] === 'object', 'message', 'required');
  form.done();
  const isText = parent.type === ChannelType.GuildText || parent.type === ChannelType.GuildAnnouncement;
  if (!isForum && !isText) throw refusal('wrong_channel_type');
  const type = isForum ? ChannelType.PublicThread : Number(body['type'] ?? ChannelType.PrivateThread);
  const isPrivate = type === ChannelType.PrivateThread;
  require(world, parent, isForum
    ? 'SendMessages'
    : isPrivate
      ? 'CreatePrivateThreads'
      : 'CreatePublicThreads');
  requireRoom(call, parent);
  const minutes = body['auto_archive_duration'] as number | undefined;
  const thread = addThread(discord, parent, {
    name: String(body['name']).trim(),
    type,
    ownerId: world.bot.id,
    ...(minutes !== undefined && { minutes }),
  });
  tellChannel(discord, 'CREATE', thread);
  if (!isForum) {
    if (!isPrivate) {
      const said = world.addMessage(
        { channelId: parent.id, authorId: world.bot.id, type: MessageType.ThreadCreated },
        { content: thread.name },
      );
      tellMessage(discord, 'MESSAGE_CREATE', said);
    }
    return { status: 201, body: threadPayload(world, thread) };
  }
  // The first message of a post has the post's id.
  const message = createInChannel({ ...call, body: body['message'] as Json }, thread, { id: thread.id });
  return { status: 201, body: { ...threadPayload(world, thread), message: payloadOf(discord, message) } };
};

/** Changes of a thread; those of an ordinary channel are in `channels.ts`. */
export function editThread(call: RestCall, channel: Channel, thread: Thread) {
  const { discord, world, body } = call;
  const form = new Form();
  checkThreadFields(body, form, false);
  form.done();
  const { archived, locked, name, auto_archive_duration: minutes } = body;
  const isManager = may(world, channel, 'ManageThreads');
  const isOpening = archived === false;
  if (thread.isArchived && !isOpening) throw refusal('thread_archived');
  if (thread.isLocked && !isManager) throw refusal('thread_locked');
  if (locked !== undefined && !isManager) throw refusal('missing_permissions', 'ManageThreads');
  const isOnlyOpening = isOpening && Object.keys(body).length === 1;
  if (!isManager && thread.ownerId !== world.bot.id && !isOnlyOpening)
    throw refusal('missing_permissions', 'ManageThreads');
  if (isOpening) require(world, channel, 'SendMessagesInThreads');
  if (typeof archived === 'boolean') Object.assign(thread, { isArchived: archived, archivedAt: world.now() });
  if (typeof locked === 'boolean') thread.isLocked = locked;
  if (typeof minutes === 'number') thread.autoArchiveMinutes = minutes;
  const isRenamed = typeof name === 'string' && name !== channel.name;
  if (typeof name === 'string') channel.name = name;
  tellChannel(discord, 'UPDATE', channel);
  if (isRenamed) {
    const said = world.addMessage(
      { channelId: channel.id, authorId: world.bot.id, type: MessageType.ChannelNameChange },
      { content: channel.name },
    );
    tellMessage(discord, 'MESSAGE_CREATE', said);
  }
  return channelPayload(world, channel);
}

function threadOf({ world, params }: RestCall): Channel & { readonly thread: Thread } {
  const channel = visibleChannel(world, params['channel'] ?? '');
  if (channel.thread === undefined) throw refusal('wrong_channel_type', 'not a thread');
  return channel as Channel & { readonly thread: Thread };
}

const setMember =
  (isIn: boolean): Handle =>
  (call) => {
    const { discord, world, params } = call;
    const channel = threadOf(call);
    if (channel.thread.isArchived) throw refusal('thread_archived');
    const wanted = params['user'] ?? '@me';
    const userId = wanted === '@me' ? world.bot.id : wanted;
    if (!world.people.has(userId)) throw refusal('unknown_user');
    if (isIn) channel.thread.members.add(userId);
    else channel.thread.members.delete(userId);
    tellThreadMember(discord, channel, userId, isIn);
    return { status: 204 };
  };

const listMembers: Handle = (call) => {
  const channel = threadOf(call);
  return {
    status: 200,
    body: [...channel.thread.members].map((id) => threadMember(call.world, channel, id)),
  };
};

const listActive: Handle = ({ world, params }) => {
  const guildId = params['guild'] ?? '';
  if (!world.hasBot(guildId)) throw refusal('unknown_guild');
  const open = world
    .threadsOf(guildId)
    .filter((each) => each.thread?.isArchived === false && may(world, each, 'ViewChannel'));
  const mine = open.filter(({ thread }) => thread?.members.has(world.bot.id));
  return {
    status: 200,
    body: {
      threads: open.map((each) => threadPayload(world, each)),
      members: mine.map((each) => threadMember(world, each, world.bot.id)),
    },
  };
};

const listArchived: Handle = (call) => {
  const { world, params } = call;
  const parent = visibleChannel(world, params['channel'] ?? '');
  require(world, parent, 'ReadMessageHistory');
  const closed = world
    .threadsOf(parent.guildId ?? '')
    .filter(({ parentId, thread }) => parentId === parent.id && thread?.isArchived === true);
  const body = { threads: closed.map((each) => threadPayload(world, each)), members: [], has_more: false };
  return { status: 200, body };
};

export const threads = {
  start_thread_from_message: [
    'POST /channels/:channel/messages/:message/threads',
    startFromMessage,
    { bucket: 'create_thread' },
  ],
  start_thread: ['POST /channels/:channel/threads', start, { bucket: 'create_thread' }],
  join_thread: ['PUT /channels/:channel/thread-members/:user', setMember(true)],
  leave_thread: ['DELETE /channels/:channel/thread-members/:user', setMember(false)],
  list_thread_members: ['GET /channels/:channel/thread-members', listMembers],
  list_active_threads: ['GET /guilds/:guild/threads/active', listActive],
  list_archived_threads: ['GET /channels/:channel/threads/archived/public', listArchived],
} as const satisfies RouteTable;
