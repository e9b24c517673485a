// `npm start`: everything a fresh clone needs, then the product. Arguments go to it: `npm start -- --help`.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { ensureBuilt, ensureInstalled, root } from './set-up.mjs';

ensureInstalled();
ensureBuilt();
const args = process.argv.slice(2);
const child = spawn(
  process.execPath,
  [path.join(root, 'dist', 'cli.js'), ...(args.length > 0 ? args : ['start'])],
  {
    stdio: 'inherit',
  },
);
// The terminal sends Ctrl-C to both; the product decides what it means.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => signal === 'SIGTERM' && child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 130)));
