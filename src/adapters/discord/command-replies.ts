/** How a command is answered: acknowledged at once, then in place of "… is thinking". */
import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandInteraction,
  InteractionResponseType,
  MessageFlags,
  RateLimitError,
  Routes,
} from 'discord.js';
import { z } from 'zod';
import type { Controls } from '../../domain/controls.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import { controlRows } from './control-rows.ts';
import { isRefused } from './failures.ts';
import { answerFirst } from './first-answer.ts';
import type { Reply, Rest } from './rest.ts';

export interface CommandRepliesMeans {
  readonly rest: Rest;
  readonly clock: Clock;
  readonly log: Logger;
}

type Used = APIApplicationCommandInteraction;

/** What is read of Discord's answers. */
const callback = z.object({ resource: z.object({ message: z.object({ id: z.string() }) }) });
const message = z.object({ id: z.string() });

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
    const flags = visibleTo === 'them' ? MessageFlags.Ephemeral : undefined;
    const body = { type: InteractionResponseType.DeferredChannelMessageWithSource, data: { flags } };
    const reply = await this.respond(used, body, new URLSearchParams({ with_response: 'true' }));
    if (reply === 'refused') return undefined;
    if (reply === 'unseen') return this.original(used);
    return callback.parse(reply.body).resource.message.id;
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
  async say(used: Used, content: string, controls?: Controls): Promise<void> {
    const { rest, clock, log } = this.means;
    const route = Routes.webhookMessage(used.application_id, used.token);
    const components = controls === undefined ? [] : controlRows(controls);
    const body = { content, components, allowed_mentions: nobody };
    for (let tries = 1; ; tries += 1) {
      try {
        await rest({ method: 'PATCH', route, body });
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

  private async respond(
    { id, token }: Pick<Used, 'id' | 'token'>,
    body: object,
    query?: URLSearchParams,
  ): Promise<Reply | 'unseen' | 'refused'> {
    const route = Routes.interactionCallback(id, token);
    const reply = await answerFirst(this.means, { method: 'POST', route, body, ...(query && { query }) });
    if (reply === 'refused')
      this.means.log.debug({ interaction: id }, 'an interaction was answered already, or too late');
    return reply;
  }
}
