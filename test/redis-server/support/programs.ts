/** Folders for PATH: small shell scripts in place of system programs, or the system's own without Redis. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from './docents.ts';

interface Programs {
  readonly PATH: string;
  /** The command lines so far, without options. */
  calls(): string[];
}

/** `scripts` are bodies for /bin/sh by program name; each call is written down before it runs. */
export function programs(scripts: Readonly<Record<string, string>>): Programs {
  const folder = newFolder();
  const log = path.join(folder, 'calls');
  writeFileSync(log, '');
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  for (const [name, body] of Object.entries(scripts)) {
    const file = path.join(bin, name);
    writeFileSync(file, `#!/bin/sh\necho "${name} $*" >> '${log}'\n${body}\n`);
    chmodSync(file, 0o755);
  }
  return {
    PATH: bin,
    calls: () => readFileSync(log, 'utf8').trim().split('\n').map(withoutOptions),
  };
}

/** Everything on the real PATH but Redis. */
export function pathWithoutRedis(): string {
  const bin = path.join(newFolder(), 'bin');
  mkdirSync(bin);
  chmodSync(path.dirname(bin), 0o755);
  const seen = new Set<string>();
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    for (const name of namesIn(folder)) {
      if (seen.has(name) || /^(?:redis|valkey)/.test(name)) continue;
      seen.add(name);
      symlinkSync(path.join(folder, name), path.join(bin, name));
    }
  }
  return bin;
}

function withoutOptions(line: string): string {
  return line.replaceAll(/ -o \S+| --?[\w-]+/g, '');
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // PATH may name folders that are not there.
  }
}
