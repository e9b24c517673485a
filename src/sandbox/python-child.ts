/** One Python program of a learner, in CPython for WebAssembly: the standard library and `plot`, nothing of this machine. */
import { constants, readFileSync } from 'node:fs';
import { harden } from './harden.ts';
import { capMemory } from './memory.ts';
import { readJob, send } from './pipe.ts';
import { fences, runner } from './python-fences.ts';

const maxBytes = 256 * 1024 * 1024;
const maxFileBytes = 64 * 1024 * 1024;

/** What is used of Pyodide. */
interface Python {
  runPython(code: string): unknown;
  setStdout(options: { write: (bytes: Uint8Array) => number }): void;
  setStderr(options: { write: (bytes: Uint8Array) => number }): void;
  setStdin(options: { stdin: () => string | undefined }): void;
  makeMemorySnapshot(): Uint8Array;
  readonly globals: { get(name: string): (...args: string[]) => string };
  readonly FS: { filesystems: { MEMFS: { expandFileStorage: (node: unknown, size: number) => void } } };
}

const [folder = '', snapshot = ''] = process.argv.slice(2);
capMemory(maxBytes);
// The permission model refuses it, and Pyodide asks it for constants only.
Reflect.defineProperty(process, 'binding', { value: () => ({ fs: constants }) });
const pyodide: { loadPyodide(options: object): Promise<Python> } = await import(`${folder}/pyodide.mjs`);

if (snapshot === '') {
  const made = await pyodide.loadPyodide({ indexURL: folder, _makeSnapshot: true });
  made.runPython(
    'import collections, decimal, fractions, itertools, json, math, random, re, statistics, zlib',
  );
  process.stdout.write(made.makeMemorySnapshot());
} else {
  const python = await pyodide.loadPyodide({ indexURL: folder, _loadSnapshot: readFileSync(snapshot) });
  limitFiles(python);
  const print = printer();
  python.setStdout({ write: print });
  python.setStderr({ write: print });
  python.runPython(fences);
  python.runPython(runner);
  const run = python.globals.get('run');
  // What is loaded at its first use is loaded now.
  python.runPython('import os, time; os.urandom(1); time.sleep(0.001)');
  harden(['performance', 'crypto']);
  send({ ready: true });
  const job = readJob();
  if (job !== undefined) {
    const lines = job.stdin === '' ? [] : job.stdin.replace(/\n$/, '').split('\n');
    python.setStdin({ stdin: () => lines.shift() });
    const ended = run(job.code);
    send({ end: ended === 'memory' || ended === 'well' ? ended : 'failed' });
  }
}

/** Files of the program live in the memory of this process. */
function limitFiles({ FS }: Python): void {
  const { MEMFS } = FS.filesystems;
  const { expandFileStorage } = MEMFS;
  let largest = 0;
  MEMFS.expandFileStorage = (node, size) => {
    largest += size;
    if (largest > maxFileBytes) throw new RangeError('the disk is full');
    expandFileStorage.call(MEMFS, node, size);
  };
}

function printer(): (bytes: Uint8Array) => number {
  const decoder = new TextDecoder();
  return (bytes) => {
    const text = decoder.decode(bytes, { stream: true });
    if (text !== '') send({ text });
    return bytes.length;
  };
}
