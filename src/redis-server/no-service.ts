/** Debian starts the service of a package when it is installed. Docent runs a server of its own and wants no second one. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { runCommand } from './run-command.ts';
import { commandOnPath } from './server-program.ts';

const TIMEOUT_MS = 30_000;
/** The file Debian asks before it starts a service; 101 forbids it. Source: invoke-rc.d(8). */
const POLICY_FILE = '/usr/sbin/policy-rc.d';
const OURS = '# Written by Docent while it installs redis-server; can be removed.';

/** Runs an installation of redis-server so that its service neither starts now nor at the next boot. Needs root. */
export async function withoutServiceStart<T>(
  env: NodeJS.ProcessEnv,
  install: () => Promise<T>,
  policyFile = POLICY_FILE,
): Promise<T> {
  forbidServices(policyFile);
  try {
    return await install();
  } finally {
    allowServices(policyFile);
    await disableService(env);
  }
}

/** A policy that is there already stays: on container images it forbids services too. */
function forbidServices(policyFile: string): void {
  try {
    writeFileSync(policyFile, `#!/bin/sh\n${OURS}\nexit 101\n`, { mode: 0o755, flag: 'wx' });
  } catch {
    // It is there, or nothing can be written there, and then apt says so.
  }
}

/** Also removes what an installation that was killed has left behind. */
function allowServices(policyFile: string): void {
  if (existsSync(policyFile) && readFileSync(policyFile, 'utf8').includes(OURS)) rmSync(policyFile);
}

/** Fails silently: where there is no such tool or service, nothing starts it either. */
async function disableService(env: NodeJS.ProcessEnv): Promise<void> {
  if (commandOnPath('systemctl', env)) {
    await runCommand('systemctl', ['disable', '--now', 'redis-server'], { env, timeoutMs: TIMEOUT_MS });
  } else if (commandOnPath('update-rc.d', env)) {
    await runCommand('update-rc.d', ['redis-server', 'disable'], { env, timeoutMs: TIMEOUT_MS });
  }
}
