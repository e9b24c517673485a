/** Slack as a surface, over the Web API alone: a worker holds no connection that events come by. */
import { z } from 'zod';
import type { MessageRef } from '../../domain/address.ts';
import {
  RateLimitedError,
  SurfaceError,
  SurfaceGoneError,
  TutorError,
  WriteRefusedError,
} from '../../domain/errors.ts';
import type { UserId } from '../../domain/ids.ts';
import type { SurfaceMessage } from '../../domain/surface-message.ts';
import type { Posted, Surface, Written } from '../../ports/surface.ts';
import { methodBudget, postBudget } from './budgets.ts';
import type { CardPlace } from './card.ts';
import { codeOf, meaningOf } from './failures.ts';
import { type Fields, folded, maxPageChars, payloadOf } from './payload.ts';
import type { SlackPeople } from './people.ts';
import { idOf, placeName, readPlace, surfaceName } from './place.ts';
import { lookFor, metadataOf, pageOf } from './posted.ts';
import { type GrowthSpot, slackStream } from './stream.ts';
import { type SendBytes, upload } from './upload.ts';
import type { Arguments, Reply, WebFor } from './web.ts';

export interface SurfaceMeans {
  readonly webFor: WebFor;
  readonly people: SlackPeople;
  readonly sendBytes: SendBytes;
}

/** Where the messages of a turn go. Without a thread at the root of a channel, or of a direct conversation. */
export interface Spot extends GrowthSpot {
  /** The message of the person: what answers it stands behind it. */
  readonly question?: string;
  /** Where to go on when the thread is gone, or the channel takes messages in threads only. */
  readonly instead?: { readonly thread?: string };
}

const sent = z.object({ channel: z.string(), ts: z.string() });
const opened = z.object({ channel: z.object({ id: z.string() }) });

/** It will not take these blocks; words it may. */
const refusedBlocks: ReadonlySet<string> = new Set([
  'block_mismatch',
  'invalid_attachments',
  'invalid_blocks',
  'invalid_blocks_format',
  'markdown_text_conflict',
  'msg_blocks_too_long',
  'only_one_table_allowed',
]);
const otherSpot: ReadonlySet<string> = new Set([
  'cannot_reply_to_message',
  'message_not_found',
  'thread_not_found',
]);

/** `talk` is what its buttons speak for. */
export function slackSurface(means: SurfaceMeans, spot: Spot, talk: CardPlace): Surface {
  const { webFor, people, sendBytes } = means;
  const { team, channel } = spot;
  let thread = spot.thread;
  /** The keys of messages that this process knows: Slack tells none of what grows. */
  const keys = new Map<string, string>();

  const call = async (method: string, args: Arguments, signal: AbortSignal, where = team): Promise<Reply> => {
    try {
      const web = await webFor(where);
      return await web(method, args, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw meaningOf(error);
    }
  };

  const inThread = () => (thread === undefined ? {} : { thread_ts: thread });
  const refOf = (id: string, where = channel): MessageRef => ({
    surface: surfaceName,
    place: placeName({ team, channel: where }),
    id,
  });

  /** Without blocks where Slack does not take these. */
  const withBlocks = async (
    message: SurfaceMessage,
    write: (fields: Fields) => Promise<Reply>,
  ): Promise<Reply> => {
    try {
      return await write(payloadOf(message, talk));
    } catch (error) {
      if (!(error instanceof WriteRefusedError) || !refusedBlocks.has(codeIn(error) ?? '')) throw error;
      return write(payloadOf(message, talk, true));
    }
  };

  const create = async (
    message: SurfaceMessage,
    key: string,
    where: { readonly channel: string; readonly thread_ts?: string },
    signal: AbortSignal,
  ): Promise<Posted> => {
    const reply = await withBlocks(message, (fields) =>
      call('chat.postMessage', { ...where, ...fields, ...folded, metadata: metadataOf(key) }, signal),
    );
    const { channel: at, ts } = sent.parse(reply);
    keys.set(ts, key);
    return { ref: refOf(ts, at) };
  };

  /** Whoever is called, as by a reminder, hears of it in a direct message when the place is closed. */
  const directly = async (person: UserId, signal: AbortSignal): Promise<string> => {
    const reply = await call('conversations.open', { users: idOf(person) }, signal);
    return opened.parse(reply).channel.id;
  };

  const update = async (
    ref: MessageRef,
    message: SurfaceMessage,
    signal: AbortSignal,
    more: Arguments = {},
  ): Promise<void> => {
    const { team: where, channel: at } = readPlace(ref.place);
    const metadata = metadataOf(keyOf(ref, message));
    await withBlocks(message, (fields) =>
      call('chat.update', { channel: at, ts: ref.id, ...fields, metadata, ...more }, signal, where),
    );
  };

  /** Where no files may be sent, what is said is said all the same. */
  const fileOf = async ({ file }: SurfaceMessage, signal: AbortSignal): Promise<Arguments> => {
    if (file === undefined) return {};
    try {
      const id = await upload(file, (method, args) => call(method, args, signal), sendBytes, signal);
      return { file_ids: [id] };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SurfaceGoneError || error instanceof WriteRefusedError) return {};
      throw error instanceof TutorError ? error : new SurfaceError('a file was not sent', { cause: error });
    }
  };

  /** An answer has a key that its buttons tell, too; whoever goes on with a message of another process knows no other. */
  const keyOf = ({ id }: MessageRef, { handle }: SurfaceMessage): string =>
    keys.get(id) ?? (handle === undefined ? '' : `${talk.conversation}:${handle.turn}:${handle.slot}`);

  const named = async (message: SurfaceMessage, signal: AbortSignal): Promise<SurfaceMessage> => {
    if (message.waitsFor === undefined) return message;
    const id = idOf(message.waitsFor.asker);
    return { ...message, text: message.text.replaceAll(id, await people.nameOf(team, id, signal)) };
  };

  const post: Surface['post'] = async (wanted, key, signal) => {
    const message = await named(wanted, signal);
    let posted: Posted;
    try {
      posted = await create(message, key, { channel, ...inThread() }, signal);
    } catch (error) {
      // A trace is nothing that has to be said somewhere else.
      if (!(error instanceof SurfaceGoneError) || message.kind === 'trace') throw error;
      if (mayGoOn(error)) {
        thread = spot.instead?.thread;
        posted = await create(message, key, { channel, ...inThread() }, signal);
      } else if (message.calls === undefined) throw error;
      else posted = await create(message, key, { channel: await directly(message.calls, signal) }, signal);
    }
    if (message.file !== undefined) await update(posted.ref, message, signal, await fileOf(message, signal));
    return posted;
  };

  const mayGoOn = (error: SurfaceGoneError): boolean => {
    const code = codeIn(error) ?? '';
    const isOther = spot.instead !== undefined && spot.instead.thread !== thread;
    return isOther && (otherSpot.has(code) || code.startsWith('restricted_action'));
  };

  const edit: Surface['edit'] = async (ref, wanted, signal) => {
    const message = await named(wanted, signal);
    const file = await fileOf(message, signal);
    try {
      await update(ref, message, signal, file);
    } catch (error) {
      if (codeIn(error) !== 'streaming_state_conflict') throw error;
      await stopGrowing(ref, signal);
      await update(ref, message, signal, file);
    }
    return {};
  };

  /** One that another process let grow, or that Slack believes to grow. */
  const stopGrowing = async (ref: MessageRef, signal: AbortSignal): Promise<void> => {
    const { team: where, channel: at } = readPlace(ref.place);
    await call('chat.stopStream', { channel: at, ts: ref.id }, signal, where);
  };

  const stream = slackStream({
    call,
    post,
    edit,
    refOf,
    keyOf,
    keys,
    spot: () => ({ ...spot, thread }),
    talk,
  });

  return {
    limits: { maxChars: maxPageChars },
    budgets: {
      post: postBudget(team, channel),
      edit: methodBudget('chat.update', team, 50),
      remove: methodBudget('chat.delete', team, 50),
    },
    post,
    edit,

    async find(key, signal, message) {
      const botUser = await people.bot(team, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        throw meaningOf(error);
      });
      const others = new Set([...keys].filter(([, known]) => known !== key).map(([ts]) => ts));
      const sought = { key, text: message?.text, botUser, others };
      const where =
        thread === undefined
          ? { method: 'conversations.history', args: { channel } }
          : { method: 'conversations.replies', args: { channel, ts: thread } };
      try {
        const found = await lookFor(sought, (cursor) => {
          const since = spot.question === undefined ? {} : { oldest: spot.question };
          return call(where.method, { ...where.args, ...since, ...pageOf(cursor) }, signal);
        });
        if (found === undefined) return undefined;
        keys.set(found, key);
        return refOf(found);
      } catch (error) {
        // Not to be read.
        if (error instanceof SurfaceGoneError || error instanceof WriteRefusedError) return undefined;
        throw error;
      }
    },

    async remove(ref, signal): Promise<Written> {
      const { team: where, channel: at } = readPlace(ref.place);
      await call('chat.delete', { channel: at, ts: ref.id }, signal, where);
      return {};
    },
    ...(spot.recipient !== undefined && spot.thread !== undefined && { stream }),
  };
}

function codeIn(error: unknown): string | undefined {
  return error instanceof TutorError && !(error instanceof RateLimitedError)
    ? codeOf(error.cause)
    : undefined;
}
