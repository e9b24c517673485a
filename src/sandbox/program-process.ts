/** A process that waits for one program, runs it, and is killed: nothing of a run is left for the next one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { CodeResult } from '../ports/code.ts';
import type { Clock } from '../ports/runtime.ts';
import type { Frame, Job } from './pipe.ts';

export interface ProgramLimits {
  /** Unit: milliseconds. */
  readonly timeMs: number;
  /** Of the whole process, where the system tells it. Unit: bytes. */
  readonly memoryBytes: number;
  /** Unit: characters. */
  readonly outputChars: number;
}

const watchEveryMs = 50;

export class ProgramProcess {
  private readonly child: ChildProcess;
  private readonly ready: Promise<boolean>;
  private onFrame: (frame: Frame) => void = () => {};
  private onExit: () => void = () => {};
  private hasExited = false;

  constructor(
    command: readonly string[],
    private readonly clock: Clock,
  ) {
    const [program = '', ...args] = command;
    this.child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], env: {} });
    this.ready = new Promise((resolve) => {
      const end = () => {
        this.hasExited = true;
        resolve(false);
        this.onExit();
      };
      this.child.once('exit', end);
      this.child.once('error', end);
      this.onFrame = (frame) => resolve('ready' in frame);
    });
    this.child.stdin?.on('error', () => {}); // it has ended, and says so itself
    if (this.child.stdout !== null)
      createInterface({ input: this.child.stdout }).on('line', (line) => this.onFrame(frameOf(line)));
  }

  /** Whether it waits for a program; false when it could not be started. */
  isReady(): Promise<boolean> {
    return this.ready;
  }

  async run(job: Job, limits: ProgramLimits, signal: AbortSignal): Promise<CodeResult> {
    const from = this.clock.now();
    let output = '';
    let cancel = () => {};
    const watching = new AbortController();
    const ended = new Promise<CodeResult['ended']>((resolve, reject) => {
      this.onFrame = (frame) => {
        if ('text' in frame) {
          output = (output + frame.text).slice(0, limits.outputChars + 1);
          if (output.length > limits.outputChars) resolve('output');
        } else if ('end' in frame) resolve(frame.end);
      };
      this.onExit = () => resolve('broken');
      cancel = this.clock.after(limits.timeMs, () => resolve('time'));
      const stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      watching.signal.addEventListener('abort', () => signal.removeEventListener('abort', stop));
      if (signal.aborted) stop();
      if (this.hasExited) this.onExit();
      void this.watchMemory(limits.memoryBytes, watching.signal).then((isOver) => {
        if (isOver) resolve('memory');
      });
    });
    this.child.stdin?.write(`${JSON.stringify(job)}\n`);
    try {
      return { ended: await ended, output: output.slice(0, limits.outputChars), ms: this.clock.now() - from };
    } finally {
      cancel();
      watching.abort();
      this.kill();
    }
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  private async watchMemory(maxBytes: number, over: AbortSignal): Promise<boolean> {
    while (!over.aborted) {
      if ((await residentBytes(this.child.pid)) > maxBytes) return true;
      await this.clock.sleep(watchEveryMs, over).catch(() => {}); // it has ended
    }
    return false;
  }
}

/** 0 where the system does not tell. */
async function residentBytes(pid: number | undefined): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return 1_024 * Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** What a program sends in the place of a frame says nothing. */
function frameOf(line: string): Frame {
  try {
    const frame: unknown = JSON.parse(line);
    if (typeof frame !== 'object' || frame === null) return { text: '' };
    if ('text' in frame && typeof frame.text === 'string') return { text: frame.text };
    if ('ready' in frame) return { ready: true };
    if ('end' in frame && (frame.end === 'well' || frame.end === 'memory')) return { end: frame.end };
    return 'end' in frame ? { end: 'failed' } : { text: '' };
  } catch {
    return { text: '' };
  }
}
