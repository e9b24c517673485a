// `npm test`: everything a fresh clone needs, then all tests. Arguments go to the runner: `npm test -- test/loop`.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensureBrowser, ensureBuilt, ensureInstalled, root } from './set-up.mjs';

ensureInstalled();
ensureBuilt();
const named = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));
if (named.length === 0 || named.some((arg) => arg.includes('web'))) ensureBrowser();
const runner = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(process.execPath, [runner, 'run', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
