/** `docent chat`: one conversation in this terminal, with the Docent that runs in the data folder or one of its own. */
import path from 'node:path';
import { startTerminal, type Terminal } from '../adapters/terminal/terminal.ts';
import { type App, closeApp, composeApp, remindersOf, zoneOf } from '../app/compose.ts';
import { openRedis } from '../app/redis.ts';
import { answerCommand } from '../commands/answer-command.ts';
import { plainDialect } from '../commands/plain-dialect.ts';
import { readCommandLine } from '../commands/read-command-line.ts';
import { inWords } from '../domain/controls.ts';
import { type CallId, ConversationId, EventId, UserId } from '../domain/ids.ts';
import type { InboxItem } from '../domain/inbound.ts';
import { type Answers, isQuestionCard } from '../domain/question.ts';
import type { TurnEvent } from '../domain/turn.ts';
import { type Accept, acceptInbound } from '../intake/accept.ts';
import { systemClock } from '../observe/clock.ts';
import { keepUntilStored } from './keep-until-stored.ts';
import { openLog } from './open-log.ts';
import { readConfig } from './read-config.ts';
import { standIn } from './stand-in.ts';
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
    const app = composeApp(config, redis, systemClock, log);
    try {
      // Whenever no worker lives, this process is one.
      const worker = await standIn(app);
      try {
        await chatIn(app, worker.line);
      } finally {
        await worker.leave();
      }
    } finally {
      await closeApp(app);
      log.info({}, 'chat ended');
    }
    return 0;
  } catch (error) {
    console.error(startFailure(error));
    return 1;
  }
}

/** One conversation at the terminal until the person leaves or the signal fires. `line` says who does the work. */
export async function chatIn(app: App, line: string, signal?: AbortSignal): Promise<void> {
  await new Chat(app, signal).run(line);
}

class Chat {
  private readonly terminal: Terminal;
  private readonly accept: Accept;
  private readonly store: ReturnType<typeof keepUntilStored>;
  private readonly over = new AbortController();
  private asking: { readonly callId: CallId; readonly abort: AbortController } | undefined;
  private answered: CallId | undefined;
  private isTurnOpen = false;

  constructor(
    private readonly app: App,
    signal?: AbortSignal,
  ) {
    signal?.addEventListener('abort', () => this.over.abort(), { once: true });
    this.accept = acceptInbound(app);
    this.store = keepUntilStored({
      accept: (item) => this.accept({ conversation, item, wanted: 'always' }),
      onAway: () =>
        this.terminal.show({ type: 'told', text: 'Redis is away. I keep what you wrote until it is back.' }),
      clock: systemClock,
      log: app.log,
      signal: this.over.signal,
    });
    this.terminal = startTerminal({
      input: process.stdin,
      output: process.stdout,
      isTty: process.stdin.isTTY && process.stdout.isTTY,
      clock: systemClock,
      logFile: path.join(app.config.dataFolder, 'docent.log'),
      onLine: (text) => void this.take(text),
      onInterrupt: () => void this.send({ kind: 'stop' }),
      onEnd: () => this.over.abort(),
    });
  }

  async run(line: string): Promise<void> {
    const onInterrupt = () => this.terminal.interrupt();
    const onTerminate = () => this.over.abort();
    process.on('SIGINT', onInterrupt);
    process.on('SIGTERM', onTerminate);
    try {
      await this.talk(line);
    } finally {
      // Also after a fault: an open terminal would keep a process that can do nothing any more.
      this.over.abort();
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
      this.terminal.close();
    }
  }

  private async talk(line: string): Promise<void> {
    const onEvents = (events: readonly TurnEvent[]) => events.forEach((event) => this.show(event));
    // It is the clock of this machine that one sees here.
    await this.app.people.noteProfile(person, { platformZone: this.app.config.defaultZone });
    const { done } = await this.app.live.follow(conversation, onEvents, this.over.signal);
    this.terminal.say(`Docent. ${line}\n/help says what else there is; Ctrl-D leaves.`);
    const { conversations } = this.app;
    const open = await conversations.pauseOf(conversation);
    if (open !== undefined) this.ask(open.callId, open.question);
    else if (await conversations.isBusy(conversation))
      this.terminal.say('An unfinished answer goes on in a moment.');
    else this.terminal.ready();
    await done;
    await this.accept.settled();
  }

  private show(event: TurnEvent): void {
    if (event.type === 'question.opened') return this.ask(event.callId, event.question);
    if (event.type === 'question.closed' && this.asking?.callId === event.callId) this.asking.abort.abort();
    this.terminal.show(event);
    const isOver = event.type === 'turn.ended' && event.outcome.kind !== 'paused';
    // A line outside of any turn, a refusal say, is all there will be.
    const isAll = event.type === 'told' && !this.isTurnOpen && this.asking === undefined;
    if (event.type !== 'told') this.isTurnOpen = !isOver;
    if (isOver || isAll) this.terminal.ready();
  }

  /** Shows a question once, however often it is told; what happened before this chat may tell of it after the answer. */
  private ask(callId: CallId, question: unknown): void {
    if (this.asking?.callId === callId || this.answered === callId || !isQuestionCard(question)) return;
    this.terminal.show({ type: 'question.opened', callId, question });
    const asking = { callId, abort: new AbortController() };
    this.asking = asking;
    void this.terminal.ask(question, asking.abort.signal).then(async (answers) => {
      if (this.asking === asking) this.asking = undefined;
      if (answers !== undefined) this.answered = callId;
      const at = new Date(systemClock.now()).toISOString();
      if (answers !== undefined)
        await this.send({ kind: 'answer', callId, answers: { answers, by: person, at } });
      // Nobody is left to answer here. The question stays open, for whoever comes back.
      else if (!asking.abort.signal.aborted) this.over.abort();
    });
  }

  private async take(text: string): Promise<void> {
    const command = readCommandLine(text);
    if (command === undefined) return this.send({ kind: 'message', content: text });
    const { app } = this;
    const by = { person, key: `command:${app.newId()}`, conversation, address };
    const means = { ...app, reminders: remindersOf(app), defaultZone: app.config.defaultZone };
    try {
      const { zone } = await zoneOf(app, person);
      const answer = await answerCommand(command, by, plainDialect(zone), means);
      this.show({ type: 'told', text: inWords(answer) });
    } catch (error) {
      app.log.warn({ error, command: command.name }, 'a command failed');
      this.show({ type: 'told', text: 'I cannot do that right now. Try again in a moment.' });
    }
  }

  private async send(said: Said): Promise<void> {
    const item: InboxItem = { ...said, id: EventId(this.app.newId()), author: person, address };
    const result = await this.store(item);
    if (said.kind === 'stop' && result === 'idle') this.terminal.ready();
  }
}

/** An inbox item before it has an id, an author and a place. */
type Said =
  | { readonly kind: 'message'; readonly content: string }
  | { readonly kind: 'answer'; readonly callId: CallId; readonly answers: Answers }
  | { readonly kind: 'stop' };
