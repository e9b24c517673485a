/** One press of a button, or one submitted form: who did it, and how they are answered. */
import {
  type APIApplicationCommandInteraction,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  InteractionResponseType,
  MessageFlags,
  PermissionFlagsBits,
  Routes,
} from 'discord.js';
import { EventId } from '../../domain/ids.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import { answerFirst } from './first-answer.ts';
import { type Heard, isThread, userOf } from './normalize.ts';
import type { Call, Rest } from './rest.ts';

export type Click = APIMessageComponentInteraction | APIModalSubmitInteraction;

/** What a person is told or shown in private. */
export interface PrivateWords {
  readonly content: string;
  readonly components?: readonly object[];
}

export interface AnswersMeans {
  readonly rest: Rest;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Each first answer resolves with whether it is of this process: another gateway that hears the same may have been faster. */
export class Answers {
  constructor(private readonly means: AnswersMeans) {}

  /**
   * Nothing is to be seen of it; whatever follows has time. Never rejects, since nothing that follows depends on it: where
   * it is not known what came of it, it counts as ours, so that the person is told what there is to tell.
   */
  async acknowledge(click: Click): Promise<boolean> {
    try {
      return await this.respond(click, { type: InteractionResponseType.DeferredMessageUpdate });
    } catch (error) {
      this.means.log.warn({ error, interaction: click.id }, 'a click could not be acknowledged');
      return true;
    }
  }

  openForm(click: Click, data: object): Promise<boolean> {
    return this.respond(click, { type: InteractionResponseType.Modal, data });
  }

  /** As the first answer. */
  show(click: Click, words: PrivateWords, files: Call['files'] = []): Promise<boolean> {
    const data = { ...words, ...onlyForThem };
    return this.respond(click, { type: InteractionResponseType.ChannelMessageWithSource, data }, files);
  }

  /** In private, behind the first answer. What it is about has happened, so a failure is only logged. */
  async tell({ application_id: app, token }: Click, words: PrivateWords): Promise<void> {
    const body = { ...words, ...onlyForThem };
    try {
      await this.means.rest({ method: 'POST', route: Routes.webhook(app, token), body });
    } catch (error) {
      this.means.log.warn({ error }, 'a person could not be told in private');
    }
  }

  /** What the message with the button says from now on. What it is about has happened, so a failure is only logged. */
  async replace({ application_id: app, token }: Click, words: PrivateWords): Promise<void> {
    const body = { ...words, allowed_mentions: onlyForThem.allowed_mentions };
    try {
      await this.means.rest({ method: 'PATCH', route: Routes.webhookMessage(app, token), body });
    } catch (error) {
      this.means.log.warn({ error }, 'a message whose button was pressed could not be changed');
    }
  }

  private async respond({ id, token }: Click, body: object, files: Call['files'] = []): Promise<boolean> {
    const route = Routes.interactionCallback(id, token);
    const reply = await answerFirst(this.means, { method: 'POST', route, body, files });
    if (reply !== 'refused') return true;
    this.means.log.debug({ interaction: id }, 'a click was acknowledged already, or too late');
    return false;
  }
}

const onlyForThem = {
  flags: MessageFlags.Ephemeral,
  allowed_mentions: { parse: [], users: [], roles: [], replied_user: false },
};

/** What every item of the inbox has. */
export function saidBy(click: Click | APIApplicationCommandInteraction) {
  const user = click.member?.user ?? click.user;
  if (user === undefined) throw new Error(`interaction ${click.id} has no user`);
  return {
    id: EventId(click.id),
    author: userOf(user.id),
    name: click.member?.nick ?? user.global_name ?? user.username,
    address: { surface: 'discord', place: click.channel?.id ?? '', locale: click.locale },
  };
}

export function senderOf({
  channel,
  guild_id: server,
  member,
}: Click | APIApplicationCommandInteraction): Heard['from'] {
  const parent =
    channel && 'parent_id' in channel && isThread(channel.type) ? channel.parent_id : channel?.id;
  return {
    isSelf: false,
    isBot: false,
    ...(server !== undefined && { server: `discord:${server}` }),
    ...(server !== undefined && parent && { channel: `discord:${parent}` }),
    ...(member !== undefined && { roles: member.roles.map((role) => `discord:${role}`) }),
  };
}

const managing = PermissionFlagsBits.ManageChannels | PermissionFlagsBits.ManageThreads;

/** Whoever looks after the channel may do what otherwise only the asker may. */
export function isManager({ member }: Click): boolean {
  return member !== undefined && (BigInt(member.permissions) & managing) !== 0n;
}
