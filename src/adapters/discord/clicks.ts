/** Buttons: acknowledged at once, then told to the conversation they stand for. */
import {
  type APIInteraction,
  type APIMessageComponentInteraction,
  InteractionResponseType,
  InteractionType,
  Routes,
} from 'discord.js';
import { type ConversationId, EventId } from '../../domain/ids.ts';
import type { InboxItem } from '../../domain/inbound.ts';
import type { Logger } from '../../ports/runtime.ts';
import { stoppedBy } from './custom-ids.ts';
import { isRefused } from './failures.ts';
import { type Heard, userOf } from './normalize.ts';
import type { Rest } from './rest.ts';

export interface Pressed {
  readonly conversation: ConversationId;
  readonly item: Exclude<InboxItem, { readonly content: unknown }>;
  readonly wanted: 'always';
  readonly from: Heard['from'];
}

export interface ClicksMeans {
  readonly rest: Rest;
  readonly accept: (pressed: Pressed) => Promise<string>;
  readonly log: Logger;
}

export class Clicks {
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly means: ClicksMeans) {}

  take(interaction: APIInteraction): void {
    if (interaction.type !== InteractionType.MessageComponent) return;
    const done = this.press(interaction)
      .catch((error: unknown) => {
        this.means.log.error({ error, interaction: interaction.id }, 'a click could not be taken');
      })
      .finally(() => this.running.delete(done));
    this.running.add(done);
  }

  async settled(): Promise<void> {
    await Promise.all(this.running);
  }

  private async press(click: APIMessageComponentInteraction): Promise<void> {
    const conversation = stoppedBy(click.data.custom_id);
    const acknowledged = this.acknowledge(click);
    if (conversation !== undefined)
      await this.means.accept({
        conversation,
        wanted: 'always',
        from: senderOf(click),
        item: { kind: 'stop', ...saidBy(click) },
      });
    await acknowledged;
  }

  /** Another gateway that hears the same may have been faster: that is no error. */
  private async acknowledge({ id, token }: APIInteraction): Promise<void> {
    const body = { type: InteractionResponseType.DeferredMessageUpdate };
    try {
      await this.means.rest({ method: 'POST', route: Routes.interactionCallback(id, token), body });
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.means.log.debug({ error }, 'a click was acknowledged already, or too late');
    }
  }
}

function userIn({ member, user }: APIMessageComponentInteraction) {
  const found = member?.user ?? user;
  if (found === undefined) throw new Error('an interaction has no user');
  return found;
}

function saidBy(click: APIMessageComponentInteraction) {
  const { id, username, global_name: name } = userIn(click);
  return {
    id: EventId(click.id),
    author: userOf(id),
    name: name ?? username,
    address: { surface: 'discord', place: click.channel.id, locale: click.locale },
  };
}

function senderOf(click: APIMessageComponentInteraction): Heard['from'] {
  const { channel, guild_id: server, member } = click;
  const parent = 'parent_id' in channel && channel.parent_id ? channel.parent_id : channel.id;
  return {
    isSelf: false,
    isBot: false,
    ...(server !== undefined && { server: `discord:${server}`, channel: `discord:${parent}` }),
    ...(member !== undefined && { roles: member.roles.map((role) => `discord:${role}`) }),
  };
}
