/** How a message of the bot comes into being, whichever route it comes by. */
import { ChannelType, MessageFlags, MessageType } from 'discord-api-types/v10';
import type { Discord } from '../discord.ts';
import { tellChannel, tellMessage, tellThreadMember } from '../gateway/events.ts';
import { rules } from '../rules.ts';
import { may, require } from '../world/permissions.ts';
import { type Channel, type Message, newest, noPings, type World } from '../world/world.ts';
import { type CheckedMessage, checkMessage } from './check-message.ts';
import { type DefaultParsing, mentionableText, pingsOf } from './mentions.ts';
import { Form, refusal } from './refusal.ts';
import type { RestCall } from './rest-call.ts';

const settable =
  MessageFlags.SuppressEmbeds |
  MessageFlags.SuppressNotifications |
  MessageFlags.IsVoiceMessage |
  MessageFlags.IsComponentsV2;

/** Flags of an answer to an interaction. */
export const interactionFlags = settable | MessageFlags.Ephemeral;

/** Throws when the bot may not write here. */
export function requireWritable(discord: Discord, channel: Channel): void {
  const { world } = discord;
  if (channel.type === ChannelType.GuildForum || channel.type === ChannelType.GuildCategory)
    throw refusal('no_text_here', channel.name);
  if (channel.type === ChannelType.DM) {
    const { recipientId = '' } = channel;
    if (world.people.get(recipientId)?.takesDms === false) throw refusal('cannot_dm');
    const isShared = [...world.guilds.values()].some(
      ({ id, members }) => members.has(recipientId) && world.hasBot(id),
    );
    if (!isShared) throw refusal('no_mutual_server');
    return;
  }
  require(world, channel, channel.thread === undefined ? 'SendMessages' : 'SendMessagesInThreads');
  if (channel.thread?.isLocked === true && !may(world, channel, 'ManageThreads'))
    throw refusal('thread_locked');
}

/** A message in a channel: `POST /channels/:channel/messages` and the first one of a forum post. */
export function createInChannel(call: RestCall, channel: Channel, more: Partial<Message> = {}): Message {
  const { discord, body } = call;
  requireWritable(discord, channel);
  const nonce = checkNonce(body['nonce']);
  const replied = checkReference(call, channel);
  const checked = check(call, channel.id, settable);
  const first = madeBefore(call);
  if (first !== undefined) return first;
  if (nonce === undefined || body['enforce_nonce'] !== true) note(discord, 'no_nonce', checked, channel);
  return createOwn(call, channel, checked, {
    ...more,
    ...(nonce !== undefined && { nonce }),
    ...(replied !== undefined && {
      type: MessageType.Reply,
      reference: { messageId: replied.id, channelId: replied.channelId, isForward: false },
    }),
  });
}

/** Checks the body of a new message against the limits. */
export function check(call: RestCall, channelId: string, settableFlags: number): CheckedMessage {
  const { world, body, files } = call;
  return checkMessage({ body, files, channelId, newId: world.newId, settableFlags });
}

/** Stores a checked message of the bot, tells everybody, and notes whom it pinged. */
export function createOwn(
  { discord, world }: RestCall,
  channel: Channel,
  checked: CheckedMessage,
  more: Partial<Message> = {},
  byDefault: DefaultParsing = 'everything',
): Message {
  const isInteraction = more.interactionId !== undefined;
  const version = isInteraction ? checked.version : withPermissions(discord, channel, checked.version);
  const text = mentionableText(version);
  if (checked.allowed === undefined && text !== '') note(discord, 'no_allowed_mentions', checked, channel);
  if (isDouble(world, channel, version.content, more)) note(discord, 'posted_twice', checked, channel);
  const repliedTo = world.messages.get(more.reference?.messageId ?? '')?.authorId;
  const authorId = world.bot.id;
  const pings = pingsOf(world, channel, text, {
    authorId,
    allowed: checked.allowed,
    byDefault,
    repliedTo,
  });
  for (const { attachment, file } of checked.uploads) world.files.set(attachment.id, file.bytes);
  wakeThread(discord, channel);
  const isSeenByNobody = more.ephemeralFor !== undefined;
  const message = world.addMessage(
    { channelId: channel.id, authorId, pings: isSeenByNobody ? noPings : pings, mentions: pings, ...more },
    version,
  );
  tellMessage(discord, 'MESSAGE_CREATE', message);
  return message;
}

/** Writing into an archived thread opens it again, and its author joins it. */
function wakeThread(discord: Discord, channel: Channel): void {
  const { thread } = channel;
  if (thread === undefined) return;
  if (thread.isArchived) {
    thread.isArchived = false;
    tellChannel(discord, 'UPDATE', channel);
  }
  const { id } = discord.world.bot;
  if (thread.members.has(id)) return;
  thread.members.add(id);
  tellThreadMember(discord, channel, id, true);
}

/** Files need a permission; without another one embeds silently stay away, unless nothing else is there. */
function withPermissions(
  { world }: Discord,
  channel: Channel,
  version: CheckedMessage['version'],
): CheckedMessage['version'] {
  if (version.attachments.length > 0) require(world, channel, 'AttachFiles');
  if (version.embeds.length === 0 || may(world, channel, 'EmbedLinks')) return version;
  if (version.content === '' && version.attachments.length === 0)
    throw refusal('missing_permissions', 'EmbedLinks');
  return { ...version, embeds: [] };
}

/** The message that was made under the same nonce, if it is to be the only one. */
export function madeBefore({ discord, body }: RestCall): Message | undefined {
  const nonce = checkNonce(body['nonce']);
  return body['enforce_nonce'] === true && nonce !== undefined ? byNonce(discord, nonce) : undefined;
}

function checkNonce(nonce: unknown): string | number | undefined {
  if (nonce === undefined || nonce === null) return undefined;
  const form = new Form();
  if (typeof nonce === 'number') form.expect(Number.isInteger(nonce), 'nonce', 'wrong_type');
  else form.text(nonce, 'nonce', 'nonce_length');
  form.done();
  return nonce as string | number;
}

function byNonce({ world }: Discord, nonce: string | number): Message | undefined {
  const known = world.byNonce.get(String(nonce));
  return known !== undefined && world.now() - known.at < rules.nonce_life.ms ? known : undefined;
}

/** The same text, to the same message, a moment ago: a person sees it twice. */
function isDouble(world: World, channel: Channel, content: string, { reference }: Partial<Message>): boolean {
  if (content === '') return false;
  const recent = world.messagesIn(channel.id).slice(-50);
  return recent.some(
    (each) =>
      each.authorId === world.bot.id &&
      newest(each).content === content &&
      each.reference?.messageId === reference?.messageId &&
      world.now() - each.at < 60_000,
  );
}

/** The message that is replied to. Undefined when there is none, or it is gone and the bot does not insist. */
function checkReference({ world, body }: RestCall, channel: Channel): Message | undefined {
  const wish = body['message_reference'] as
    | { readonly message_id?: string; readonly fail_if_not_exists?: boolean }
    | undefined
    | null;
  if (wish === undefined || wish === null) return undefined;
  if (channel.guildId !== undefined && !may(world, channel, 'ReadMessageHistory'))
    throw refusal('reply_without_history');
  const message = world.messages.get(String(wish.message_id));
  const isThere = message !== undefined && !message.isDeleted && message.channelId === channel.id;
  if (isThere) return message;
  const form = new Form();
  form.expect(wish.fail_if_not_exists === false, 'message_reference', 'unknown_reference');
  form.done();
  return undefined;
}

function note(
  discord: Discord,
  kind: 'no_nonce' | 'no_allowed_mentions' | 'posted_twice',
  { version }: CheckedMessage,
  channel: Channel,
): void {
  discord.journal.note(kind, `"${version.content.slice(0, 60)}" in ${channel.name || 'a direct message'}`);
}
