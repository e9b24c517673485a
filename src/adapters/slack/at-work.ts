/** The sign that somebody is at work: Slack's status line, or an emoji on the question where there is none. */
import type { Clock, Logger } from '../../ports/runtime.ts';
import { isRefused } from './failures.ts';
import { atWork } from './status-words.ts';
import type { Arguments, WebFor } from './web.ts';

export interface AtWorkMeans {
  readonly webFor: WebFor;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface WorkPlace {
  readonly team: string;
  readonly channel: string;
  /** First message of the thread in which the answer stands. */
  readonly thread: string;
  readonly question: string | undefined;
  readonly locale: string | undefined;
  /** What the thread is called from now on, where it is one of Slack's list of talks with the bot. */
  readonly title: string | undefined;
}

/** Slack takes the line away after two minutes. Unit: milliseconds. */
const sayAgainMs = 90_000;
const maxTitle = 200;
const emoji = 'eyes';

/** Until the returned function is called. Only for show: nothing waits for it, and a failure is only logged. */
export function showWork({ webFor, clock, log }: AtWorkMeans, place: WorkPlace): () => void {
  const { team, channel, thread, question, locale, title } = place;
  let isOver = false;
  let isMarked = false;
  let cancel = () => {};

  const call = async (method: string, args: Arguments): Promise<void> => {
    const web = await webFor(team);
    await web(method, args);
  };
  const say = (status: string) =>
    call('assistant.threads.setStatus', { channel_id: channel, thread_ts: thread, status });
  const mark = (method: 'reactions.add' | 'reactions.remove') =>
    call(method, { channel, timestamp: question, name: emoji });

  const show = async (): Promise<void> => {
    try {
      await say(atWork(locale));
      if (!isOver) cancel = clock.after(sayAgainMs, () => void show());
    } catch (error) {
      if (!isRefused(error) || question === undefined || isMarked || isOver) throw error;
      isMarked = true;
      await mark('reactions.add');
    }
  };
  const quietly = (act: Promise<void>): Promise<void> =>
    act.catch((error: unknown) => log.debug({ error, channel }, 'a sign of work could not be shown'));

  const shown = quietly(show());
  if (title !== undefined) {
    const named = { channel_id: channel, thread_ts: thread, title: title.slice(0, maxTitle) };
    void quietly(call('assistant.threads.setTitle', named));
  }
  return () => {
    if (isOver) return;
    isOver = true;
    cancel();
    // In this order, or the line would stand there for good.
    void shown.then(() => quietly(isMarked ? mark('reactions.remove') : say('')));
  };
}
