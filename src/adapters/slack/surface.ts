/** Slack as a surface, over the Web API alone: a worker holds no connection that events come by. */
import { z } from 'zod';
import type { MessageRef } from '../../domain/address.ts';
import {
  RateLimitedError,
  StreamEndedError,
  SurfaceError,
  SurfaceGoneError,
  TutorError,
  WriteRefusedError,
} from '../../domain/errors.ts';
import type { UserId } from '../../domain/ids.ts';
import type { SurfaceMessage } from '../../domain/surface-message.ts';
import type { NamedBudget } from '../../ports/rate-budget.ts';
import type { MessageStream, Posted, Surface, Written } from '../../ports/surface.ts';
import type { CardPlace } from './card.ts';
import { codeOf, meaningOf } from './failures.ts';
import { type Growing, grown, nothingYet } from './growing.ts';
import { endBlocks, type Fields, folded, maxPageChars, payloadOf } from './payload.ts';
import type { SlackPeople } from './people.ts';
import { idOf, placeName, readPlace, surfaceName } from './place.ts';
import { metadataOf, postedIn } from './posted.ts';
import { type SendBytes, upload } from './upload.ts';
import type { Arguments, Reply, WebFor } from './web.ts';

export interface SurfaceMeans {
  readonly webFor: WebFor;
  readonly people: SlackPeople;
  readonly sendBytes: SendBytes;
}

/** Where the messages of a turn go. */
export interface Spot {
  readonly team: string;
  readonly channel: string;
  /** By its first message; absent at the root of a channel or of a direct conversation. */
  readonly thread?: string;
  /** The message of the person: what answers it stands behind it. */
  readonly question?: string;
  /** Where to go on when the thread is gone, or the channel takes messages in threads only. */
  readonly instead?: { readonly thread?: string };
  /** Who sees the answer grow. Absent where messages do not grow. */
  readonly recipient?: { readonly team: string; readonly user: string };
  /** Called when Slack lets nothing grow there. */
  readonly noGrowth?: () => void;
}

const sent = z.object({ channel: z.string(), ts: z.string() });
const opened = z.object({ channel: z.object({ id: z.string() }) });
const page = z.object({
  messages: z.array(z.unknown()),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/** Pages of messages in which one of ours is looked for, the newest first at the root of a channel. */
const maxPages = 5;
const pageSize = 100;
/** Of the starts and ends in a minute so many may come at once: a class asks and is answered at the same time. */
const crowd = 14;
/** Slack ends what grows about 300 s after its start. Unit: milliseconds. */
const maxGrowthMs = 240_000;

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
  /** Messages of which this process knows more than Slack tells. */
  const growing = new Map<string, Growing>();
  const keys = new Map<string, string>();
  let mayStream = true;

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

  const stream: MessageStream = {
    budgets: {
      start: budget('chat.startStream', team, 20, crowd),
      append: budget('chat.appendStream', team, 100),
      stop: budget('chat.stopStream', team, 20, crowd),
    },
    maxMs: maxGrowthMs,

    async start(message, key, signal) {
      const first = grown(nothingYet, message.text, false);
      if (!mayStream || first === undefined || first.sent === '' || spot.recipient === undefined)
        return post(message, key, signal);
      const args = {
        channel,
        thread_ts: thread,
        recipient_team_id: spot.recipient.team,
        recipient_user_id: spot.recipient.user,
        chunks: chunksOf(first.sent),
      };
      try {
        const { channel: at, ts } = sent.parse(await call('chat.startStream', args, signal));
        keys.set(ts, key);
        growing.set(ts, first);
        return { ref: refOf(ts, at) };
      } catch (error) {
        if (!(error instanceof WriteRefusedError)) throw error;
        // Not here: by posts and edits, then.
        mayStream = false;
        spot.noGrowth?.();
        return post(message, key, signal);
      }
    },

    async append(ref, text, signal) {
      const before = growing.get(ref.id);
      if (before === undefined) throw new StreamEndedError('the message does not grow');
      const after = grown(before, text, false);
      if (after === undefined) throw new WriteRefusedError('content', 'what was shown has changed');
      const chunks = chunksOf(after.sent.slice(before.sent.length));
      if (chunks.length > 0) await call('chat.appendStream', { channel, ts: ref.id, chunks }, signal);
      growing.set(ref.id, after);
      return {};
    },

    async stop(ref, rest, message, signal) {
      const before = growing.get(ref.id);
      const after = before && grown(before, rest, true);
      const isEnd = message.state !== 'live';
      const blocks = isEnd ? endBlocks(message, talk) : [];
      const args = {
        channel,
        ts: ref.id,
        ...(before !== undefined &&
          after !== undefined && {
            chunks: chunksOf(after.sent.slice(before.sent.length)),
          }),
        metadata: metadataOf(keyOf(ref, message)),
        session_status: isEnd ? 'active' : 'processing',
      };
      let hasBlocks = blocks.length > 0;
      try {
        await call('chat.stopStream', { ...args, ...(hasBlocks && { blocks }) }, signal);
      } catch (error) {
        if (!(error instanceof WriteRefusedError) || !hasBlocks) throw error;
        hasBlocks = false;
        await call('chat.stopStream', args, signal);
      }
      growing.delete(ref.id);
      // Otherwise whoever asked knows that it does not say all.
      const isAll = before !== undefined && before.source + rest === message.text;
      const isRight = after !== undefined && hasBlocks === blocks.length > 0 && message.file === undefined;
      if (isEnd && isAll && !isRight) await edit(ref, message, signal);
      return {};
    },
  };

  return {
    limits: { maxChars: maxPageChars },
    budgets: {
      post: {
        name: { surface: surfaceName, route: 'chat.postMessage', scope: `${team}:${channel}` },
        rule: { calls: 1, perMs: 1_000 },
      },
      edit: budget('chat.update', team, 50),
      remove: budget('chat.delete', team, 50),
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
      let cursor: string | undefined;
      try {
        for (let pages = 0; pages < maxPages; pages += 1) {
          const reply = await call(
            where.method,
            {
              ...where.args,
              include_all_metadata: true,
              limit: pageSize,
              ...(spot.question !== undefined && { oldest: spot.question }),
              ...(cursor !== undefined && { cursor }),
            },
            signal,
          );
          const { messages, response_metadata: more } = page.parse(reply);
          const found = postedIn(messages, sought);
          if (found !== undefined) {
            keys.set(found, key);
            return refOf(found);
          }
          cursor = more?.next_cursor || undefined;
          if (cursor === undefined) return undefined;
        }
        return undefined;
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

function chunksOf(text: string) {
  return text === '' ? [] : [{ type: 'markdown_text', text }];
}

/** Calls in a minute, over the whole workspace. */
function budget(route: string, scope: string, calls: number, burst?: number): NamedBudget {
  const rule = { calls, perMs: 60_000, ...(burst !== undefined && { burst }) };
  return { name: { surface: surfaceName, route, scope }, rule };
}

function codeIn(error: unknown): string | undefined {
  return error instanceof TutorError && !(error instanceof RateLimitedError)
    ? codeOf(error.cause)
    : undefined;
}
