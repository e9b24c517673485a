/** Where the messages of a turn go: into the channel as a reply, or into the thread under the question. */
import { RESTJSONErrorCodes, Routes } from 'discord.js';
import type { Logger } from '../../ports/runtime.ts';
import { codeOf, isRefused, meaningOf } from './failures.ts';
import type { Rest } from './rest.ts';
import { threadName } from './thread-name.ts';

export interface Spot {
  /** Channel, thread or direct conversation. */
  readonly channel: string;
  /** The message that the first one there replies to. */
  readonly replyTo?: string;
  /** There was to be a thread, and there is none to write in: only what cannot be left out is said in its place. */
  readonly isSubstitute?: true;
}

export interface Where {
  /** The channel, as far as it is known: its budget counts. */
  readonly channel: string;
  /** Finds the spot, and opens the thread at its first call. Rejects with what `Surface` rejects with. */
  open(signal: AbortSignal): Promise<Spot>;
  /** Where to go on when nothing can be said there any more; absent where there is no other place. Rejects as `open`. */
  readonly instead?: (signal: AbortSignal) => Promise<Spot>;
}

export function fixedSpot(spot: Spot): Where {
  return { channel: spot.channel, open: async () => spot };
}

export interface ThreadMeans {
  readonly rest: Rest;
  readonly log: Logger;
  /** The channel of the question. */
  readonly parent: string;
  /** The question: the thread has its id. */
  readonly message: string;
  /** What is replied to where there can be no thread. */
  readonly replyTo: string;
  readonly title: string | undefined;
}

/** A day without a word. Unit: minutes. */
const archiveAfter = 1_440;

/** Any number of processes may open the thread at the same time: there is one for a message. */
export function threadSpot({ rest, log, parent, message, replyTo, title }: ThreadMeans): Where {
  let opening: Promise<Spot> | undefined;
  let opened: Spot | undefined;
  const channel: Spot = { channel: parent, replyTo, isSubstitute: true };
  const open = async (): Promise<Spot> => {
    const body = { name: threadName(title ?? ''), auto_archive_duration: archiveAfter };
    try {
      await rest({ method: 'POST', route: Routes.threads(parent, message), body });
    } catch (error) {
      if (codeOf(error) === RESTJSONErrorCodes.ThreadAlreadyCreatedForMessage) return { channel: message };
      if (!isRefused(error)) throw meaningOf(error);
      log.warn(
        { channel: parent, error: error.message },
        'No thread could be started: what belongs there is said in the channel. Does the bot have "Create Public Threads" and "Send Messages in Threads"?',
      );
      return channel;
    }
    return { channel: message };
  };
  const openOnce = async (): Promise<Spot> => {
    try {
      opened = await open();
      return opened;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };
  return {
    get channel() {
      return opened?.channel ?? message;
    },
    open(signal) {
      signal.throwIfAborted();
      opening ??= openOnce();
      return opening;
    },
    async instead() {
      log.warn(
        { channel: parent, thread: message },
        'The thread of a question is closed to the bot: what belongs there is said in the channel. Was it locked or deleted?',
      );
      return channel;
    },
  };
}
