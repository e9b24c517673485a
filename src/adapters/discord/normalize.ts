/** A message of Discord → what it says to which conversation. Pure: what has to be looked up is told by whoever calls. */
import {
  type APIAttachment,
  type APIMessage,
  ChannelType,
  type GatewayMessageCreateDispatchData,
  MessageFlags,
  MessageReferenceType,
  MessageType,
} from 'discord.js';
import type { MessageRef, SurfaceAddress } from '../../domain/address.ts';
import { cutText } from '../../domain/cut-text.ts';
import type { FileRef } from '../../domain/file.ts';
import { ConversationId, EventId, UserId } from '../../domain/ids.ts';
import type { InboxItem, SaidItem } from '../../domain/inbound.ts';
import { fileSource } from './file-source.ts';

/** An event, or what REST says of a message with the missing parts filled in. */
export type HeardMessage = Omit<GatewayMessageCreateDispatchData, 'mentions' | 'channel_type'> & {
  readonly channel_type?: ChannelType;
  readonly mentions: readonly {
    readonly id: string;
    readonly username: string;
    readonly global_name?: string | null;
  }[];
};

/** Who the bot is, and where the message stands. */
export interface Scene {
  readonly botId: string;
  /** Roles that were made for the bot: people pick them where they mean the bot. */
  readonly botRoles: readonly string[];
  /** Of a thread, as far as it is known. */
  readonly parent: string | undefined;
  readonly followAllThreads: boolean;
  /** Of whoever wrote it, as far as it is known (BCP 47). */
  readonly locale: string | undefined;
  /** Whoever wrote it looks after the channel. */
  readonly isManager: boolean;
}

/** Anything that is said to a conversation, and by whom. */
export interface Said {
  readonly conversation: ConversationId;
  readonly item: InboxItem;
  readonly wanted: Heard['wanted'];
  readonly from: Heard['from'];
}

export interface Heard {
  readonly conversation: ConversationId;
  readonly item: SaidItem;
  readonly wanted: 'always' | 'and_follow' | 'if_followed';
  readonly from: {
    readonly isSelf: boolean;
    readonly isBot: boolean;
    readonly server?: string;
    readonly channel?: string;
    readonly roles?: readonly string[];
    readonly isManager?: true;
  };
  /** It replies to this message of the bot. */
  readonly repliesTo?: MessageRef;
}

const said: ReadonlySet<MessageType> = new Set([MessageType.Default, MessageType.Reply]);
const threads: ReadonlySet<ChannelType> = new Set([
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
]);
/** A thread's name is shorter; a question may begin with much that is left out of it. */
export const titleChars = 300;

/** The chat beside voices: there, Discord starts no threads. */
const beside: ReadonlySet<ChannelType> = new Set([ChannelType.GuildVoice, ChannelType.GuildStageVoice]);

export function isBesideVoices(type: ChannelType): boolean {
  return beside.has(type);
}

export function isThread(type: ChannelType): boolean {
  return threads.has(type);
}

export function conversationAt(id: string): ConversationId {
  return ConversationId(`discord:${id}`);
}

export const userOf = (id: string): UserId => UserId(`discord:${id}`);

/** Undefined: it is none of the bot's business, whatever the store knows. */
export function heard(message: HeardMessage, scene: Scene): Heard | undefined {
  if (!said.has(message.type)) return undefined;
  const { channel_id: channel, channel_type: type = ChannelType.GuildText } = message;
  const isAddressed = addresses(message, scene);
  const inThread = threads.has(type);
  const isDirect = type === ChannelType.DM;
  if (!isAddressed && !isDirect) {
    const isForOthers = message.mentions.length > 0 || message.mention_roles.length > 0;
    if (!inThread || isForOthers) return undefined;
  }
  const place = inThread || isDirect ? channel : message.id;
  const repliesTo = repliedAnswer(message, scene);
  // The first message of a forum post has the id of its thread.
  const joinsTalk = inThread && isAddressed && message.id !== channel;
  const opensThread = !inThread || message.id === channel || scene.followAllThreads;
  return {
    conversation: conversationAt(place),
    item: { ...itemOf(message, scene, isAddressed), ...(joinsTalk && { joinsTalk: true }) },
    wanted: isDirect ? 'always' : !isAddressed ? 'if_followed' : opensThread ? 'and_follow' : 'always',
    from: senderOf(message, inThread ? scene.parent : isDirect ? undefined : channel, scene),
    ...(repliesTo !== undefined && { repliesTo }),
  };
}

/** By a mention, or by a reply that pings: both are in `mentions`. `@everyone` is nobody. */
function addresses(message: HeardMessage, { botId, botRoles }: Scene): boolean {
  const byRole = message.mention_roles.some((role) => botRoles.includes(role));
  return byRole || message.mentions.some(({ id }) => id === botId);
}

function repliedAnswer(message: HeardMessage, { botId }: Scene): MessageRef | undefined {
  const { referenced_message: replied, channel_id: place } = message;
  if (replied?.author.id !== botId) return undefined;
  return { surface: 'discord', place, id: replied.id };
}

function itemOf(message: HeardMessage, scene: Scene, isAddressed: boolean): SaidItem {
  const quoted = quotedIn(message, scene);
  const text = textOf(message, scene);
  const content = [quoted?.text ?? '', text, isVoice(message) ? voiceNote : '']
    .filter((part) => part !== '')
    .join('\n\n');
  const files = [
    ...(isVoice(message) ? [] : filesOf(message, message.attachments)),
    ...(quoted?.files ?? []),
  ];
  const address: SurfaceAddress = {
    surface: 'discord',
    place: message.channel_id,
    replyTo: message.id,
    title: cutText(text === '' ? (quoted?.title ?? '') : text, titleChars),
    ...(message.channel_type !== undefined && isBesideVoices(message.channel_type) && { noThreads: true }),
    ...(scene.locale !== undefined && { locale: scene.locale }),
  };
  return {
    kind: 'message',
    id: EventId(message.id),
    author: userOf(message.author.id),
    name: nameOf(message),
    address,
    content,
    ...(files.length > 0 && { files }),
    ...(isAddressed && { mentioned: true }),
  };
}

function senderOf(
  message: HeardMessage,
  channel: string | undefined,
  { botId, isManager }: Scene,
): Heard['from'] {
  const { author, guild_id: server, member, webhook_id: webhook } = message;
  return {
    isSelf: author.id === botId,
    isBot: author.bot === true || webhook !== undefined,
    ...(server !== undefined && { server: `discord:${server}` }),
    ...(channel !== undefined && { channel: `discord:${channel}` }),
    ...(member !== undefined && { roles: member.roles.map((role) => `discord:${role}`) }),
    ...(isManager && { isManager }),
  };
}

export function nameOf({ author, member }: Pick<HeardMessage, 'author' | 'member'>): string {
  return member?.nick ?? author.global_name ?? author.username;
}

/** Without the mention of the bot; other people by name. */
export function textOf(
  { content, mentions }: Pick<HeardMessage, 'content' | 'mentions'>,
  { botId, botRoles }: Pick<Scene, 'botId' | 'botRoles'>,
): string {
  const names = new Map(mentions.map((user) => [user.id, user.global_name ?? user.username]));
  return content
    .replaceAll(/<@!?(\d+)>/gu, (mark, id: string) => (id === botId ? '' : `@${names.get(id) ?? mark}`))
    .replaceAll(/<@&(\d+)>/gu, (mark, id: string) => (botRoles.includes(id) ? '' : mark))
    .replaceAll(/ {2,}/gu, ' ')
    .trim();
}

interface Quoted {
  readonly text: string;
  readonly title: string;
  readonly files: readonly FileRef[];
}

/** What a message replies to or forwards, when the bot did not say it itself: part of what it asks. */
function quotedIn(message: HeardMessage, scene: Scene): Quoted | undefined {
  const { referenced_message: replied, message_reference: reference } = message;
  if (reference?.type === MessageReferenceType.Forward) {
    const forwarded = message.message_snapshots?.[0]?.message;
    if (forwarded === undefined) return undefined;
    const title = textOf({ content: forwarded.content, mentions: forwarded.mentions }, scene);
    const text = `[A message was forwarded:]\n${title}\n[End of the forwarded message.]`;
    return { text, title, files: filesOf(message, forwarded.attachments) };
  }
  if (message.type !== MessageType.Reply) return undefined;
  if (replied === null) return { text: '[It replies to a message that was deleted.]', title: '', files: [] };
  if (replied === undefined || replied.author.id === scene.botId) return undefined;
  const title = textOf(replied, scene);
  const text = `[It replies to this message of ${authorOf(replied)}:]\n${title}\n[End of that message.]`;
  return { text, title, files: filesOf(replied, replied.attachments) };
}

function authorOf({ author }: APIMessage): string {
  return author.global_name ?? author.username;
}

/** Discord says so by a flag; it comes with a sound file and nothing else. */
function isVoice({ flags }: Pick<HeardMessage, 'flags'>): boolean {
  return flags !== undefined && (flags & MessageFlags.IsVoiceMessage) !== 0;
}

const voiceNote =
  '[This is a voice message. You cannot listen to it: say so kindly, and ask for it in writing.]';

export function filesOf(
  { channel_id: channel, id: message }: Pick<APIMessage, 'channel_id' | 'id'>,
  attachments: readonly APIAttachment[],
): FileRef[] {
  return attachments.map(({ id, filename, size, content_type: type, url }) => ({
    id,
    name: filename,
    bytes: size,
    ...(type !== undefined && { type }),
    source: fileSource({ channel, message, attachment: id, url }),
  }));
}
