/** The board as server-sent events: what a page has seen already is not sent again, a growing text only by its new end. */
import type { ConversationId } from '../../domain/ids.ts';
import type { Board, BoardChange } from '../../ports/board.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import type { Grown, WireChange } from './wire.ts';

/** Changes within this time go out together. Unit: milliseconds. */
const gatherMs = 40;
/** A line when nothing happens, so that nobody in between takes the connection for dead. Unit: milliseconds. */
const stillHereMs = 15_000;

export interface EventStreamOptions {
  readonly board: Board;
  readonly conversation: ConversationId;
  /** The place of the last event the page has seen. */
  readonly after: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** The server closes. */
  readonly signal: AbortSignal;
}

export function eventStream({
  board,
  conversation,
  after,
  clock,
  log,
  signal,
}: EventStreamOptions): ReadableStream {
  const over = new AbortController();
  const end = () => over.abort();
  signal.addEventListener('abort', end, { once: true });
  const encoder = new TextEncoder();
  const changes = board.watch(conversation, after, over.signal)[Symbol.asyncIterator]();
  const sent = new Map<string, { readonly text: string; readonly details: string }>();
  let coming: Promise<IteratorResult<BoardChange>> | undefined;
  /** The page has left: nothing can be written any more, and nothing needs to be. */
  let isLeft = false;
  const finish = () => {
    over.abort();
    signal.removeEventListener('abort', end);
  };

  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode('retry: 1000\n\n')),
    async pull(controller) {
      try {
        coming ??= changes.next();
        const quiet = new AbortController();
        const next = await Promise.race([coming, silence(clock, quiet.signal)]).finally(() => quiet.abort());
        if (isLeft) return;
        if (next === 'silence') return controller.enqueue(encoder.encode('event: still\ndata:\n\n'));
        coming = undefined;
        if (next.done === true || over.signal.aborted) {
          finish();
          return controller.close();
        }
        controller.enqueue(encoder.encode(eventOf(next.value, sent)));
        await clock.sleep(gatherMs, over.signal).catch(() => {}); // the page is gone
      } catch (error) {
        if (isLeft) return;
        // The page comes back by itself and goes on behind the last event it saw.
        log.warn({ error, conversation }, 'a page could not be told what changed; it asks again');
        finish();
        controller.close();
      }
    },
    cancel() {
      isLeft = true;
      finish();
    },
  });
}

async function silence(clock: Clock, signal: AbortSignal): Promise<'silence'> {
  await clock.sleep(stillHereMs, signal).catch(() => {}); // something happened, and the race is over
  return 'silence';
}

function eventOf(
  { isWhole, isBusy, place, messages, removed }: BoardChange,
  sent: Map<string, { readonly text: string; readonly details: string }>,
): string {
  for (const id of removed) sent.delete(id);
  const change: WireChange = {
    isWhole,
    isBusy,
    removed,
    messages: messages.map((message) => {
      const { text, details, ...rest } = message;
      const known = sent.get(message.id) ?? { text: '', details: '' };
      const now = { text, details: details?.join('\n') ?? '' };
      sent.set(message.id, now);
      return {
        ...rest,
        text: grown(known.text, now.text),
        ...(details === undefined ? {} : { details: grown(known.details, now.details) }),
      };
    }),
  };
  return `id: ${place}\ndata: ${JSON.stringify(change)}\n\n`;
}

function grown(before: string, now: string): Grown {
  return now.startsWith(before)
    ? { keep: before.length, add: now.slice(before.length) }
    : { keep: 0, add: now };
}
