/** Discord as a surface, over REST alone: a worker holds no connection to the gateway. */
import { createHash } from 'node:crypto';
import { RESTJSONErrorCodes, Routes } from 'discord.js';
import { z } from 'zod';
import { SurfaceGoneError, WriteRefusedError } from '../../domain/errors.ts';
import type { UserId } from '../../domain/ids.ts';
import type { SurfaceMessage } from '../../domain/surface-message.ts';
import type { Posted, Surface } from '../../ports/surface.ts';
import { channelBudgets } from './budgets.ts';
import type { CardPlace } from './card.ts';
import { codeOf, meaningOf } from './failures.ts';
import { maxPageChars } from './markup.ts';
import { payloadOf } from './payload.ts';
import { postedIn } from './posted.ts';
import type { Call, Reply, Rest } from './rest.ts';
import type { Spot, Where } from './spot.ts';

/** Replying needs a permission more than writing does. */
const noReply = RESTJSONErrorCodes.CannotReplyWithoutPermissionToReadMessageHistory;

/** What is read of a message that was created, and of direct messages that were opened. */
const created = z.object({ id: z.string(), channel_id: z.string() });
const direct = z.object({ id: z.string() });

/** Of the newest messages of a place, where one is looked for; those behind the question where there is one. */
const lookedAt = 100;

type Files = NonNullable<Call['files']>;

/** `talk` is what its buttons speak for. */
export function discordSurface(rest: Rest, where: Where, talk: CardPlace): Surface {
  /** A chain of messages replies once: each reply is a ping. */
  let hasReplied = false;
  /** Since its place was closed to us. */
  let substitute: Spot | undefined;
  const open = async (signal: AbortSignal) => substitute ?? where.open(signal);
  /** The same objects as long as the channel is the same. */
  let counted = { channel: where.channel, budgets: channelBudgets(where.channel) };

  const call = async (what: Call): Promise<Reply> => {
    try {
      return await rest(what);
    } catch (error) {
      what.signal?.throwIfAborted();
      throw meaningOf(error);
    }
  };

  const create = async (
    { channel }: Spot,
    body: object,
    reply: object | undefined,
    files: Files,
    signal: AbortSignal,
  ): Promise<Posted> => {
    const route = Routes.channelMessages(channel);
    const post = async (whole: object) => {
      const answer = await call({ method: 'POST', route, body: whole, files, signal });
      const { id, channel_id: place } = created.parse(answer.body);
      return { ref: { surface: 'discord', place, id }, ...rated(answer) };
    };
    if (reply === undefined) return post(body);
    try {
      return await post({ ...body, message_reference: reply });
    } catch (error) {
      if (!(error instanceof WriteRefusedError) || codeOf(error.cause) !== noReply) throw error;
      return post(body);
    }
  };

  /** Where no files may be sent, what is said is said all the same. */
  const withFile = async <T>({ file }: SurfaceMessage, write: (files: Files) => Promise<T>): Promise<T> => {
    if (file === undefined) return write([]);
    try {
      return await write([{ name: file.name, data: file.text }]);
    } catch (error) {
      if (
        !(error instanceof SurfaceGoneError) ||
        codeOf(error.cause) !== RESTJSONErrorCodes.MissingPermissions
      )
        throw error;
      return write([]);
    }
  };

  /** Whoever is called, as by a reminder, hears of it in a direct message when the place is closed. */
  const directly = async (person: UserId, signal: AbortSignal): Promise<Spot> => {
    const body = { recipient_id: person.slice('discord:'.length) };
    const { body: opened } = await call({ method: 'POST', route: Routes.userChannels(), body, signal });
    return { channel: direct.parse(opened).id };
  };

  const postIn = async (
    spot: Spot,
    message: SurfaceMessage,
    key: string,
    signal: AbortSignal,
  ): Promise<Posted> => {
    if (spot.isSubstitute && message.kind === 'trace')
      throw new SurfaceGoneError('there is no thread for the trace');
    const body = {
      ...payloadOf(message, talk, !hasReplied),
      nonce: nonceOf(key),
      enforce_nonce: true,
    };
    const reply = hasReplied || spot.replyTo === undefined ? undefined : referenceTo(spot.replyTo);
    hasReplied = true;
    return withFile(message, (files) => create(spot, body, reply, files, signal));
  };

  return {
    // Code points; that many UTF-16 units are never more.
    limits: { maxChars: maxPageChars },
    get budgets() {
      const { channel } = substitute ?? where;
      if (channel !== counted.channel) counted = { channel, budgets: channelBudgets(channel) };
      return counted.budgets;
    },

    async post(message, key, signal) {
      if (message.calls !== undefined && message.reach === 'direct')
        return postIn(await directly(message.calls, signal), message, key, signal);
      const spot = await open(signal);
      try {
        return await postIn(spot, message, key, signal);
      } catch (error) {
        // A trace is nothing that has to be said somewhere else.
        if (!(error instanceof SurfaceGoneError) || message.kind === 'trace') throw error;
        if (message.calls !== undefined && message.reach !== 'here')
          return postIn(await directly(message.calls, signal), message, key, signal);
        if (where.instead === undefined || substitute !== undefined || spot.isSubstitute) throw error;
        substitute = await where.instead(signal);
        hasReplied = false;
        return postIn(substitute, message, key, signal);
      }
    },

    /** Its nonce answers a repeated post with the message that is there, for some minutes; later it is looked for. */
    async find(key, signal, message) {
      const spot = await open(signal);
      const expected = message && payloadOf(message, talk, false);
      const query = new URLSearchParams({
        limit: String(lookedAt),
        ...(spot.replyTo !== undefined && { after: spot.replyTo }),
      });
      try {
        const { body } = await call({
          method: 'GET',
          route: Routes.channelMessages(spot.channel),
          query,
          signal,
        });
        const found = postedIn(body, key, expected);
        return found === undefined ? undefined : { surface: 'discord', place: spot.channel, id: found };
      } catch (error) {
        // Not to be read: the nonce has to do.
        if (error instanceof SurfaceGoneError || error instanceof WriteRefusedError) return undefined;
        throw error;
      }
    },

    async edit(ref, message, signal) {
      const route = Routes.channelMessage(ref.place, ref.id);
      const edit = () =>
        withFile(message, (files) => {
          // Files that are not named go.
          const attachments = files.map(({ name: filename }, id) => ({ id, filename }));
          const body = { ...payloadOf(message, talk, false), attachments };
          return call({ method: 'PATCH', route, body, files, signal });
        });
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
