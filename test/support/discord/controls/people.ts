/** What people do with messages and threads: write, edit, delete, react, start. */
import { ChannelType, MessageFlags, MessageType } from 'discord-api-types/v10';
import type { Discord } from '../discord.ts';
import { tellChannel, tellDeleted, tellMessage, tellReaction, tellThreadMember } from '../gateway/events.ts';
import { pingsOf } from '../rest/mentions.ts';
import { emojiOf } from '../rest/reactions.ts';
import { addThread, threadFromMessage } from '../rest/threads.ts';
import { namesOf } from '../world/names.ts';
import { type Attachment, type Channel, newest } from '../world/world.ts';
import { type ShownMessage, type ShownThread, viewsOf } from './views.ts';

export interface SentFile {
  readonly name: string;
  /** What the sender's client says it is. */
  readonly contentType?: string;
  readonly text?: string;
  readonly base64?: string;
  /** What the message says its size is, when that is not true. Unit: bytes. */
  readonly size?: number;
  /** `gone`: the download is 404. `slow`: it stops half-way. */
  readonly trouble?: 'gone' | 'slow';
}

export interface SayOptions {
  /** Channel or thread by name or id, or `dm`. Default: `general`. */
  readonly in?: string;
  /** Id of the message that is answered. */
  readonly replyTo?: string;
  /** False: a reply whose ping was turned off. */
  readonly ping?: boolean;
  /** Id of a message that is forwarded. */
  readonly forward?: string;
  readonly files?: readonly SentFile[];
  /** Written by a webhook that calls itself so. */
  readonly asWebhook?: boolean;
  /** A recording, with nothing else. */
  readonly voice?: true;
  /** False: the message is there, but no event about it comes (as between two sessions). */
  readonly event?: boolean;
}

export function peopleOf(discord: Discord) {
  const { world } = discord;
  const names = namesOf(discord);
  const views = viewsOf(discord);

  const upload = (channel: Channel, file: SentFile): Attachment => {
    const bytes = Buffer.from(file.base64 ?? file.text ?? '', file.base64 === undefined ? 'utf8' : 'base64');
    const id = world.newId();
    world.files.set(id, bytes);
    return {
      id,
      channelId: channel.id,
      filename: file.name,
      size: file.size ?? bytes.length,
      ...(file.contentType !== undefined && { contentType: file.contentType }),
      ...(file.trouble !== undefined && { trouble: file.trouble }),
    };
  };

  const say = (who: string, text: string, options: SayOptions = {}): ShownMessage => {
    const person = names.person(who);
    const channel = names.channel(options.in ?? 'general', who);
    const content = names.written(text, channel);
    const target = options.replyTo ?? options.forward;
    const referenced = target === undefined ? undefined : names.message(target);
    const isReply = options.replyTo !== undefined;
    const pings = pingsOf(world, channel, content, {
      authorId: person.id,
      allowed: { parse: ['users', 'roles', 'everyone'], replied_user: isReply && options.ping !== false },
      repliedTo: isReply ? referenced?.authorId : undefined,
    });
    const { thread } = channel;
    if (thread !== undefined) {
      if (thread.isArchived) {
        thread.isArchived = false;
        tellChannel(discord, 'UPDATE', channel);
      }
      if (!thread.members.has(person.id)) {
        thread.members.add(person.id);
        tellThreadMember(discord, channel, person.id, true);
      }
    }
    const message = world.addMessage(
      {
        channelId: channel.id,
        authorId: person.id,
        pings,
        mentions: pings,
        ...(isReply && { type: MessageType.Reply }),
        ...(options.asWebhook === true && { webhookId: world.newId() }),
        ...(referenced !== undefined && {
          reference: {
            messageId: referenced.id,
            channelId: referenced.channelId,
            isForward: options.forward !== undefined,
          },
        }),
      },
      {
        content,
        attachments: (options.files ?? []).map((file) => upload(channel, file)),
        ...(options.voice === true && { flags: MessageFlags.IsVoiceMessage }),
      },
    );
    if (options.event !== false) tellMessage(discord, 'MESSAGE_CREATE', message);
    return views.showMessage(message);
  };

  return {
    say,

    /** One after the other, in one call: for thousands. */
    sayAll(who: string, texts: readonly string[], options: SayOptions = {}): void {
      for (const text of texts) say(who, text, options);
    },

    edit(who: string, messageId: string, text: string): ShownMessage {
      const message = names.message(messageId);
      const channel = names.channel(message.channelId);
      if (message.authorId !== names.person(who).id) throw new Error(`${who} did not write this message`);
      const content = names.written(text, channel);
      message.versions.push({ ...newest(message), content, at: world.now() });
      message.editedAt = world.now();
      message.mentions = pingsOf(world, channel, content, { authorId: message.authorId, allowed: undefined });
      tellMessage(discord, 'MESSAGE_UPDATE', message);
      return views.showMessage(message);
    },

    /** Discord adds a preview to a link: an update that is no edit. */
    addPreview(messageId: string): void {
      const message = names.message(messageId);
      const last = newest(message);
      message.versions.push({
        ...last,
        embeds: [...last.embeds, { type: 'link', title: 'A preview' } as never],
        at: world.now(),
      });
      tellMessage(discord, 'MESSAGE_UPDATE', message);
    },

    /** By its author or a moderator. */
    deleteMessage(messageId: string): void {
      const message = names.message(messageId);
      message.isDeleted = true;
      tellDeleted(discord, [message]);
    },

    react(who: string, messageId: string, emoji: string): void {
      const message = names.message(messageId);
      const parsed = emojiOf(emoji);
      const reaction = message.reactions.get(emoji) ?? { emoji: parsed, users: new Set<string>() };
      message.reactions.set(emoji, reaction);
      const { id } = names.person(who);
      reaction.users.add(id);
      tellReaction(discord, 'MESSAGE_REACTION_ADD', message, id, parsed);
    },

    unreact(who: string, messageId: string, emoji: string): void {
      const message = names.message(messageId);
      const { id } = names.person(who);
      if (message.reactions.get(emoji)?.users.delete(id) === true)
        tellReaction(discord, 'MESSAGE_REACTION_REMOVE', message, id, emojiOf(emoji));
    },

    /** A thread of a person's own: from a message, or without one. */
    startThread(
      who: string,
      name: string,
      from: { readonly message?: string; readonly in?: string; readonly isPrivate?: boolean },
    ): ShownThread {
      const { id: ownerId } = names.person(who);
      if (from.message !== undefined) {
        const source = names.message(from.message);
        if (world.channels.has(source.id)) throw new Error('the message has a thread already');
        return views.showThread(
          threadFromMessage(discord, names.channel(source.channelId), source.id, name, ownerId),
        );
      }
      const type = from.isPrivate === true ? ChannelType.PrivateThread : ChannelType.PublicThread;
      const thread = addThread(discord, names.channel(from.in ?? 'general'), { name, type, ownerId });
      tellChannel(discord, 'CREATE', thread);
      return views.showThread(thread);
    },

    /** A forum post: a thread whose first message has its id. */
    post(who: string, title: string, text: string, where = 'questions'): ShownMessage {
      const forum = names.channel(where);
      const { id: authorId } = names.person(who);
      const thread = addThread(discord, forum, {
        name: title,
        type: ChannelType.PublicThread,
        ownerId: authorId,
      });
      tellChannel(discord, 'CREATE', thread);
      const content = names.written(text, thread);
      const pings = pingsOf(world, thread, content, { authorId, allowed: undefined });
      const message = world.addMessage(
        { id: thread.id, channelId: thread.id, authorId, pings, mentions: pings },
        { content },
      );
      tellMessage(discord, 'MESSAGE_CREATE', message);
      return views.showMessage(message);
    },

    setLocale(who: string, locale: string): void {
      names.person(who).locale = locale;
    },
    /** Whether the bot may write to this person directly. */
    setDms(who: string, isOpen: boolean): void {
      names.person(who).takesDms = isOpen;
    },
  };
}
