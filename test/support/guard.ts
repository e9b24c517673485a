/** Programs that do not end with their parent by themselves: a small shell waits for the end of this process and ends them. */
import { spawn } from 'node:child_process';

/** Kills `pid` when this process is gone, however it ended; call the result when `pid` has ended by itself. */
export function endWithUs(pid: number): () => void {
  const shell = spawn('sh', ['-c', `cat >/dev/null; kill -9 ${pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.stdin.on('error', () => {}); // it is gone
  shell.unref();
  return () => void shell.kill('SIGKILL');
}
