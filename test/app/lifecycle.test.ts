import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Part, runUntilStopped } from '../../src/app/lifecycle.ts';
import { manualClock } from '../support/clock.ts';

const never = () => new Promise<void>(() => {});

/** A process of three parts, and everything that happens to it in order. */
function process3(changes: Readonly<Record<string, Partial<Part>>> = {}) {
  const clock = manualClock();
  const signals = new EventEmitter();
  const happened: string[] = [];
  const note = (line: string) => void happened.push(line);
  const write = (_: object, message: string) => note(`log: ${message}`);
  const part = (name: string): Part => ({
    name,
    start: async () => note(`start ${name}`),
    drain: async (graceMs) => note(`drain ${name} (${graceMs} ms)`),
    stop: async () => note(`stop ${name}`),
    ...changes[name],
  });
  const ended = runUntilStopped({
    parts: ['redis', 'worker', 'gateway'].map(part),
    signals: Object.assign(signals, { exit: (code: number) => note(`exit ${code}`) }),
    log: { debug: write, info: write, warn: write, error: write },
    clock,
  });
  ended.catch(() => {}); // each test looks at it in its own time
  const started = () => clock.advance(0);
  return { ended, signals, happened, clock, note, started };
}

const stopping = 'log: Stopping: what runs may end first. A second signal stops at once.';

test.each(['SIGTERM', 'SIGINT'])('after %s the parts drain and stop from last to first', async (signal) => {
  const { ended, signals, happened, started } = process3();
  await started();
  expect(happened.splice(0)).toEqual(['start redis', 'start worker', 'start gateway']);
  signals.emit(signal, signal);
  expect(await ended).toBe(0);
  expect(happened).toEqual([
    stopping,
    'drain gateway (15000 ms)',
    'drain worker (15000 ms)',
    'drain redis (15000 ms)',
    'stop gateway',
    'stop worker',
    'stop redis',
    'log: Stopped.',
  ]);
  expect(signals.eventNames()).toEqual([]);
});

test('a part starts when the one before it has', async () => {
  const { happened, clock } = process3({ redis: { start: never } });
  await clock.advance(60_000);
  expect(happened).toEqual([]);
});

test('a part that cannot start is told after those before it have stopped', async () => {
  const { ended, happened } = process3({ gateway: { start: () => Promise.reject(new Error('no token')) } });
  await expect(ended).rejects.toThrow('no token');
  expect(happened).toEqual(['start redis', 'start worker', 'stop worker', 'stop redis']);
});

test('a signal while a part starts stops that part too, and starts no other', async () => {
  const { ended, signals, happened, started } = process3({ worker: { start: never } });
  await started();
  signals.emit('SIGTERM', 'SIGTERM');
  expect(await ended).toBe(0);
  expect(happened).toEqual([
    'start redis',
    stopping,
    'drain worker (15000 ms)',
    'drain redis (15000 ms)',
    'stop worker',
    'stop redis',
    'log: Stopped.',
  ]);
});

test('what takes long to drain shortens the time of the next; nothing holds the process for more than its limit', async () => {
  const { ended, signals, happened, clock, note } = process3({
    gateway: { drain: () => clock.sleep(8_000) },
    worker: {
      drain: (graceMs) => {
        note(`drain worker (${graceMs} ms)`);
        return never();
      },
      stop: never,
    },
  });
  await clock.advance(0);
  happened.length = 0;
  signals.emit('SIGTERM', 'SIGTERM');
  await clock.advance(30_000);
  expect(await ended).toBe(0);
  expect(happened).toEqual([
    stopping,
    'drain worker (7000 ms)',
    'log: worker: drain takes too long, going on.',
    'drain redis (0 ms)',
    'stop gateway',
    'log: worker: stop takes too long, going on.',
    'stop redis',
    'log: Stopped.',
  ]);
  expect(clock.pending()).toEqual([]);
});

test('a part that fails to drain or stop does not keep the others', async () => {
  const fails = () => Promise.reject(new Error('connection is closed'));
  const { ended, signals, happened, started } = process3({ worker: { drain: fails, stop: fails } });
  await started();
  happened.length = 0;
  signals.emit('SIGTERM', 'SIGTERM');
  expect(await ended).toBe(0);
  expect(happened).toEqual([
    stopping,
    'drain gateway (15000 ms)',
    'log: worker: drain failed, going on.',
    'drain redis (15000 ms)',
    'stop gateway',
    'log: worker: stop failed, going on.',
    'stop redis',
    'log: Stopped.',
  ]);
});

test('a second signal ends the process at once', async () => {
  const { signals, happened, started, clock } = process3({ worker: { drain: never } });
  await started();
  signals.emit('SIGINT', 'SIGINT');
  await started();
  happened.length = 0;
  // The same signal once more, passed on by whoever started us: it is no second wish.
  signals.emit('SIGINT', 'SIGINT');
  expect(happened).toEqual([]);
  await clock.advance(1_000);
  signals.emit('SIGINT', 'SIGINT');
  expect(happened).toEqual(['log: Stopping at once.', 'exit 1']);
});

test.each(['uncaughtException', 'unhandledRejection'])(
  '%s stops everything without draining',
  async (event) => {
    const { ended, signals, happened, started } = process3();
    await started();
    happened.length = 0;
    signals.emit(event, new Error('a bug'));
    expect(await ended).toBe(1);
    expect(happened).toEqual([
      'log: An error that nobody caught: this process stops.',
      'stop gateway',
      'stop worker',
      'stop redis',
      'log: Stopped.',
    ]);
  },
);

test('an error that nobody caught while stopping is told in the exit code as well', async () => {
  const { ended, signals, started } = process3({
    worker: { stop: async () => void signals.emit('unhandledRejection', new Error('a bug')) },
  });
  await started();
  signals.emit('SIGTERM', 'SIGTERM');
  expect(await ended).toBe(1);
});

describe('a real process', () => {
  const from = (file: string) => JSON.stringify(path.resolve(file));
  const script = (fault: string) => `
    const { runUntilStopped } = await import(${from('src/app/lifecycle.ts')});
    const { systemClock } = await import(${from('src/observe/clock.ts')});
    const say = (_, message) => console.log(message);
    const log = { debug: say, info: say, warn: say, error: say };
    let timer;
    const work = {
      name: 'work',
      start: async () => { timer = setInterval(() => {}, 1000); console.log('started'); ${fault} },
      stop: async () => { clearInterval(timer); console.log('stopped work'); },
    };
    process.exit(await runUntilStopped({ parts: [work], signals: process, log, clock: systemClock }));`;

  async function run(fault: string, onStart: (pid: number) => void) {
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script(fault)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (data) => {
      const isFirst = output === '';
      output += data;
      if (isFirst && child.pid !== undefined) onStart(child.pid);
    });
    const [code] = await once(child, 'close');
    return { code, lines: output.trim().split('\n') };
  }

  test('exits with 0 after SIGTERM', async () => {
    const { code, lines } = await run('', (pid) => process.kill(pid, 'SIGTERM'));
    expect([code, lines.at(-2), lines.at(-1)]).toEqual([0, 'stopped work', 'Stopped.']);
  }, 20_000);

  test('exits with 1 after a rejection that nobody handled, and says so', async () => {
    const { code, lines } = await run('Promise.reject(new Error("a bug"));', () => {});
    expect([code, ...lines]).toEqual([
      1,
      'started',
      'An error that nobody caught: this process stops.',
      'stopped work',
      'Stopped.',
    ]);
  }, 20_000);
});
