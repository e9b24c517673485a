/** What a test sees of the world: plain objects with names instead of ids where a person would read names. */
import type { APIMessageComponent } from 'discord-api-types/v10';
import type { Discord } from '../discord.ts';
import { attachmentPayload } from '../world/payloads.ts';
import { type Channel, type Interaction, type Message, newest, type Pings } from '../world/world.ts';

export interface ShownButton {
  readonly label: string;
  readonly customId: string;
  readonly style: number;
  readonly isDisabled: boolean;
}

export interface ShownSelect {
  readonly customId: string;
  readonly options: readonly { readonly label: string; readonly value: string }[];
  readonly isDisabled: boolean;
}

export interface ShownFile {
  readonly id: string;
  readonly filename: string;
  readonly contentType: string | undefined;
  readonly size: number;
  readonly url: string;
}

export interface ShownMessage {
  readonly id: string;
  readonly channelId: string;
  readonly channel: string;
  readonly author: string;
  readonly type: number;
  readonly content: string;
  /** Every text it had, oldest first; the last one is `content`. */
  readonly texts: readonly string[];
  /** When each of them came. Unit: milliseconds of the fake's clock. */
  readonly times: readonly number[];
  readonly embeds: readonly unknown[];
  readonly components: readonly APIMessageComponent[];
  readonly buttons: readonly ShownButton[];
  readonly selects: readonly ShownSelect[];
  readonly files: readonly ShownFile[];
  readonly flags: number;
  readonly nonce: string | number | undefined;
  /** Id of the message it replies to or forwards. */
  readonly replyTo: string | undefined;
  /** Who was really notified, by name. */
  readonly pings: Pings;
  /** Emoji → names. */
  readonly reactions: Readonly<Record<string, readonly string[]>>;
  readonly isDeleted: boolean;
  readonly wasEdited: boolean;
  /** Name of the only person who sees it. */
  readonly onlyFor: string | undefined;
  readonly hasThread: boolean;
}

export interface ShownThread {
  readonly id: string;
  readonly name: string;
  readonly parent: string;
  readonly owner: string;
  readonly isArchived: boolean;
  readonly isLocked: boolean;
}

export interface ShownInteraction {
  readonly id: string;
  readonly token: string;
  readonly by: string;
  /** Callback type of the first answer; undefined: none yet. */
  readonly acknowledged: number | undefined;
  /** Time from its dispatch to the first answer. Unit: milliseconds. */
  readonly acknowledgedAfterMs: number | undefined;
  readonly isEphemeral: boolean;
  /** The message that answers it; after an update, the message that it came from. */
  readonly answer: ShownMessage | undefined;
  readonly followUps: readonly ShownMessage[];
  /** The form that was opened, as the bot sent it. */
  readonly modal: Readonly<Record<string, unknown>> | undefined;
  readonly suggestions: readonly unknown[] | undefined;
}

type Part = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** All buttons and selects at any depth, in order. */
export function controlsIn(parts: readonly unknown[]): Part[] {
  return (parts as readonly Part[]).flatMap((part) => [
    ...(typeof part['custom_id'] === 'string' || part['type'] === 2 ? [part] : []),
    ...controlsIn((part['components'] ?? []) as unknown[]),
    ...controlsIn(part['accessory'] === undefined ? [] : [part['accessory']]),
    ...controlsIn(part['component'] === undefined ? [] : [part['component']]),
  ]);
}

export function viewsOf(discord: Discord) {
  const { world } = discord;
  const nameOf = (id: string): string => world.people.get(id)?.name ?? id;

  const showMessage = (message: Message): ShownMessage => {
    const version = newest(message);
    const controls = controlsIn(version.components);
    const { users, roles, everyone } = message.pings;
    const guild = world.guilds.get(world.channels.get(message.channelId)?.guildId ?? '');
    return {
      id: message.id,
      channelId: message.channelId,
      channel: world.channels.get(message.channelId)?.name ?? '',
      author: nameOf(message.authorId),
      type: message.type,
      content: version.content,
      texts: message.versions.map(({ content }) => content),
      times: message.versions.map(({ at }) => at),
      embeds: version.embeds,
      components: version.components,
      buttons: controls
        .filter(({ type }) => type === 2)
        .map((each) => ({
          label: textOf(each['label'] ?? (each['emoji'] as Part | undefined)?.['name']),
          customId: textOf(each['custom_id']),
          style: Number(each['style']),
          isDisabled: each['disabled'] === true,
        })),
      selects: controls
        .filter(({ type }) => type !== 2 && type !== 4)
        .map((each) => ({
          customId: textOf(each['custom_id']),
          options: (each['options'] ?? []) as ShownSelect['options'],
          isDisabled: each['disabled'] === true,
        })),
      files: version.attachments.map((file) => ({
        id: file.id,
        filename: file.filename,
        contentType: file.contentType,
        size: file.size,
        url: attachmentPayload(world, discord.cdnUrl, file).url,
      })),
      flags: version.flags,
      nonce: message.nonce,
      replyTo: message.reference?.messageId,
      pings: {
        users: users.map(nameOf),
        roles: roles.map((id) => guild?.roles.get(id)?.name ?? id),
        everyone,
      },
      reactions: Object.fromEntries(
        [...message.reactions.values()].map(({ emoji, users: by }) => [emoji.name, [...by].map(nameOf)]),
      ),
      isDeleted: message.isDeleted,
      wasEdited: message.editedAt !== undefined,
      onlyFor: message.ephemeralFor === undefined ? undefined : nameOf(message.ephemeralFor),
      hasThread: world.channels.has(message.id),
    };
  };

  const shown = (id: string | undefined): ShownMessage | undefined => {
    const message = world.messages.get(id ?? '');
    return message === undefined ? undefined : showMessage(message);
  };

  const showInteraction = (each: Interaction): ShownInteraction => ({
    id: each.id,
    token: each.token,
    by: nameOf(each.userId),
    acknowledged: each.acknowledged?.type,
    acknowledgedAfterMs: each.acknowledged && each.acknowledged.at - each.at,
    isEphemeral: each.isEphemeral,
    answer: shown(each.originalId),
    followUps: each.followUps.flatMap((id) => shown(id) ?? []),
    modal: each.modal as Part | undefined,
    suggestions: each.suggestions,
  });

  const showThread = (channel: Channel): ShownThread => ({
    id: channel.id,
    name: channel.name,
    parent: world.channels.get(channel.parentId ?? '')?.name ?? '',
    owner: nameOf(channel.thread?.ownerId ?? ''),
    isArchived: channel.thread?.isArchived ?? false,
    isLocked: channel.thread?.isLocked ?? false,
  });

  return { nameOf, showMessage, showInteraction, showThread };
}
