/** How a command is answered: acknowledged at once, then in place of "… is thinking". */
import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandInteraction,
  InteractionResponseType,
  MessageFlags,
  RateLimitError,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js';
import { z } from 'zod';
import type { Clock, Logger } from '../../ports/runtime.ts';
import { codeOf, isRefused } from './failures.ts';
import type { Rest } from './rest.ts';

export interface CommandRepliesMeans {
  readonly rest: Rest;
  readonly clock: Clock;
  readonly log: Logger;
}

type Used = APIApplicationCommandInteraction;

/** What is read of Discord's answers. */
const callback = z.object({ resource: z.object({ message: z.object({ id: z.string() }) }) });
const message = z.object({ id: z.string() });

/** Within the three seconds that Discord waits. */
const ackTries = 3;
const askAgainMs = 300;
const editTries = 5;
const editAgainMs = 1_000;

const nobody = { parse: [], users: [], roles: [], replied_user: false };

export class CommandReplies {
  constructor(private readonly means: CommandRepliesMeans) {}

  /**
   * The id of the message that is the answer; undefined when another gateway, which hears the same, was faster, or when it
   * is too late.
   */
  async defer(used: Used, visibleTo: 'everybody' | 'them'): Promise<string | undefined> {
    const { rest, clock, log } = this.means;
    const flags = visibleTo === 'them' ? MessageFlags.Ephemeral : undefined;
    const body = { type: InteractionResponseType.DeferredChannelMessageWithSource, data: { flags } };
    const route = Routes.interactionCallback(used.id, used.token);
    const query = new URLSearchParams({ with_response: 'true' });
    for (let tries = 1; ; tries += 1) {
      try {
        const reply = await rest({ method: 'POST', route, body, query });
        return callback.parse(reply.body).resource.message.id;
      } catch (error) {
        if (isRefused(error)) {
          const isOurs =
            tries > 1 && codeOf(error) === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged;
          if (isOurs) return this.original(used);
          log.debug({ error, interaction: used.id }, 'a command was acknowledged already, or too late');
          return undefined;
        }
        // It may have happened: asked again, Discord says so.
        if (tries === ackTries) throw error;
        await clock.sleep(askAgainMs);
      }
    }
  }

  /** As the first answer, to the person alone. */
  async refuse(used: Used, content: string): Promise<void> {
    const data = { content, flags: MessageFlags.Ephemeral, allowed_mentions: nobody };
    await this.respond(used, { type: InteractionResponseType.ChannelMessageWithSource, data });
  }

  /** At most 25. */
  async suggest(
    typing: APIApplicationCommandAutocompleteInteraction,
    values: readonly string[],
  ): Promise<void> {
    const data = { choices: values.map((value) => ({ name: value, value })) };
    await this.respond(typing, { type: InteractionResponseType.ApplicationCommandAutocompleteResult, data });
  }

  /** What the answer says from now on. What it is about has happened, so a failure is only logged. */
  async say(used: Used, content: string): Promise<void> {
    const { rest, clock, log } = this.means;
    const route = Routes.webhookMessage(used.application_id, used.token);
    for (let tries = 1; ; tries += 1) {
      try {
        await rest({ method: 'PATCH', route, body: { content, allowed_mentions: nobody } });
        return;
      } catch (error) {
        if (isRefused(error) || tries === editTries) {
          log.warn({ error, interaction: used.id }, 'a command could not be answered');
          return;
        }
        await clock.sleep(error instanceof RateLimitError ? error.retryAfter : editAgainMs);
      }
    }
  }

  private async original({ application_id: app, token }: Used): Promise<string> {
    const { body } = await this.means.rest({ method: 'GET', route: Routes.webhookMessage(app, token) });
    return message.parse(body).id;
  }

  private async respond({ id, token }: Pick<Used, 'id' | 'token'>, body: object): Promise<void> {
    try {
      await this.means.rest({ method: 'POST', route: Routes.interactionCallback(id, token), body });
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.means.log.debug({ error, interaction: id }, 'an interaction was answered already, or too late');
    }
  }
}
