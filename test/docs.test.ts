// What the documents say is compared with the code: settings, packages, tables of names and numbers, commands and their
// output, links, and every file that is named. When a test here fails, the document is corrected, not the test.
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { chat } from '../src/capabilities/chat.ts';
import { loadConfig } from '../src/config/load.ts';
import { roles } from '../src/config/role.ts';
import { type Setting, settings } from '../src/config/settings.ts';
import { isQuestionCard, readAnswer } from '../src/domain/question.ts';
import { defaultLoopSettings } from '../src/loop/settings.ts';
import { openAiModel } from '../src/model/openai.ts';
import { startPracticeModel } from '../src/model/practice/server.ts';
import { systemClock } from '../src/observe/clock.ts';
import { createMetrics } from '../src/observe/metrics.ts';
import { parseRedisUrl } from '../src/redis-server/connect.ts';
import { memoryModelNotes } from '../src/store/memory.ts';
import { askUser } from '../src/tools/ask-user.ts';
import { strategyFor, systemPrompt } from '../src/turns/context.ts';
import { Dialogue, type Response } from './support/dialogue.ts';
import {
  bare,
  codeIn,
  deadLinksIn,
  documents,
  read,
  rowsOf,
  section,
  shellBlocks,
  tablesOf,
  withoutFences,
} from './support/documents.ts';
import { quietLog } from './support/quiet-log.ts';

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const json = (file: string): unknown => JSON.parse(read(file));
const manifest = json('package.json') as Manifest;

const readme = read('README.md');
const architecture = read('docs/architecture.md');
const contributing = read('CONTRIBUTING.md');
const operations = read('docs/operations.md');
const program = ['src', 'scripts'].flatMap(filesBelow).map(read).join('\n');
const allCode = [program, ...['test', 'bench/rows', 'bench/support'].flatMap(filesBelow).map(read)].join(
  '\n',
);

describe('README', () => {
  test('the tables of settings say what the code says', () => {
    const rows = rowsOf(section(readme, 'Settings'));
    const ofCode = (settings as readonly Setting[]).map(({ name, fallback = '', unit, meaning }) => [
      name,
      fallback,
      unit,
      meaning,
    ]);
    const byName = ([a = '']: readonly string[], [b = '']: readonly string[]) => (a < b ? -1 : 1);
    expect(rows.map((row) => row.map(bare)).toSorted(byName)).toEqual(ofCode.toSorted(byName));
  });

  test('the tree of a turn is what such a turn emits', async () => {
    const tree = section(readme, 'A turn as a tree of events').matchAll(
      /[├└]─ ([a-z]+(?:\.[a-z]+| [a-z]+))/g,
    );
    const drawn = [...tree].map((match) => match[1] ?? '').filter((name) => !name.startsWith('step'));
    expect(drawn).toEqual(await eventsOf('6/2(1+2)', '1'));
  });

  test('every kind of event is mentioned', () => {
    const text = section(readme, 'A turn as a tree of events');
    const kinds = [...read('src/domain/turn.ts').matchAll(/readonly type: '([a-z.]+)'/g)].map(
      ([, kind]) => kind,
    );
    expect(kinds.filter((kind) => !text.includes(kind ?? ''))).toEqual([]);
  });

  test('every failure of the model has its row', () => {
    const table = section(readme, 'When something is wrong');
    const endings = read('src/adapters/terminal/ending-lines.ts');
    const failures = [...endings.matchAll(/^ {2}'model\.[a-z_]+':\s+'(.+)',$/gm)].map(
      ([, text]) => text ?? '',
    );
    expect(failures.length).toBeGreaterThan(5);
    expect(failures.filter((text) => !table.includes(text))).toEqual([]);
  });

  test('every script is explained, the parts of the check in CONTRIBUTING', () => {
    const commands = Object.keys(manifest.scripts).map((name) =>
      name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`,
    );
    const table = rowsOf(section(readme, 'Scripts')).map(([name = '']) => bare(name));
    const missing = commands.filter((name) => !table.includes(name) && !contributing.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  test('the table of imports is that of the architecture test', () => {
    const tested = tableIn('mayImport').map(([folder, names]) => [
      folder,
      names.map((name) => (name === '*' ? 'everything' : name)),
    ]);
    const said = importRows().map(([folder = '', list = '']) => [
      bare(folder),
      list === 'everything' ? [list] : codeIn(list),
    ]);
    const names = said.map(([folder]) => folder);
    expect(said).toEqual(
      tested.filter(([folder]) => names.includes(folder) || existsSync(`src/${String(folder)}`)),
    );
  });

  test('so are the packages of each folder', () => {
    const homes = tableIn('homes');
    const wrong = importRows().filter(([folder = '', , packages = '']) => {
      const own = homes.filter(([, folders]) => folders.includes(bare(folder))).map(([name]) => name);
      return own.toSorted().join() !== codeIn(packages).toSorted().join();
    });
    expect(wrong.map(([folder]) => folder)).toEqual([]);
  });

  test('every edge of the graph is an import that is allowed', () => {
    const allowed = new Map(importRows().map(([folder = '', list = '']) => [bare(folder), list]));
    const edges = [...section(architecture, 'Folders and imports').matchAll(/^ {2}(\S+) --> (\S+)$/gm)];
    const wrong = edges.filter(([, from = '', to = '']) => {
      const list = allowed.get(from) ?? '';
      return list !== 'everything' && !codeIn(list).includes(to);
    });
    expect(edges.length).toBeGreaterThan(10);
    expect(wrong.map(([edge]) => edge)).toEqual([]);
  });

  test.each([
    ['Results of a call', 'src/domain/message.ts', /export type ResultStatus =([^;]*);/, /'(\w+)'/g],
    ['The journal and its folds', 'src/domain/journal.ts', /([\s\S]*)/, /readonly type: '([a-z/]+)'/g],
    ['Hooks', 'src/loop/hooks.ts', /export interface Hooks \{([\s\S]*?)\n\}/, /readonly (\w+)\?:/g],
  ])('"%s" has one row for each in %s', (title, file, part, name) => {
    const ofCode = [...(part.exec(read(file))?.[1] ?? '').matchAll(name)].map((match) => match[1]);
    const rows = rowsOf(section(architecture, title));
    expect(ofCode.length).toBeGreaterThan(5);
    expect(new Set(rows.map(([first = '']) => bare(first)))).toEqual(new Set(ofCode));
    expect(rows).toHaveLength(ofCode.length);
  });

  test('every setting of the loop has its row, with its default', () => {
    const { limits, ...rest } = defaultLoopSettings;
    const prefixed = Object.entries(limits).map(([name, value]) => [`limits.${name}`, value] as const);
    const ofCode = [...Object.entries(rest), ...prefixed].map(([name, value]) => [name, inWords(value)]);
    const [rows = []] = tablesOf(section(architecture, 'Budgets'));
    const said = rows.map(([name = '', value = '']) => [bare(name), value.replaceAll(',', '')]);
    expect(Object.fromEntries(said)).toEqual(Object.fromEntries(ofCode));
  });

  test('every fixed number stands so in its file', () => {
    const rows = tablesOf(section(architecture, 'Budgets')).slice(1).flat();
    const wrong = rows.filter(([name = '', value = '', , file = '']) => {
      const code = read(bare(file)).replaceAll(/(?<=\d)_(?=\d)/g, '');
      return !code.includes(`const ${bare(name)} = ${value};`);
    });
    expect(rows.length).toBeGreaterThan(20);
    expect(wrong.map(([name]) => name)).toEqual([]);
  });

  test('every row of the crash table names tests that exist', () => {
    const [rows = []] = tablesOf(section(architecture, 'What a crash costs'));
    const tests = read('test/flows/crash.test.ts');
    const proofs = rows.map(([, , , proof = '']) => codeIn(proof));
    expect(rows.length).toBeGreaterThan(10);
    expect(proofs.filter((names) => names.length === 0)).toEqual([]);
    expect(proofs.flat().filter((name) => !tests.includes(`'${name}'`))).toEqual([]);
  });

  test('the picture of Redis holds every key of the key table', () => {
    const picture = section(architecture, 'What is in Redis');
    const keys = [...read('src/store/redis/keys.ts').matchAll(/^ \* \| `([\w-]+)/gm)].map(
      ([, key]) => key ?? '',
    );
    expect(keys.length).toBeGreaterThan(15);
    expect(keys.filter((key) => !new RegExp(`\\b${key}\\b`).test(picture))).toEqual([]);
  });
});

describe('docs/operations.md', () => {
  test('has one row for each metric, with its labels', async () => {
    const { text } = await createMetrics(systemClock);
    const names = [...(await text()).matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name);
    const rows = rowsOf(section(operations, 'Metrics'));
    expect(rows.map(([name = '']) => bare(name))).toEqual(names);

    const ports = /interface Counts \{([\s\S]*?)\n\}/.exec(read('src/ports/meter.ts'))?.[1] ?? '';
    const labels = [...ports.matchAll(/readonly (\w+): (?:\{ readonly (\w+):|NoLabels)/g)];
    const labelled = rows.filter(([name = '']) => bare(name).endsWith('_total'));
    expect(labelled.map(([name = '', label = '']) => [bare(name), bare(label)])).toEqual(
      labels.map(([, name, label = '']) => [`docent_${name}_total`, label]),
    );
  });

  test('has one row for each path and each state of the health page', () => {
    const code = read('src/observe/health.ts');
    const [paths = [], states = []] = tablesOf(section(operations, 'Health'));
    const served = [...code.matchAll(/app\.get\('([^']+)'/g)].map(([, at]) => at);
    expect(paths.map(([name = '']) => bare(name))).toEqual(served);
    expect(states.length).toBeGreaterThan(2);
    expect(states.filter(([name = '']) => !code.includes(`'${bare(name)}'`))).toEqual([]);
  });

  test('has one row for each role', () => {
    const rows = rowsOf(section(operations, 'Roles')).map(([name = '']) => bare(name));
    expect(rows.toSorted()).toEqual([...roles].toSorted());
  });

  test('shows addresses of Redis that are understood', () => {
    const [rows = []] = tablesOf(section(operations, 'Redis'));
    const forms = rows.map(([form = '']) => bare(form));
    const kinds = forms.map((REDIS_URL) => {
      const { redisUrl = '' } = loadConfig({ REDIS_URL }, () => undefined).config;
      return parseRedisUrl(redisUrl).kind;
    });
    expect(kinds).toEqual(['single', 'single', 'single', 'cluster', 'sentinel']);
  });
});

describe('docs/dependencies.md', () => {
  const text = read('docs/dependencies.md');
  test.each([
    ['The product', 'package.json', 'dependencies'],
    ['Development', 'package.json', 'devDependencies'],
    ['The bench', 'bench/package.json', 'dependencies'],
  ] as const)('"%s" names every package of %s, with version and licence', (title, file, field) => {
    const lock = json(file.replace('package.json', 'package-lock.json')) as {
      packages: Record<string, { version: string; license: string }>;
    };
    const locked = Object.keys((json(file) as Manifest)[field] ?? {}).map((name) => {
      const entry = lock.packages[`node_modules/${name}`];
      return [name, entry?.version, entry?.license];
    });
    const rows = rowsOf(section(text, title));
    expect(rows.map(([name = '', version, licence]) => [bare(name), version, licence])).toEqual(locked);
  });

  test('what is installed is what the lock file says', () => {
    const rows = [...rowsOf(section(text, 'The product')), ...rowsOf(section(text, 'Development'))];
    const wrong = rows.filter(([name = '', version]) => {
      return (json(`node_modules/${bare(name)}/package.json`) as { version: string }).version !== version;
    });
    expect(wrong.map(([name]) => name)).toEqual([]);
  });
});

describe.each([
  ['README.md', readme],
  ['docs/operations.md', operations],
])('"When something is wrong" in %s', (_file, text) => {
  test('quotes only messages of the program', () => {
    const seen = rowsOf(section(text, 'When something is wrong')).flatMap(([message = '']) =>
      codeIn(message),
    );
    expect(seen.length).toBeGreaterThan(15);
    expect(seen.filter((message) => !program.includes(message))).toEqual([]);
  });
});

describe('every document', () => {
  test('names only settings that exist', () => {
    const wrong = documents.flatMap((document) =>
      codeIn(withoutFences(read(document)))
        .map((code) => /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+(?==|$)/.exec(code)?.[0] ?? '')
        .filter((name) => name !== '' && !isName(name))
        .map((name) => `${document}: ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  test('names only files that exist', () => {
    const wrong = documents.flatMap((document) =>
      codeIn(withoutFences(read(document)))
        .filter((code) => /^(?:src|docs|test|scripts|bench|\.ci)\/[\w./-]+$/.test(code))
        .filter((file) => !existsSync(file))
        .map((file) => `${document}: ${file}`),
    );
    expect(wrong).toEqual([]);
  });

  test('names only scripts that exist', () => {
    const wrong = documents.flatMap((document) =>
      [...withoutFences(read(document)).matchAll(/`npm (?:run )?([\w:]+)/g)]
        .map(([, script = '']) => script)
        .filter((script) => script !== 'ci' && !Object.hasOwn(manifest.scripts, script))
        .map((script) => `${document}: ${script}`),
    );
    expect(wrong).toEqual([]);
  });

  test('links only to what exists', () => {
    const wrong = documents.flatMap((document) =>
      deadLinksIn(document).map((target) => `${document}: ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('decisions are numbered without a gap and answer the same five questions', () => {
    const names = readdirSync('docs/decisions').toSorted();
    expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, at) => at + 1));
    const sections = ['Problem', 'Decision', 'Alternatives', 'Consequences', 'Checked by'];
    const wrong = names.filter((name) => {
      const titles = [...read(`docs/decisions/${name}`).matchAll(/^## (.+)$/gm)].map(([, title]) => title);
      return titles.join() !== sections.join();
    });
    expect(wrong).toEqual([]);
  });
});

test('docs/field-reports.md names tests that exist', () => {
  const rows = rowsOf(read('docs/field-reports.md'));
  expect(rows.length).toBeGreaterThan(35);
  const wrong = rows.filter(([, where = '']) => {
    const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(where) ?? [];
    return title === '' || !existsSync(file) || !read(file).includes(title);
  });
  expect(wrong).toEqual([]);
});

describe('every command', () => {
  const ci = read('.ci/run');
  const runHere = shellBlocks()
    .filter((block) => !block.isManual)
    .flatMap(({ lines, output, document }) => lines.map((line) => ({ line, output, document })))
    .filter(({ line }) => !ci.includes(line));

  test.each(runHere)(
    '$line ($document) works and shows what is written',
    async ({ line, output }) => {
      if (line === 'npm start') return runAsService();
      expect(line, 'a command is run by .ci/run, by this test, or stands in a block "sh manual"').toMatch(
        /npm start -- chat$/,
      );
      const shown = await runInShell(line);
      expect(shown.trimEnd()).toBe((output ?? shown).trimEnd());
    },
    60_000,
  );

  test('for a person to adapt uses settings, scripts and files that exist', () => {
    const manual = shellBlocks().filter((block) => block.isManual);
    const wrong = manual.flatMap(({ document, lines }) =>
      lines.flatMap((line) => mistakesIn(line).map((mistake) => `${document}: ${mistake} in ${line}`)),
    );
    expect(manual.length).toBeGreaterThan(1);
    expect(wrong).toEqual([]);
  });
});

/** Runs a command with `npm start` in it, in an empty folder and without settings of this machine. */
async function runInShell(line: string): Promise<string> {
  return inEmptyFolder(async (cwd, env) => {
    const command = line.replace(/npm start --/, `"${process.execPath}" "${startScript}"`);
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd, env });
    return stdout;
  });
}

/** `npm start` without a terminal: it says where it is, is ready, logs as JSON, and ends with 0 when it is told to. */
async function runAsService(): Promise<void> {
  await inEmptyFolder(async (cwd, env) => {
    const child = spawn(process.execPath, [startScript], { cwd, env: { ...env, PORT: '0' } });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    try {
      let log = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (log += text));
      const said = await saidUntil('Docent is ready.', child.stderr, ended);
      const state = /^State: (http:\S+)$/m.exec(said)?.[1] ?? '';
      expect(said).toMatch(/^Redis: /m);
      expect(await (await fetch(state)).json()).toMatchObject({ status: 'ready' });
      expect((await fetch(new URL('/metrics', state))).status).toBe(200);
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
      const lines = log.trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line) as unknown).at(-1)).toMatchObject({ msg: 'Stopped.' });
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
  });
}

const startScript = path.resolve('scripts/start.mjs');

async function inEmptyFolder<T>(
  run: (folder: string, env: Record<string, string>) => Promise<T>,
): Promise<T> {
  // `npm start` installs when the lock file is newer, which would pull the packages away from under other tests.
  const changedAt = (file: string) => statSync(file).mtimeMs;
  if (changedAt('node_modules/.package-lock.json') < changedAt('package-lock.json'))
    throw new Error('the installed packages are older than package-lock.json: run npm ci first');
  const folder = mkdtempSync(path.join(tmpdir(), 'docent-docs-'));
  try {
    return await run(folder, { PATH: process.env['PATH'] ?? '', HOME: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Everything that was said up to and with `last`. Rejects when it ended before. */
function saidUntil(last: string, output: NodeJS.ReadableStream, ended: Promise<unknown>): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    output.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes(last)) resolve(said);
    });
    void ended.then(() => reject(new Error(`it ended before it said "${last}": ${said}`)));
  });
}

/** What in a command does not exist: an environment name, a script, a file, a program that nobody has heard of. */
function mistakesIn(line: string): string[] {
  return line.split(' && ').flatMap((command) => {
    const words = command.split(/\s+/);
    const programAt = words.findIndex((word) => !/^\w+=/.test(word));
    const files = words.filter((word) => /^[\w.-]+\/[\w./-]+$/.test(word));
    const names = words.slice(0, programAt).map((word) => word.split('=', 1)[0] ?? '');
    const called = words.slice(programAt);
    const isOurs = called.slice(0, 2).join(' ') === 'node dist/cli.js';
    return [
      ...names.filter((name) => !isName(name)),
      ...files.filter((file) => !existsSync(file)),
      // Nobody can tell whether a flag of others exists: a command with flags is run, here or in CI.
      ...words.filter((word) => /^--?\w/.test(word) && !(isOurs && isOption(word))),
      ...(isKnown(called) ? [] : [called.join(' ')]),
    ];
  });
}

function isKnown([command = '', first = '', second = '', third, value = '']: readonly string[]): boolean {
  switch (command) {
    case 'npm':
      return first === 'ci' || Object.hasOwn(manifest.scripts, first === 'run' ? second : first);
    case 'npx':
      return existsSync(`node_modules/.bin/${first}`);
    case 'node': {
      const isCommand = read('src/cli/cli.ts').includes(`.command('${second}')`);
      return isCommand && (third !== '--role' || roles.some((role) => role === value));
    }
    case 'git':
      return first === 'clone';
    case 'curl':
      return read('src/observe/health.ts').includes(`'${new URL(first).pathname}'`);
    default:
      return command === 'cd';
  }
}

function isOption(word: string): boolean {
  return new RegExp(`Option\\('${word} `).test(read('src/cli/cli.ts'));
}

/** A setting, or a name that the code knows: of an environment variable or of a number. */
function isName(name: string): boolean {
  return settings.some((setting) => setting.name === name) || new RegExp(`\\b${name}\\b`).test(allCode);
}

/** What a question to the practice model and its answer emit: runs of one kind once, phases with their name. */
async function eventsOf(task: string, typed: string): Promise<string[]> {
  const practice = await startPracticeModel({ pace: 'instant' });
  try {
    const { baseUrl, model: name } = practice;
    const notes = memoryModelNotes(systemClock);
    const model = openAiModel({ baseUrl, apiKey: '', model: name, notes, clock: systemClock, log: quietLog });
    const content = systemPrompt(chat, strategyFor(chat, 'label'));
    const ask: Response = (signal, request) =>
      model.stream(
        { ...request, messages: [{ role: 'system', content }, ...request.messages.slice(1)] },
        signal,
      );
    const talk = new Dialogue([ask, ask], { tools: [askUser] });
    const { outcome } = await talk.hears(task);
    if (outcome.kind !== 'paused' || !isQuestionCard(outcome.question))
      throw new Error('it did not ask back');
    const answers = outcome.question.questions.map((question) => readAnswer(question, typed));
    await talk.answers(outcome.callId, JSON.stringify({ answers }));
    const names = talk.events.map((event) => (event.type === 'phase' ? `phase ${event.phase}` : event.type));
    return names.filter((each, at) => each !== names[at - 1]);
  } finally {
    await practice.close();
  }
}

/** A table of name to names in the architecture test, as it is written there. */
function tableIn(name: string): [string, string[]][] {
  const table = new RegExp(`const ${name}[^{]*\\{([\\s\\S]*?)\\n\\};`).exec(
    read('test/architecture.test.ts'),
  );
  const lines = (table?.[1] ?? '').matchAll(/^ {2}'?([@\w./-]+)'?: \[(.*)\],$/gm);
  return [...lines].map(([, key = '', list = '']) => [
    key,
    [...list.matchAll(/'([^']+)'/g)].map(([, each = '']) => each),
  ]);
}

function importRows(): string[][] {
  return rowsOf(section(architecture, 'Folders and imports'));
}

function inWords(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? 'a sentence' : JSON.stringify(value);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|mjs)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}
