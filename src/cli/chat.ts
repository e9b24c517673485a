/** `docent chat`: one conversation in this terminal. Returns the exit code when the person leaves. */
import path from 'node:path';
import { startTerminal, type Terminal } from '../adapters/terminal/terminal.ts';
import { type App, compose } from '../app/compose.ts';
import { type Config, loadConfig } from '../config/load.ts';
import { ConfigError, TutorError } from '../domain/errors.ts';
import { type CallId, ConversationId, EventId, UserId } from '../domain/ids.ts';
import { type Answers, isQuestionCard } from '../domain/question.ts';
import { systemClock } from '../observe/clock.ts';
import { createLogger } from '../observe/logger.ts';
import type { Logger } from '../ports/runtime.ts';
import { runTurn } from '../turns/run-turn.ts';

/** An inbox item before it has an id and an author. */
type NewItem =
  | { readonly kind: 'message'; readonly content: string }
  | { readonly kind: 'answer'; readonly callId: CallId; readonly answers: Answers }
  | { readonly kind: 'stop' };

const conversation = ConversationId('term:local');
const person = UserId('term:you');

export async function chat(): Promise<number> {
  let app: App;
  let config: Config;
  try {
    const loaded = loadConfig(process.env);
    for (const warning of loaded.warnings) console.error(warning);
    config = loaded.config;
    const log = openLog(config);
    app = await compose(config, systemClock, log);
  } catch (error) {
    console.error(startFailure(error));
    return 1;
  }
  try {
    await new Chat(app, logFileOf(config)).run();
  } finally {
    await app.close();
  }
  return 0;
}

class Chat {
  private readonly terminal: Terminal;
  private readonly over: Promise<void>;
  private leave = () => {};
  private stopper = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly app: App,
    logFile: string,
  ) {
    this.over = new Promise((resolve) => (this.leave = resolve));
    this.terminal = startTerminal({
      input: process.stdin,
      output: process.stdout,
      isTty: process.stdin.isTTY && process.stdout.isTTY,
      clock: systemClock,
      logFile,
      onLine: (text) => void this.take({ kind: 'message', content: text }),
      onInterrupt: () => this.stopper.abort('user'),
      onEnd: () => this.leave(),
    });
  }

  async run(): Promise<void> {
    const onSignal = () => this.terminal.interrupt();
    process.on('SIGINT', onSignal);
    this.terminal.say(`Docent. ${this.app.modelLine}\n/help says what else there is; Ctrl-D leaves.`);
    this.terminal.ready();
    await this.over;
    this.stopper.abort('user');
    await this.running;
    process.off('SIGINT', onSignal);
    this.terminal.close();
  }

  /** Everything typed goes to the inbox; a turn is started only when none runs. */
  private async take(item: NewItem): Promise<void> {
    const said = await this.append(item);
    if (said === 'wake') this.running = this.work();
  }

  private append(item: NewItem): Promise<'wake' | 'queued' | 'duplicate'> {
    const { conversations, newId } = this.app.services;
    return conversations.append(conversation, { ...item, id: EventId(newId()), author: person });
  }

  /** Runs turns until nothing wants one. */
  private async work(): Promise<void> {
    const { services } = this.app;
    for (let more = true; more; ) {
      this.stopper = new AbortController();
      const emit = (event: Parameters<Terminal['show']>[0]) => this.terminal.show(event);
      const turn = await runTurn(services, conversation, emit, this.stopper.signal);
      more = turn?.more === true;
      if (turn?.outcome.kind === 'paused') more = await this.ask(turn.outcome);
      if (turn?.outcome.kind === 'error')
        services.log.error({ error: turn.outcome.error }, 'a turn ended with an error');
    }
    this.terminal.ready();
  }

  /** Shows the question of a paused turn; its answer, or the stop, is what the conversation does next. */
  private async ask(paused: { callId: CallId; question: unknown }): Promise<boolean> {
    const { callId, question } = paused;
    if (!isQuestionCard(question)) return false;
    const answers = await this.terminal.ask(question, this.stopper.signal);
    const at = new Date(systemClock.now()).toISOString();
    await this.append(
      answers === undefined
        ? { kind: 'stop' }
        : { kind: 'answer', callId, answers: { answers, by: person, at } },
    );
    return true;
  }
}

function logFileOf(config: Config): string {
  return path.join(config.dataFolder, 'docent.log');
}

/** Throws `ConfigError` when the data folder cannot be written. */
function openLog(config: Config): Logger {
  try {
    return createLogger(config.logLevel, logFileOf(config));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError([
      `DOCENT_DATA: expected a folder that can be written, got ${config.dataFolder} (${why}). Name another one.`,
    ]);
  }
}

function startFailure(error: unknown): string {
  if (error instanceof ConfigError) return `Docent cannot start with these settings:\n${error.message}`;
  if (error instanceof TutorError) return `Docent cannot start: ${error.message}. ${error.hint}`;
  return `Docent cannot start: ${error instanceof Error ? error.message : String(error)}`;
}
