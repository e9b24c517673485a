/** One press of a button, or one submitted form: who did it, and how they are answered. */
import { createHash } from 'node:crypto';
import {
  type APIApplicationCommandInteraction,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  InteractionResponseType,
  MessageFlags,
  RateLimitError,
  Routes,
} from 'discord.js';
import { EventId } from '../../domain/ids.ts';
import type { Press } from '../../gateway/press.ts';
import type { Said } from '../../gateway/said.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import { isRefused } from './failures.ts';
import { answerFirst } from './first-answer.ts';
import { isThread, userOf } from './normalize.ts';
import { managingPermissions } from './permissions.ts';
import type { Call, Rest } from './rest.ts';
import { timeOf } from './snowflake.ts';

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
  /** Ends all trying. */
  readonly signal: AbortSignal;
}

/** With its token an interaction can be answered for so long, less what a call takes. Unit: milliseconds. */
const tokenLifeMs = 14 * 60_000;
const firstRetryMs = 500;
const maxRetryMs = 30_000;

/** Each first answer resolves with whether it is of this process: another gateway that hears the same may have been faster. */
export class Answers {
  private readonly telling = new Set<Promise<void>>();

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

  /**
   * In private, behind the first answer; tried for as long as Discord takes it, while other things go on. What it is about
   * has happened, so a failure is only logged.
   */
  tell(click: Click, words: PrivateWords): void {
    const told = this.keepTelling(click, words)
      .catch((error: unknown) => {
        this.means.log.warn({ error, interaction: click.id }, 'a person could not be told in private');
      })
      .finally(() => this.telling.delete(told));
    this.telling.add(told);
  }

  /** Resolves when all that was to be told is told, or cannot be. */
  async settled(): Promise<void> {
    await Promise.all(this.telling);
  }

  private async keepTelling({ id, application_id: app, token }: Click, words: PrivateWords): Promise<void> {
    const { rest, clock, signal } = this.means;
    // It may be there although nobody heard so: then the nonce keeps it from being said twice.
    const nonce = createHash('sha256').update(`told:${id}`).digest('base64url').slice(0, 25);
    const body = { ...words, ...onlyForThem, nonce, enforce_nonce: true };
    const until = timeOf(id) + tokenLifeMs;
    for (let retryMs = firstRetryMs; ; retryMs = Math.min(2 * retryMs, maxRetryMs)) {
      try {
        await rest({ method: 'POST', route: Routes.webhook(app, token), body });
        return;
      } catch (error) {
        const waitMs = Math.max(error instanceof RateLimitError ? error.retryAfter : 0, retryMs);
        if (isRefused(error) || signal.aborted || clock.now() + waitMs > until) throw error;
        await clock.sleep(waitMs, signal);
      }
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

export function senderOf(used: Click | APIApplicationCommandInteraction): Said['from'] {
  const { channel, guild_id: server, member } = used;
  const parent =
    channel && 'parent_id' in channel && isThread(channel.type) ? channel.parent_id : channel?.id;
  return {
    isSelf: false,
    isBot: false,
    ...(server !== undefined && { server: `discord:${server}` }),
    ...(server !== undefined && parent && { channel: `discord:${parent}` }),
    ...(member !== undefined && { roles: member.roles.map((role) => `discord:${role}`) }),
    ...(isManager(used) && { isManager: true as const }),
  };
}

/** Somebody's click, without Discord. */
export function pressOf(click: Click): Press {
  const said = saidBy(click);
  const { surface, place } = said.address;
  return {
    ...said,
    from: senderOf(click),
    ...(click.message !== undefined && { on: { surface, place, id: click.message.id } }),
    isManager: async () => isManager(click),
  };
}

/** Whoever looks after the channel may do what otherwise only the asker may. */
export function isManager({ member }: Pick<Click, 'member'>): boolean {
  return member !== undefined && (BigInt(member.permissions) & managingPermissions) !== 0n;
}
