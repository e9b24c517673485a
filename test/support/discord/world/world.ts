/** What exists on the fake Discord: people, servers, channels, messages, interactions. Data and look-ups, no rules. */
import {
  type APIApplicationCommand,
  type APIEmbed,
  type APIMessageComponent,
  type APIModalInteractionResponseCallbackData,
  ChannelType,
  type InteractionType,
  MessageType,
  OverwriteType,
  PermissionFlagsBits,
} from 'discord-api-types/v10';
import { snowflakes } from './snowflake.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly isBot: boolean;
  locale: string;
  takesDms: boolean;
}

export interface Role {
  readonly id: string;
  readonly name: string;
  permissions: bigint;
  readonly isMentionable: boolean;
  /** The bot whose own role this is. */
  readonly botId?: string;
}

export interface Member {
  readonly roles: string[];
  readonly joinedAt: number;
}

export interface Guild {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  readonly roles: Map<string, Role>;
  readonly members: Map<string, Member>;
  /** Absent: American English, as for every server that is no community. */
  locale?: string;
}

export interface Overwrite {
  readonly id: string;
  readonly type: OverwriteType;
  allow: bigint;
  deny: bigint;
}

export interface Thread {
  readonly ownerId: string;
  isArchived: boolean;
  isLocked: boolean;
  autoArchiveMinutes: number;
  archivedAt: number;
  readonly members: Set<string>;
  messageCount: number;
}

export interface Channel {
  readonly id: string;
  readonly type: ChannelType;
  readonly guildId?: string;
  readonly parentId?: string;
  name: string;
  topic: string | null;
  slowModeSeconds: number;
  readonly overwrites: Overwrite[];
  /** In a DM: the person at the other end. */
  readonly recipientId?: string;
  readonly thread?: Thread;
  lastMessageId: string | null;
}

export interface Attachment {
  readonly id: string;
  readonly filename: string;
  /** What the sender claims; the bytes may be something else. */
  readonly contentType?: string;
  readonly size: number;
  readonly description?: string;
  readonly channelId: string;
  /** What downloads of it run into. */
  trouble?: 'gone' | 'slow';
}

/** Whom a message really notified. */
export interface Pings {
  readonly users: readonly string[];
  readonly roles: readonly string[];
  readonly everyone: boolean;
}

/** What a message said at one time. */
export interface Version {
  readonly at: number;
  readonly content: string;
  readonly embeds: readonly APIEmbed[];
  readonly components: readonly APIMessageComponent[];
  readonly attachments: readonly Attachment[];
  readonly flags: number;
}

export interface Message {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly webhookId?: string;
  type: MessageType;
  readonly at: number;
  /** From the first to the newest; never empty. */
  readonly versions: Version[];
  editedAt?: number;
  isDeleted: boolean;
  readonly nonce?: string | number;
  pings: Pings;
  /** Mentions as the message object lists them. */
  mentions: Pings;
  readonly reference?: {
    readonly messageId: string;
    readonly channelId: string;
    readonly isForward: boolean;
  };
  readonly reactions: Map<
    string,
    { readonly emoji: { id: string | null; name: string }; readonly users: Set<string> }
  >;
  readonly interactionId?: string;
  /** Only this person sees it. */
  readonly ephemeralFor?: string;
}

export interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly type: InteractionType;
  readonly at: number;
  readonly userId: string;
  readonly channelId: string;
  /** The message whose button or select was used. */
  readonly messageId?: string;
  readonly customId?: string;
  readonly commandName?: string;
  /** Callback types in order; the second never gets here. */
  acknowledged?: { readonly type: number; readonly at: number };
  isEphemeral: boolean;
  originalId?: string;
  readonly followUps: string[];
  modal?: APIModalInteractionResponseCallbackData;
  /** Suggestions sent for an autocomplete. */
  suggestions?: readonly unknown[];
}

export const everyonePermissions =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.CreatePublicThreads |
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.AddReactions |
  PermissionFlagsBits.ReadMessageHistory |
  // A new server lets everybody mention everyone, so a careless bot really pings them all.
  PermissionFlagsBits.MentionEveryone;

export class World {
  readonly newId: () => string;
  readonly bot: Person;
  readonly applicationId: string;
  token = 'MTEwMDAwMDAwMDAwMDAwMDAwMQ.Gfake0.docent-token-of-the-fake-discord';
  readonly people = new Map<string, Person>();
  readonly guilds = new Map<string, Guild>();
  readonly channels = new Map<string, Channel>();
  readonly messages = new Map<string, Message>();
  /** The same messages by channel, oldest first, and the last one of each nonce. Written by `addMessage` alone. */
  private readonly byChannel = new Map<string, Message[]>();
  readonly byNonce = new Map<string, Message>();
  readonly interactions = new Map<string, Interaction>();
  /** The bytes of attachments, by id. */
  readonly files = new Map<string, Buffer>();
  /** Commands by scope: `global` or a guild's id. */
  readonly commands = new Map<string, readonly APIApplicationCommand[]>();
  /** When commands were created, by scope. */
  readonly commandCreations = new Map<string, readonly number[]>();
  /** Privileged intents that are on in the developer portal. */
  readonly portal = { messageContent: true, guildMembers: false, presences: false };

  /** `now` in milliseconds. */
  constructor(readonly now: () => number) {
    this.newId = snowflakes(now);
    this.applicationId = this.newId();
    this.bot = this.addPerson('Docent', { isBot: true });
  }

  addPerson(name: string, { isBot = false } = {}): Person {
    const person = { id: this.newId(), name, isBot, locale: 'en-US', takesDms: true };
    this.people.set(person.id, person);
    return person;
  }

  addGuild(name: string, owner: Person): Guild {
    const id = this.newId();
    const everyone: Role = { id, name: '@everyone', permissions: everyonePermissions, isMentionable: false };
    const member: Member = { roles: [], joinedAt: this.now() };
    const guild: Guild = {
      id,
      name,
      ownerId: owner.id,
      roles: new Map([[id, everyone]]),
      members: new Map([[owner.id, member]]),
    };
    this.guilds.set(id, guild);
    return guild;
  }

  addChannel(channel: Partial<Channel> & Pick<Channel, 'type' | 'name'>): Channel {
    const added: Channel = {
      id: this.newId(),
      topic: null,
      slowModeSeconds: 0,
      overwrites: [],
      lastMessageId: null,
      ...channel,
    };
    this.channels.set(added.id, added);
    return added;
  }

  /** The channel in which the bot and a person talk alone. */
  dmWith(person: Person): Channel {
    const known = [...this.channels.values()].find(({ recipientId }) => recipientId === person.id);
    return known ?? this.addChannel({ type: ChannelType.DM, name: '', recipientId: person.id });
  }

  addMessage(
    message: Pick<Message, 'channelId' | 'authorId'> & Partial<Message>,
    version: Partial<Version> = {},
  ): Message {
    const at = this.now();
    const added: Message = {
      id: this.newId(),
      type: MessageType.Default,
      at,
      isDeleted: false,
      pings: noPings,
      mentions: noPings,
      reactions: new Map(),
      versions: [{ at, content: '', embeds: [], components: [], attachments: [], flags: 0, ...version }],
      ...message,
    };
    this.messages.set(added.id, added);
    const placed = this.byChannel.get(added.channelId) ?? [];
    this.byChannel.set(added.channelId, placed);
    placed.push(added);
    if (added.nonce !== undefined) this.byNonce.set(String(added.nonce), added);
    const channel = this.channels.get(added.channelId);
    if (channel !== undefined && added.ephemeralFor === undefined) {
      channel.lastMessageId = added.id;
      if (channel.thread !== undefined) channel.thread.messageCount += 1;
    }
    return added;
  }

  guildOf(channel: Channel): Guild | undefined {
    return channel.guildId === undefined ? undefined : this.guilds.get(channel.guildId);
  }

  hasBot(guildId: string): boolean {
    return this.guilds.get(guildId)?.members.has(this.bot.id) ?? false;
  }

  /** Messages that can be read in a channel, oldest first; private ones are left out. */
  messagesIn(channelId: string): Message[] {
    const placed = this.byChannel.get(channelId) ?? [];
    return placed.filter(({ isDeleted, ephemeralFor }) => !isDeleted && ephemeralFor === undefined);
  }

  threadsOf(guildId: string): Channel[] {
    return [...this.channels.values()].filter(
      (each) => each.guildId === guildId && each.thread !== undefined,
    );
  }
}

export const noPings: Pings = { users: [], roles: [], everyone: false };

/** What a message says now. */
export function newest(message: Message): Version {
  const version = message.versions.at(-1);
  if (version === undefined) throw new Error(`message ${message.id} has no version`);
  return version;
}
