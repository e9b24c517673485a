/** Follows a conversation: what it shows now, then every change. Comes back by itself, behind the last event it has seen. */
import type { BoardMessage } from '../../../ports/board.ts';
import type { Grown, WireChange } from '../wire.ts';

export interface ShownMessage extends Omit<BoardMessage, 'details'> {
  readonly details: string;
}

export interface Shown {
  /** All messages, in order. */
  readonly messages: ReadonlyMap<string, ShownMessage>;
  /** Ids of those that are new or other than before. */
  readonly changed: readonly string[];
  /** A turn runs, or waits for a worker. */
  readonly isBusy: boolean;
}

export interface Followed {
  /** What stands there now. */
  readonly onChange: (shown: Shown) => void;
  /** Whether what is shown is up to date. */
  readonly onConnection: (isThere: boolean) => void;
}

/** Browsers allow six connections to one server, so a page that nobody looks at gives its own back. Unit: milliseconds. */
const giveBackMs = 20_000;
/** The server speaks every 15 s; after this long without a word the connection is dead. Unit: milliseconds. */
const deadMs = 40_000;
const firstRetryMs = 500;
const maxRetryMs = 5_000;

/** Follows until the returned function is called. */
export function follow(talk: string, { onChange, onConnection }: Followed): () => void {
  let messages = new Map<string, ShownMessage>();
  let place = '';
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let retryMs = firstRetryMs;

  const open = () => {
    if (source !== undefined || document.visibilityState !== 'visible') return;
    clearTimeout(timer);
    const after = place === '' ? '' : `?after=${encodeURIComponent(place)}`;
    const opened = new EventSource(`/api/talks/${talk}/events${after}`);
    source = opened;
    opened.addEventListener('open', () => {
      retryMs = firstRetryMs;
      onConnection(true);
      listenOn();
    });
    opened.addEventListener('message', (event: MessageEvent<string>) => {
      listenOn();
      const change = JSON.parse(event.data) as WireChange;
      place = event.lastEventId;
      const known = messages;
      if (change.isWhole) messages = new Map();
      for (const id of change.removed) messages.delete(id);
      for (const { text, details, ...rest } of change.messages) {
        const before = known.get(rest.id);
        messages.set(rest.id, {
          ...rest,
          text: joined(before?.text, text),
          details: details === undefined ? '' : joined(before?.details, details),
        });
      }
      onChange({ messages, changed: change.messages.map(({ id }) => id), isBusy: change.isBusy });
    });
    opened.addEventListener('still', listenOn);
    opened.addEventListener('error', () => {
      lose();
      timer = setTimeout(open, retryMs);
      retryMs = Math.min(maxRetryMs, retryMs * 2);
    });
  };
  const listenOn = () => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      lose();
      comeBack();
    }, deadMs);
  };
  const close = () => {
    clearTimeout(timer);
    clearTimeout(silence);
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
  // A connection that has lost its network tells nothing of it for minutes.
  const lose = () => {
    close();
    onConnection(false);
  };

  document.addEventListener('visibilitychange', look);
  globalThis.addEventListener('online', comeBack);
  globalThis.addEventListener('offline', lose);
  open();
  return () => {
    document.removeEventListener('visibilitychange', look);
    globalThis.removeEventListener('online', comeBack);
    globalThis.removeEventListener('offline', lose);
    close();
  };
}

function joined(before: string | undefined, { keep, add }: Grown): string {
  return (before ?? '').slice(0, keep) + add;
}
