/** DeepTutor's labelled step in a Python process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { NotHere } from '../harness.ts';

export interface DeepTutor {
  /** Takes one sample. Unit: microseconds of CPU per character. */
  cpuPerCharacter(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Starts it; every sample reads one reply, given in pieces, `replies` times. Not here when Python or a package that DeepTutor imports is
 * missing. `DEEPTUTOR_PYTHON` names the interpreter, default `python3`.
 */
export async function startDeepTutor(
  source: string,
  work: { readonly texts: readonly string[]; readonly replies: number },
): Promise<DeepTutor | NotHere> {
  const python = process.env.DEEPTUTOR_PYTHON ?? 'python3';
  const program = fileURLToPath(new URL('deeptutor_step.py', import.meta.url));
  const child = spawn(python, [program, source], { stdio: ['pipe', 'pipe', 'inherit'] });
  const failed = once(child, 'error').then(([error]: unknown[]) => ({
    notHere: `${python}: ${String(error)}`,
  }));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const said = async () => String((await lines.next()).value ?? 'it ended without a word');
  const started = await Promise.race([said(), failed]);
  if (typeof started !== 'string') return started;
  if (started !== 'ready')
    return { notHere: `DeepTutor's labelled step does not run with ${python}: ${started}` };
  child.stdin.write(`${JSON.stringify(work)}\n`);
  return {
    async cpuPerCharacter() {
      child.stdin.write('sample\n');
      const answer = await said();
      if (!Number.isFinite(Number(answer))) throw new Error(`DeepTutor: ${answer}`);
      return Number(answer);
    },
    async close() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}
