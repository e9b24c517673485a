/** `docent chat`: one conversation in this terminal, with the Docent that runs in the data folder or one of its own. */
import path from 'node:path';
import { startTerminal, type Terminal } from '../adapters/terminal/terminal.ts';
import { type App, closeApp, composeApp } from '../app/compose.ts';
import { openRedis } from '../app/redis.ts';
import type { RunningWorker } from '../app/worker.ts';
import type { Config } from '../config/load.ts';
import { type CallId, ConversationId, EventId, UserId } from '../domain/ids.ts';
import type { InboxItem } from '../domain/inbound.ts';
import { isQuestionCard } from '../domain/question.ts';
import type { TurnEvent } from '../domain/turn.ts';
import { type Accept, acceptInbound } from '../intake/accept.ts';
import { systemClock } from '../observe/clock.ts';
import type { Logger } from '../ports/runtime.ts';
import { openLog } from './open-log.ts';
import { readConfig } from './read-config.ts';
import { startFailure } from './start-failure.ts';

const conversation = ConversationId('term:local');
const person = UserId('term:you');
const address = { surface: 'term', place: 'local' };

/** Returns the exit code when the person leaves. */
export async function chat(): Promise<number> {
  try {
    const config = readConfig();
    const log = openLog(config);
    const redis = await openRedis(config, systemClock, log, (line) => console.error(line));
    return await chatOver(composeApp(config, redis, systemClock, log), log);
  } catch (error) {
    console.error(startFailure(error));
    return 1;
  }
}

/** Without a worker anywhere this process is one. */
async function chatOver(app: App, log: Logger): Promise<number> {
  let worker: RunningWorker | undefined;
  try {
    if ((await app.presence.workers()) === 0) {
      const { startWorker } = await import('../app/worker.ts');
      worker = await startWorker(app, new Map());
    }
    await chatIn(app, worker?.modelLine ?? 'Another Docent in this folder does the work.');
    return 0;
  } finally {
    await worker?.drain(0);
    await worker?.close();
    await closeApp(app);
    log.info({}, 'chat ended');
  }
}

/** One conversation at the terminal until the person leaves. */
export async function chatIn(app: App, line: string): Promise<void> {
  const { config } = app;
  await new Chat(app, config).run(line);
}

class Chat {
  private readonly terminal: Terminal;
  private readonly accept: Accept;
  private readonly over = new AbortController();
  private asking: { callId: CallId; abort: AbortController } | undefined;

  constructor(
    private readonly app: App,
    config: Config,
  ) {
    this.accept = acceptInbound(app);
    this.terminal = startTerminal({
      input: process.stdin,
      output: process.stdout,
      isTty: process.stdin.isTTY && process.stdout.isTTY,
      clock: systemClock,
      logFile: path.join(config.dataFolder, 'docent.log'),
      onLine: (text) => void this.send({ kind: 'message', content: text }),
      onInterrupt: () => void this.send({ kind: 'stop' }),
      onEnd: () => this.over.abort(),
    });
  }

  async run(line: string): Promise<void> {
    const onSignal = () => this.terminal.interrupt();
    process.on('SIGINT', onSignal);
    const onEvents = (events: readonly TurnEvent[]) => events.forEach((event) => this.show(event));
    const { done } = await this.app.live.follow(conversation, onEvents, this.over.signal);
    this.terminal.say(`Docent. ${line}\n/help says what else there is; Ctrl-D leaves.`);
    const open = await this.app.conversations.pauseOf(conversation);
    if (open === undefined) this.terminal.ready();
    else this.ask(open.callId, open.question);
    await done;
    process.off('SIGINT', onSignal);
    this.terminal.close();
  }

  private show(event: TurnEvent): void {
    if (event.type === 'question.opened') return this.ask(event.callId, event.question);
    if (event.type === 'question.closed' && this.asking?.callId === event.callId) this.asking.abort.abort();
    this.terminal.show(event);
    if (event.type === 'turn.ended' && event.outcome.kind !== 'paused') this.terminal.ready();
  }

  /** Shows a question once, however often it is told. */
  private ask(callId: CallId, question: unknown): void {
    if (this.asking?.callId === callId || !isQuestionCard(question)) return;
    this.terminal.show({ type: 'question.opened', callId, question });
    const abort = new AbortController();
    this.asking = { callId, abort };
    void this.terminal.ask(question, abort.signal).then(async (answers) => {
      const at = new Date(systemClock.now()).toISOString();
      if (answers !== undefined)
        await this.send({ kind: 'answer', callId, answers: { answers, by: person, at } });
      // Nobody is left to answer here. The question stays open, for whoever comes back.
      else if (!abort.signal.aborted) this.over.abort();
    });
  }

  private async send(said: Said): Promise<void> {
    const item: InboxItem = { ...said, id: EventId(this.app.newId()), author: person, address };
    const result = await this.accept({ conversation, item, wanted: 'always' });
    if (said.kind === 'stop' && result === 'idle') this.terminal.ready();
  }
}

/** An inbox item before it has an id, an author and a place. */
type Said =
  | { readonly kind: 'message'; readonly content: string }
  | {
      readonly kind: 'answer';
      readonly callId: CallId;
      readonly answers: Extract<InboxItem, { kind: 'answer' }>['answers'];
    }
  | { readonly kind: 'stop' };
