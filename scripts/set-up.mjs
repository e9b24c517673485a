// What `npm start` and `npm test` do first on a fresh clone: check Node, install, build. Plain JavaScript on Node's own
// modules, because nothing is installed yet when it runs.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => path.join(root, ...parts);

/** Ends the process with one sentence that says what to do. */
export function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Installs the exact versions of the lock file when they are not there or are others. */
export function ensureInstalled() {
  checkNode();
  const installed = at('node_modules', '.package-lock.json');
  if (existsSync(installed) && mtime(installed) >= mtime(at('package-lock.json'))) return;
  console.error('Installing packages (once, about half a minute) …');
  run(
    'npm',
    ['ci', '--no-audit', '--no-fund', '--loglevel=error'],
    'Installing failed. Check the network connection to the npm registry, then run the command again.',
  );
}

/** Builds dist when it is older than the sources. */
export function ensureBuilt() {
  const built = at('dist', 'cli.js');
  const inputs = [at('package-lock.json'), at('scripts', 'build.mjs'), ...filesBelow(at('src'))];
  if (existsSync(built) && inputs.every((file) => mtime(file) <= mtime(built))) return;
  run(
    process.execPath,
    [at('scripts', 'build.mjs')],
    'Building failed; the lines above say where. Undo local changes to src, or run npm run check.',
  );
}

/** Gets Chromium for the tests of the page, where that takes no more than asking; else they say that they are not run. */
export function ensureBrowser() {
  const isThere = (name) => spawnSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status === 0;
  if (['chromium', 'chromium-browser', 'google-chrome'].some(isThere)) return;
  if (process.getuid?.() !== 0 || !isThere('apt-get')) return;
  console.error('Installing Chromium for the tests of the page (once, about a minute) …');
  const apt = (...args) => spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 2] });
  apt('update', '-qq');
  apt('install', '-y', '-qq', '--no-install-recommends', 'chromium');
}

/** Runs a command in the project folder and passes its exit code on; its output goes where ours goes. */
export function run(command, args, failure) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['inherit', 2, 2] });
  if (error !== undefined || status !== 0) stop(failure);
}

function checkNode() {
  const wanted = JSON.parse(readFileSync(at('package.json'), 'utf8')).engines.node.replace('>=', '');
  const numbers = (version) => version.split('.').map(Number);
  const [major, minor] = numbers(process.versions.node);
  const [wantedMajor, wantedMinor] = numbers(wanted);
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  stop(
    `Docent needs Node.js ${wanted} or newer, this is ${process.versions.node}. Install a newer one from your system or nodejs.org and run the command again.`,
  );
}

function mtime(file) {
  return statSync(file).mtimeMs;
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
}
