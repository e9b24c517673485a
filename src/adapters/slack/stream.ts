/** Messages that grow on Slack by themselves: begun, appended to, ended. */
import { z } from 'zod';
import type { MessageRef } from '../../domain/address.ts';
import { StreamEndedError, WriteRefusedError } from '../../domain/errors.ts';
import type { SurfaceMessage } from '../../domain/surface-message.ts';
import type { MessageStream, Surface } from '../../ports/surface.ts';
import { methodBudget } from './budgets.ts';
import type { CardPlace } from './card.ts';
import { type Growing, grown, nothingYet } from './growing.ts';
import { endBlocks } from './payload.ts';
import { metadataOf } from './posted.ts';
import type { Arguments, Reply } from './web.ts';

/** Where answers grow. */
export interface GrowthSpot {
  readonly team: string;
  readonly channel: string;
  /** By its first message. */
  readonly thread?: string | undefined;
  /** Who sees the answer grow. */
  readonly recipient?: { readonly team: string; readonly user: string };
  /** Called when Slack lets nothing grow there. */
  readonly noGrowth?: () => void;
}

export interface StreamMeans extends Pick<Surface, 'post' | 'edit'> {
  /** Rejects with what `Surface` rejects with. */
  readonly call: (method: string, args: Arguments, signal: AbortSignal) => Promise<Reply>;
  readonly refOf: (id: string) => MessageRef;
  readonly keyOf: (ref: MessageRef, message: SurfaceMessage) => string;
  /** The keys of messages that this process knows, by their ids. */
  readonly keys: Map<string, string>;
  /** As it is now. */
  readonly spot: () => GrowthSpot;
  readonly talk: CardPlace;
}

/** Of the starts and ends in a minute so many may come at once: a class asks and is answered at the same time. */
const crowd = 14;
/** Slack ends what grows about 300 s after its start. Unit: milliseconds. */
const maxGrowthMs = 240_000;

const started = z.object({ ts: z.string() });

export function slackStream({
  call,
  post,
  edit,
  refOf,
  keyOf,
  keys,
  spot,
  talk,
}: StreamMeans): MessageStream {
  const { team, channel } = spot();
  const growing = new Map<string, Growing>();
  let mayGrow = true;

  return {
    budgets: {
      start: methodBudget('chat.startStream', team, 20, crowd),
      append: methodBudget('chat.appendStream', team, 100),
      stop: methodBudget('chat.stopStream', team, 20, crowd),
    },
    maxMs: maxGrowthMs,

    async start(message, key, signal) {
      const { thread, recipient, noGrowth } = spot();
      const first = grown(nothingYet, message.text, false);
      const isReady = first !== undefined && first.sent !== '';
      if (!mayGrow || !isReady || recipient === undefined || thread === undefined)
        return post(message, key, signal);
      const args = {
        channel,
        thread_ts: thread,
        recipient_team_id: recipient.team,
        recipient_user_id: recipient.user,
        chunks: chunksOf(first.sent),
      };
      try {
        const { ts } = started.parse(await call('chat.startStream', args, signal));
        keys.set(ts, key);
        growing.set(ts, first);
        return { ref: refOf(ts) };
      } catch (error) {
        if (!(error instanceof WriteRefusedError)) throw error;
        // Not here: by posts and edits, then.
        mayGrow = false;
        noGrowth?.();
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
          after !== undefined && { chunks: chunksOf(after.sent.slice(before.sent.length)) }),
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
}

function chunksOf(text: string) {
  return text === '' ? [] : [{ type: 'markdown_text', text }];
}
