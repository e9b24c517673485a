/** `docent start`: the roles of this process, until somebody ends it. At a terminal the chat is part of it. */
import { EventEmitter } from 'node:events';
import { type Part, runUntilStopped } from '../app/lifecycle.ts';
import { rolesOf } from '../app/roles.ts';
import type { Role } from '../config/role.ts';
import { systemClock } from '../observe/clock.ts';
import { createLogger } from '../observe/logger.ts';
import { chatIn } from './chat.ts';
import { mayLook, withLocalModel } from './look-for-model.ts';
import { openLog } from './open-log.ts';
import { readConfig } from './read-config.ts';
import { startFailure } from './start-failure.ts';

/** Returns the exit code. */
export async function start(role: Role): Promise<number> {
  const isTty = process.stdin.isTTY && process.stdout.isTTY;
  try {
    const settings = readConfig(role);
    const config = mayLook(settings, process.env, isTty) ? await withLocalModel(settings) : settings;
    // Somebody who looks at a terminal wants the conversation there; a service logs to standard output.
    const withChat = role === 'all' && isTty;
    const log = withChat ? openLog(config) : createLogger(config.logLevel);
    const say = (line: string) => console.error(line);
    const { parts, app } = await rolesOf(role, config, systemClock, log, say);
    const signals = new ProcessSignals();
    const leaving = new AbortController();
    let talking: Promise<void> | undefined;
    const chat: Part = {
      name: 'chat',
      async start() {
        talking = chatIn(app(), 'Everything runs in this process.', leaving.signal);
        void talking.then(() => signals.emit('SIGTERM', 'SIGTERM'));
      },
      async stop() {
        leaving.abort();
        await talking;
      },
    };
    const ready: Part = { name: 'ready', start: async () => say('Docent is ready.'), stop: async () => {} };
    return await runUntilStopped({
      parts: [...parts, ready, ...(withChat ? [chat] : [])],
      signals: withChat ? signals : process,
      log,
      clock: systemClock,
    });
  } catch (error) {
    console.error(startFailure(error));
    return 1;
  }
}

/** The chat understands Ctrl-C itself; only its end, or a SIGTERM from outside, ends the process. */
class ProcessSignals extends EventEmitter {
  constructor() {
    super();
    process.on('SIGTERM', () => this.emit('SIGTERM', 'SIGTERM'));
    for (const fault of ['uncaughtException', 'unhandledRejection'])
      process.on(fault, (error) => this.emit(fault, error));
  }

  exit(code: number): void {
    process.exit(code);
  }
}
