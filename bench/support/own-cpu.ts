/** A CPU each for a server and for whoever calls it. */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/**
 * Whoever is woken over loopback is put on the CPU of whoever wakes it, if that is all there is to do: then the two take
 * turns, where a Redis in service works meanwhile. How often that happens is chance, and moves a rate by half. Does
 * nothing where there is one CPU, or no `taskset`.
 */
export function giveOwnCpu(server: number | undefined, callers: readonly (number | undefined)[]): void {
  const cpus = availableParallelism();
  if (cpus < 2) return;
  const keep = (pid: number | undefined, list: string) =>
    spawnSync('taskset', ['--all-tasks', '--pid', '--cpu-list', list, String(pid)], { stdio: 'ignore' });
  keep(server, String(cpus - 1));
  for (const caller of callers) keep(caller, cpus === 2 ? '0' : `0-${cpus - 2}`);
}
