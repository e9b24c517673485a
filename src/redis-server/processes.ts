/** Which process is meant by a number in a file: process numbers are used again, and containers count their own. */
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/** Names one process among all that ever had its number. */
export interface ProcessMark {
  readonly pid: number;
  /** When it began, in the words of the system; only compared. */
  readonly began: string;
  /** The boot and process namespace in which `pid` counts. */
  readonly space: string;
}

/** The mark of a running process; `undefined` when there is none with this number, or only what is left of one. */
export function markOf(pid: number): ProcessMark | undefined {
  const began = beganAt(pid);
  return began === undefined ? undefined : { pid, began, space: ownSpace() };
}

/** `unknown` for a process of another container, or of before a restart of the machine: it cannot be seen from here. */
export function stateOf(mark: ProcessMark): 'running' | 'gone' | 'unknown' {
  if (mark.space !== ownSpace()) return 'unknown';
  return beganAt(mark.pid) === mark.began ? 'running' : 'gone';
}

/** A mark out of JSON text or a parsed value; `undefined` when it is none. */
export function readMark(source: unknown): ProcessMark | undefined {
  const value = typeof source === 'string' ? parsed(source) : source;
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('pid' in value && 'began' in value && 'space' in value)) return undefined;
  const { pid, began, space } = value;
  if (typeof pid !== 'number' || typeof began !== 'string' || typeof space !== 'string') return undefined;
  return { pid, began, space };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A file that was cut off while it was written.
  }
}

const onLinux = process.platform === 'linux';

function beganAt(pid: number): string | undefined {
  try {
    return onLinux ? beganOnLinux(pid) : beganElsewhere(pid);
  } catch {
    return undefined; // There is no such process.
  }
}

/** Clock ticks since boot: field 22 of proc(5) `stat`, counted behind the name, which may hold spaces and brackets. */
function beganOnLinux(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return isOver(fields[0]) ? undefined : fields[19];
}

function beganElsewhere(pid: number): string | undefined {
  const line = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  return isOver(line[0]) ? undefined : line.replace(/^\S+\s+/, '');
}

/** Zombies keep their number until somebody collects them, which in a container can be never. */
function isOver(state: string | undefined): boolean {
  return state === 'Z' || state === 'X';
}

function ownSpace(): string {
  if (!onLinux) return process.platform;
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
}
