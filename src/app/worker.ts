/** The worker role: runs turns, and what waits for a time. */
import { type CallId, type ConversationId, EventId } from '../domain/ids.ts';
import { receiveFile } from '../files/receive-file.ts';
import type { ReadEarlier } from '../ports/earlier.ts';
import type { FetchFile } from '../ports/files.ts';
import type { MarkUsed, OpenPlace } from '../ports/surface.ts';
import type { Tool } from '../ports/tool.ts';
import { startFileWorker } from '../queue/file-fetches.ts';
import { startPauseWorker } from '../queue/pause-timers.ts';
import { startReminderWorker } from '../queue/reminder-worker.ts';
import { startTurnWorker, type TurnWorker } from '../queue/turn-worker.ts';
import { wordsFor } from '../render/notices.ts';
import { giveUp } from '../turns/give-up.ts';
import { runTurn } from '../turns/run-turn.ts';
import { type App, turnServices } from './compose.ts';
import { deliverReminder } from './deliver-reminder.ts';
import { viewFor } from './reminder-view.ts';

/** How a worker deals with each platform, by the name of its surface. */
export interface Outlets {
  /** Speak. */
  readonly surfaces: ReadonlyMap<string, OpenPlace>;
  /** Get files. */
  readonly fetchers: ReadonlyMap<string, FetchFile>;
  /** Read what was said before. */
  readonly earlier: ReadonlyMap<string, ReadEarlier>;
  /** Show that a message was used. */
  readonly marks: ReadonlyMap<string, MarkUsed>;
  /** Write an instant so that everybody reads it by their own clock (milliseconds since 1970). */
  readonly times: ReadonlyMap<string, (at: number) => string>;
}

export interface RunningWorker {
  readonly turns: TurnWorker;
  readonly modelLine: string;
  drain(graceMs: number): Promise<void>;
  close(): Promise<void>;
}

export async function startWorker(
  app: App,
  {
    surfaces = new Map(),
    fetchers = new Map(),
    earlier = new Map(),
    marks = new Map(),
    times = new Map(),
  }: Partial<Outlets> = {},
  moreTools: readonly Tool[] = [],
): Promise<RunningWorker> {
  const { config, clock, log, redis, conversations, queue } = app;
  const { services, model } = await turnServices(app, { surfaces, earlier, marks, times }, moreTools);
  const turns = await startTurnWorker({
    connection: redis.connect('wait'),
    subscriber: redis.connect('wait'),
    queue,
    concurrency: config.turns.concurrency,
    lockMs: config.turns.lockMs,
    clock,
    log,
    async run(conversation, signal) {
      const from = clock.now();
      const left = await runTurn(services, conversation, signal);
      app.meter.time('turn', clock.now() - from);
      return left;
    },
    giveUp: (conversation) => giveUp(services, conversation),
    overdue: (before) => conversations.overdue(before),
    stopRequested: (conversation) => conversations.stopRequested(conversation),
  });
  const openQuestion = async (conversation: ConversationId, callId: CallId) => {
    const pause = await conversations.pauseOf(conversation);
    return pause?.callId === callId ? pause : undefined;
  };
  const pauses = startPauseWorker(redis.connect('wait'), app.timers, {
    async nudge(conversation, callId) {
      const pause = await openQuestion(conversation, callId);
      if (pause === undefined) return;
      const { turn, address } = pause;
      const ledger = conversations.ledger(conversation, turn);
      const screen = services.screens.open({
        conversation,
        turn,
        address,
        ledger,
        signal: new AbortController().signal,
      });
      await screen.tell(`nudge:${callId}`, wordsFor(address.locale).stillOpen);
    },
    async expire(conversation, callId) {
      const pause = await openQuestion(conversation, callId);
      if (pause === undefined) return;
      const item = {
        kind: 'timeout',
        id: EventId(`timeout:${callId}`),
        callId,
        address: pause.address,
      } as const;
      const appended = await conversations.append({ conversation, item, wanted: 'always' });
      if (appended === 'wake') await queue.wake(conversation);
    },
  });
  const reminders = await startReminderWorker({
    connection: redis.connect('wait'),
    records: app.reminders,
    alarms: app.alarms,
    clock,
    log,
    lockMs: config.turns.lockMs,
    onDue: (due) =>
      deliverReminder({ ...services, queue, viewFor: ({ reminder }) => viewFor(app, times, reminder) }, due),
  });
  const files = await startFileWorker({
    connection: redis.connect('wait'),
    log,
    receive: (file, isLast, signal) => receiveFile(file, isLast, { ...app, fetchers }, signal),
  });
  const leave = app.presence.announce(app.newId());
  return {
    turns,
    modelLine: model.line,
    drain: (graceMs) => turns.drain(graceMs),
    async close() {
      await leave();
      await Promise.all([turns.close(), pauses.close(), reminders.close(), files.close()]);
      await model.close();
    },
  };
}
