/** Follows a conversation: what it shows now, then every change. Comes back by itself, behind the last event it has seen. */
import type { BoardMessage } from '../../../ports/board.ts';
import type { Grown, WireChange } from '../wire.ts';

export interface ShownMessage extends Omit<BoardMessage, 'details'> {
  readonly details: string;
}

export interface Followed {
  /** All messages, in order; `changed` names those that are new or other. */
  readonly onMessages: (messages: ReadonlyMap<string, ShownMessage>, changed: readonly string[]) => void;
  /** Whether what is shown is up to date. */
  readonly onConnection: (isThere: boolean) => void;
}

/** Browsers allow six connections to one server, so a page that nobody looks at gives its own back. Unit: milliseconds. */
const giveBackMs = 20_000;
const firstRetryMs = 500;
const maxRetryMs = 5_000;

/** Follows until the returned function is called. */
export function follow(talk: string, { onMessages, onConnection }: Followed): () => void {
  let messages = new Map<string, ShownMessage>();
  let place = '';
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retryMs = firstRetryMs;

  const open = () => {
    if (source !== undefined) return;
    clearTimeout(timer);
    const after = place === '' ? '' : `?after=${encodeURIComponent(place)}`;
    const opened = new EventSource(`/api/talks/${talk}/events${after}`);
    source = opened;
    opened.addEventListener('open', () => {
      retryMs = firstRetryMs;
      onConnection(true);
    });
    opened.addEventListener('message', (event: MessageEvent<string>) => {
      const change = JSON.parse(event.data) as WireChange;
      place = event.lastEventId;
      const known = messages;
      if (change.isWhole) messages = new Map();
      for (const { text, details, ...rest } of change.messages) {
        const before = known.get(rest.id);
        messages.set(rest.id, {
          ...rest,
          text: joined(before?.text, text),
          details: details === undefined ? '' : joined(before?.details, details),
        });
      }
      onMessages(
        messages,
        change.messages.map(({ id }) => id),
      );
    });
    opened.addEventListener('error', () => {
      close();
      onConnection(false);
      timer = setTimeout(open, retryMs);
      retryMs = Math.min(maxRetryMs, retryMs * 2);
    });
  };
  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const look = () => {
    clearTimeout(timer);
    if (document.visibilityState === 'visible') open();
    else timer = setTimeout(close, giveBackMs);
  };
  const comeBack = () => {
    retryMs = firstRetryMs;
    open();
  };

  document.addEventListener('visibilitychange', look);
  globalThis.addEventListener('online', comeBack);
  open();
  return () => {
    document.removeEventListener('visibilitychange', look);
    globalThis.removeEventListener('online', comeBack);
    close();
  };
}

function joined(before: string | undefined, { keep, add }: Grown): string {
  return (before ?? '').slice(0, keep) + add;
}
