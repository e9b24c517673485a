/** What people do: they write, edit, delete, react, press, choose, fill in forms and call commands. */
import { type APIApplicationCommand, ChannelType, InteractionType, MessageType } from 'discord-api-types/v10';
import type { Discord } from './discord.ts';
import {
  tellChannel,
  tellDeleted,
  tellInteraction,
  tellMessage,
  tellReaction,
  tellThreadMember,
} from './events.ts';
import { pingsOf } from './mentions.ts';
import { namesOf } from './names.ts';
import { messagePayload } from './payloads.ts';
import { emojiOf } from './rest-reactions.ts';
import { addThread, threadFromMessage } from './rest-threads.ts';
import { controlsIn, type ShownInteraction, type ShownMessage, type ShownThread, viewsOf } from './views.ts';
import { type Attachment, type Channel, type Interaction, newest } from './world.ts';

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
      { content, attachments: (options.files ?? []).map((file) => upload(channel, file)) },
    );
    if (options.event !== false) tellMessage(discord, 'MESSAGE_CREATE', message);
    return views.showMessage(message);
  };

  const begin = (
    type: InteractionType,
    who: string,
    channelId: string,
    details: Readonly<Record<string, unknown>>,
    more: Partial<Interaction> = {},
  ): ShownInteraction => {
    const id = world.newId();
    const interaction: Interaction = {
      id,
      token: `token-${id}-${Math.floor(discord.runtime.chance() * 1e9)}`,
      type,
      at: world.now(),
      userId: names.person(who).id,
      channelId,
      isEphemeral: false,
      followUps: [],
      ...more,
    };
    world.interactions.set(id, interaction);
    tellInteraction(discord, interaction, details);
    return views.showInteraction(interaction);
  };

  /** The button or select of a message, when this person can see and use it. */
  const usable = (who: string, messageId: string, wanted: string | undefined, isButton: boolean) => {
    const message = names.message(messageId);
    const { id } = names.person(who);
    if (message.ephemeralFor !== undefined && message.ephemeralFor !== id)
      throw new Error(`${who} does not see this message`);
    const parts = controlsIn(newest(message).components).filter(({ type }) => (type === 2) === isButton);
    const found = parts.find(
      (part) =>
        wanted === undefined ||
        part['custom_id'] === wanted ||
        part['label'] === wanted ||
        (part['emoji'] as { name?: string } | undefined)?.name === wanted,
    );
    if (found === undefined)
      throw new Error(
        `there is no ${isButton ? 'button' : 'select'} "${wanted}" on "${newest(message).content}"`,
      );
    if (found['disabled'] === true) throw new Error(`"${wanted}" is disabled`);
    if (found['style'] === 5) throw new Error(`"${wanted}" is a link`);
    return { message, found };
  };

  /** A button by its label, its emoji or its custom id. */
  const press = (who: string, messageId: string, button: string): ShownInteraction => {
    const { message, found } = usable(who, messageId, button, true);
    const { custom_id, id } = found;
    const data = { custom_id, component_type: 2, id };
    return begin(
      InteractionType.MessageComponent,
      who,
      message.channelId,
      { data },
      {
        messageId: message.id,
        customId: String(custom_id),
      },
    );
  };

  /** Options by label or value; `select` by custom id where a message has several. */
  const choose = (
    who: string,
    messageId: string,
    options: readonly string[],
    select?: string,
  ): ShownInteraction => {
    const { message, found } = usable(who, messageId, select, false);
    const known = (found['options'] ?? []) as readonly { readonly label: string; readonly value: string }[];
    const values = options.map((wanted) => {
      const option = known.find(({ label, value }) => label === wanted || value === wanted);
      if (option === undefined && found['type'] === 3) throw new Error(`there is no option "${wanted}"`);
      return option?.value ?? wanted;
    });
    const [least, most] = [Number(found['min_values'] ?? 1), Number(found['max_values'] ?? 1)];
    if (values.length < least || values.length > most)
      throw new Error(`between ${least} and ${most} options can be chosen, not ${values.length}`);
    const data = { custom_id: found['custom_id'], component_type: found['type'], id: found['id'], values };
    return begin(
      InteractionType.MessageComponent,
      who,
      message.channelId,
      { data },
      {
        messageId: message.id,
        customId: String(found['custom_id']),
      },
    );
  };

  /** Sends the form that an interaction opened. Texts by custom id of the input; what is not named stays empty. */
  const submit = (
    who: string,
    interactionId: string,
    texts: Readonly<Record<string, string | readonly string[]>>,
  ): ShownInteraction => {
    const opener = world.interactions.get(interactionId);
    if (opener?.modal === undefined) throw new Error('this interaction opened no form');
    const { custom_id: customId, components } = opener.modal;
    const inputs = controlsIn(components);
    for (const name of Object.keys(texts))
      if (!inputs.some((input) => input['custom_id'] === name))
        throw new Error(`the form has no input "${name}"`);
    const filled = (components as unknown as readonly Readonly<Record<string, unknown>>[]).map((part) => {
      const fill = (input: Readonly<Record<string, unknown>>) => {
        const {
          type,
          id,
          custom_id,
          value: preset = '',
          required,
          min_length: least = 0,
          max_length: most = 4_000,
        } = input;
        const given = texts[String(custom_id)] ?? (preset as string);
        if (typeof given !== 'string') return { type, id, custom_id, values: given };
        const length = [...given].length;
        if (required !== false && length === 0) throw new Error(`"${String(custom_id)}" must be filled in`);
        if (length > Number(most) || (length > 0 && length < Number(least)))
          throw new Error(`"${String(custom_id)}" takes ${Number(least)} to ${Number(most)} characters`);
        return { type, id, custom_id, value: given };
      };
      const inner = part['component'] as Readonly<Record<string, unknown>> | undefined;
      const list = (part['components'] ?? []) as readonly Readonly<Record<string, unknown>>[];
      const { type, id } = part;
      return {
        type,
        id,
        ...(inner && { component: fill(inner) }),
        ...(list.length > 0 && { components: list.map(fill) }),
      };
    });
    return begin(
      InteractionType.ModalSubmit,
      who,
      opener.channelId,
      { data: { custom_id: customId, components: filled } },
      {
        customId,
        ...(opener.messageId !== undefined && { messageId: opener.messageId }),
      },
    );
  };

  const registered = (name: string, type: number, channel: Channel): APIApplicationCommand => {
    const scopes = [channel.guildId ?? '', 'global'];
    const found = scopes
      .flatMap((scope) => world.commands.get(scope) ?? [])
      .find((each) => each.name === name && each.type === type);
    if (found === undefined) throw new Error(`no command "${name}" is registered`);
    return found;
  };

  type Option = {
    name: string;
    type: number;
    required?: boolean;
    choices?: { value: unknown }[];
    max_length?: number;
    options?: Option[];
  };

  const optionValues = (options: readonly Option[], values: Readonly<Record<string, unknown>>) => {
    for (const name of Object.keys(values))
      if (!options.some((option) => option.name === name))
        throw new Error(`the command has no option "${name}"`);
    return options.flatMap(({ name, type, required, choices, max_length: most = 6_000 }) => {
      const value = values[name];
      if (value === undefined) {
        if (required === true) throw new Error(`option "${name}" is required`);
        return [];
      }
      if (choices !== undefined && !choices.some((choice) => choice.value === value))
        throw new Error(`${JSON.stringify(value)} is none of the choices of "${name}"`);
      if (typeof value === 'string' && value.length > most)
        throw new Error(`"${name}" takes ${most} characters`);
      return [{ name, type, value }];
    });
  };

  /** `name` may be two words for a subcommand. */
  const command = (
    who: string,
    name: string,
    values: Readonly<Record<string, unknown>> = {},
    { in: where = 'general' }: { readonly in?: string } = {},
  ): ShownInteraction => {
    const channel = names.channel(where, who);
    const [first = '', sub] = name.split(' ');
    const {
      id,
      type,
      options = [],
    } = registered(first, 1, channel) as unknown as { id: string; type: number; options?: Option[] };
    const part = sub === undefined ? undefined : options.find((each) => each.name === sub && each.type === 1);
    if (sub !== undefined && part === undefined) throw new Error(`"${first}" has no subcommand "${sub}"`);
    const given =
      part === undefined
        ? optionValues(options, values)
        : [{ name: sub, type: 1, options: optionValues(part.options ?? [], values) }];
    const data = { id, name: first, type, options: given };
    return begin(InteractionType.ApplicationCommand, who, channel.id, { data }, { commandName: first });
  };

  /** A command from the menu of a message, like "Explain this". */
  const menuCommand = (who: string, name: string, messageId: string): ShownInteraction => {
    const message = names.message(messageId);
    const channel = names.channel(message.channelId);
    const { id, type } = registered(name, 3, channel);
    const payload = messagePayload(world, discord.cdnUrl, message, { canRead: true });
    const data = { id, name, type, target_id: messageId, resolved: { messages: { [messageId]: payload } } };
    return begin(InteractionType.ApplicationCommand, who, channel.id, { data }, { commandName: name });
  };

  /** Somebody types in an option that suggests values. */
  const typeOption = (
    who: string,
    name: string,
    option: string,
    value: string,
    where = 'general',
  ): ShownInteraction => {
    const channel = names.channel(where, who);
    const { id, type } = registered(name, 1, channel);
    const data = { id, name, type, options: [{ name: option, type: 3, value, focused: true }] };
    return begin(
      InteractionType.ApplicationCommandAutocomplete,
      who,
      channel.id,
      { data },
      { commandName: name },
    );
  };

  return {
    say,
    press,
    choose,
    submit,
    command,
    menuCommand,
    typeOption,

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
