// Imports point down only, and an outside package has one home. The picture is in docs/architecture.md.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** What each folder of src may import, besides itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  maths: [],
  time: ['domain'],
  reminders: ['domain', 'ports', 'time'],
  ports: ['domain'],
  observe: ['domain', 'ports'],
  config: ['domain'],
  intake: ['domain', 'ports'],
  loop: ['domain', 'ports'],
  tools: ['domain', 'ports', 'reminders', 'time'],
  commands: ['domain', 'ports', 'reminders', 'time'],
  capabilities: ['domain', 'ports', 'loop', 'maths'],
  model: ['domain', 'ports', 'maths'],
  store: ['domain', 'ports'],
  queue: ['domain', 'ports', 'time'],
  files: ['domain', 'ports'],
  pages: ['domain', 'ports', 'files'],
  sandbox: ['ports'],
  turns: ['domain', 'ports', 'loop', 'tools', 'capabilities', 'render', 'files'],
  gateway: ['domain', 'ports', 'intake'],
  'adapters/discord': ['domain', 'ports', 'delivery', 'render', 'gateway'],
  'adapters/slack': ['domain', 'ports', 'render', 'gateway'],
  'adapters/terminal': ['domain', 'ports', 'render'],
  'adapters/web': ['domain', 'ports', 'intake', 'files'],
  delivery: ['domain', 'ports'],
  render: ['domain', 'ports', 'delivery'],
  'redis-server': ['domain', 'ports'],
  app: ['*'],
  cli: ['*'],
};

/** Where each outside package may be imported. */
const homes: Readonly<Record<string, readonly string[]>> = {
  openai: ['model'],
  zod: ['adapters/discord', 'adapters/slack', 'adapters/web', 'config', 'model', 'queue', 'store', 'tools'],
  'discord.js': ['adapters/discord'],
  '@slack/bolt': ['adapters/slack'],
  '@slack/web-api': ['adapters/slack'],
  pino: ['observe'],
  'prom-client': ['observe'],
  'mdast-util-from-markdown': ['adapters/discord', 'adapters/slack', 'adapters/web', 'render'],
  'mdast-util-gfm': ['adapters/web', 'render'],
  'micromark-extension-gfm': ['adapters/web', 'render'],
  mdast: ['adapters/discord', 'adapters/slack', 'adapters/web', 'render'],
  hono: ['adapters/web', 'observe'],
  '@hono/node-server': ['observe'],
  commander: ['cli'],
  jsep: ['maths'],
  'fraction.js': ['maths'],
  ioredis: ['queue', 'redis-server', 'store'],
  bullmq: ['queue'],
  'rate-limiter-flexible': ['store'],
  luxon: ['time'],
  'cron-parser': ['time'],
  'chrono-node': ['time'],
  katex: ['adapters/web'],
  lowlight: ['adapters/web'],
  'mdast-util-math': ['adapters/web'],
  'mdast-util-to-hast': ['adapters/web'],
  'hast-util-sanitize': ['adapters/web'],
  'micromark-extension-math': ['adapters/web'],
  unpdf: ['files'],
  'quickjs-emscripten-core': ['sandbox'],
  '@jitl/quickjs-wasmfile-release-sync': ['sandbox'],
  defuddle: ['files'],
  linkedom: ['files'],
  undici: ['pages'],
  'ipaddr.js': ['pages'],
  hast: ['adapters/web'],
};

/** Words that must not stand in the loop: it knows no platform, no queue and no tool. */
const foreignToLoop =
  /discord|slack|telegram|readline|redis|bullmq|ask_user|web_fetch|write_memory|\bcron\b/i;

/** Folders that may name a platform outside of comments. */
const knowsPlatforms = /^(?:adapters|app|cli|config)\//;

interface Import {
  readonly from: string;
  readonly to: string;
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);
const imports = files.flatMap(importsOf);

test('imports between folders point down', () => {
  const wrong = imports.filter(({ from, to }) => {
    if (!to.startsWith('.')) return false;
    const target = folderOf(path.posix.join(path.posix.dirname(from), to));
    const own = folderOf(from);
    const allowed = mayImport[own];
    if (allowed === undefined) return true;
    return target !== own && !allowed.includes(target) && !allowed.includes('*');
  });
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('an outside package is imported in its home only', () => {
  const wrong = imports.filter(({ from, to }) => {
    if (to.startsWith('.') || to.startsWith('node:')) return false;
    const name = to
      .split('/')
      .slice(0, to.startsWith('@') ? 2 : 1)
      .join('/');
    return !homes[name]?.includes(folderOf(from));
  });
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('the loop names no platform, no queue and no tool', () => {
  const named = files.filter(
    (name) => name.startsWith('loop/') && foreignToLoop.test(readFileSync(`src/${name}`, 'utf8')),
  );
  expect(named).toEqual([]);
});

test('the code of no other folder names a platform', () => {
  const named = files.filter((name) => {
    if (knowsPlatforms.test(name)) return false;
    const code = readFileSync(`src/${name}`, 'utf8').replaceAll(/\/\*[^]*?\*\/|(?:^|\s)\/\/[^\n]*/g, '');
    return /\b(?:discord|slack)\b/i.test(code);
  });
  // How people call the places of their accounts.
  expect(named).toEqual(['commands/answer-command.ts']);
});

test('no file of the loop is longer than 300 lines', () => {
  const long = files.filter(
    (name) => name.startsWith('loop/') && readFileSync(`src/${name}`, 'utf8').split('\n').length > 300,
  );
  expect(long).toEqual([]);
});

test('no file only passes on what another folder exports', () => {
  expect(files.filter((name) => path.posix.basename(name) === 'index.ts')).toEqual([]);
});

function importsOf(name: string): Import[] {
  const text = readFileSync(`src/${name}`, 'utf8');
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g,
  );
  return [...found].map((match) => ({ from: name, to: match[1] ?? match[2] ?? match[3] ?? '' }));
}

/** `adapters/terminal/x.ts` → `adapters/terminal`, `loop/x.ts` → `loop`. */
function folderOf(name: string): string {
  const [first = '', second = ''] = name.split('/');
  return first === 'adapters' ? `${first}/${second}` : first;
}
