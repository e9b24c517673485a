/** Discord as a surface, over REST alone: a worker holds no connection to the gateway. */
import { createHash } from 'node:crypto';
import { RESTJSONErrorCodes, Routes } from 'discord.js';
import { z } from 'zod';
import { SurfaceGoneError, WriteRefusedError } from '../../domain/errors.ts';
import type { NamedBudget } from '../../ports/rate-budget.ts';
import type { Surface } from '../../ports/surface.ts';
import type { CardPlace } from './card.ts';
import { codeOf, meaningOf } from './failures.ts';
import { maxPageChars } from './markup.ts';
import { payloadOf } from './payload.ts';
import type { Call, Reply, Rest } from './rest.ts';
import type { Spot, Where } from './spot.ts';

/** Replying needs a permission more than writing does. */
const noReply = RESTJSONErrorCodes.CannotReplyWithoutPermissionToReadMessageHistory;

/** What is read of a message that was created. */
const created = z.object({ id: z.string(), channel_id: z.string() });

/** `talk` is what its buttons speak for. */
export function discordSurface(rest: Rest, where: Where, talk: CardPlace): Surface {
  /** A chain of messages replies once: each reply is a ping. */
  let hasReplied = false;

  const call = async (what: Call): Promise<Reply> => {
    try {
      return await rest(what);
    } catch (error) {
      what.signal?.throwIfAborted();
      throw meaningOf(error);
    }
  };

  const create = async ({ channel }: Spot, body: object, signal: AbortSignal) => {
    const reply = await call({ method: 'POST', route: Routes.channelMessages(channel), body, signal });
    const { id, channel_id: place } = created.parse(reply.body);
    return { ref: { surface: 'discord', place, id }, ...rated(reply) };
  };

  return {
    // Code points; that many UTF-16 units are never more.
    limits: { maxChars: maxPageChars },
    budgets: {
      post: budget('post', where.channel, 5_000),
      edit: budget('edit', where.channel, 5_000),
      remove: budget('remove', where.channel, 1_000),
    },

    async post(message, key, signal) {
      const spot = await where.open(signal);
      if (spot.isSubstitute && message.kind === 'trace')
        throw new SurfaceGoneError('there is no thread for the trace');
      const body = {
        ...payloadOf(message, talk, !hasReplied),
        nonce: nonceOf(key),
        enforce_nonce: true,
      };
      const reply = hasReplied || spot.replyTo === undefined ? undefined : referenceTo(spot.replyTo);
      hasReplied = true;
      if (reply === undefined) return create(spot, body, signal);
      try {
        return await create(spot, { ...body, message_reference: reply }, signal);
      } catch (error) {
        if (!(error instanceof WriteRefusedError) || codeOf(error.cause) !== noReply) throw error;
        return create(spot, body, signal);
      }
    },

    /** Its nonce answers a repeated post with the message that is there; there is no way to look one up. */
    find: async () => undefined,

    async edit(ref, message, signal) {
      const route = Routes.channelMessage(ref.place, ref.id);
      const edit = () => call({ method: 'PATCH', route, body: payloadOf(message, talk, false), signal });
      try {
        return rated(await edit());
      } catch (error) {
        if (
          !(error instanceof WriteRefusedError) ||
          codeOf(error.cause) !== RESTJSONErrorCodes.InvalidActionOnArchivedThread
        )
          throw error;
        await unarchive(ref.place, error, signal);
        return rated(await edit());
      }
    },

    async remove(ref, signal) {
      return rated(await call({ method: 'DELETE', route: Routes.channelMessage(ref.place, ref.id), signal }));
    },
  };

  /** Rejects with the refusal of the edit when the thread may not be opened again. */
  async function unarchive(thread: string, refusal: WriteRefusedError, signal: AbortSignal): Promise<void> {
    const body = { archived: false };
    try {
      await call({ method: 'PATCH', route: Routes.channel(thread), body, signal });
    } catch (error) {
      throw error instanceof SurfaceGoneError || error instanceof WriteRefusedError ? refusal : error;
    }
  }
}

function budget(route: string, scope: string, perMs: number): NamedBudget {
  return { name: { surface: 'discord', route, scope }, rule: { calls: 5, perMs } };
}

function rated({ rate }: Reply) {
  return rate === undefined ? {} : { rate };
}

/** A question that was deleted is no reason to keep the answer back. */
function referenceTo(message: string) {
  return { message_id: message, fail_if_not_exists: false };
}

/** The same for the same key, in any process. Discord takes 25 characters. */
function nonceOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 25);
}
