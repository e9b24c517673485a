// What can be said of the image and of compose.yaml without a daemon that builds them.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { roles } from '../src/config/role.ts';
import { settings } from '../src/config/settings.ts';

const read = (file: string) => readFileSync(file, 'utf8');
const dockerfile = read('Dockerfile');
const compose = read('compose.yaml');
const names = new Set<string>([...settings.map(({ name }) => name), 'NODE_ENV']);

test('everything that is copied into the image is there, and let through by .dockerignore', () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, list = '']) =>
    list.split(' '),
  );
  expect(copied.length).toBeGreaterThan(5);
  expect(copied.filter((file) => !existsSync(file))).toEqual([]);
  const let_through = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  expect(
    copied.map((file) => file.replace(/^\.\//, '')).filter((file) => !let_through.includes(file)),
  ).toEqual([]);
});

test('it runs as a user without rights, with an init, and says whether it is alive', () => {
  const last = dockerfile.slice(dockerfile.lastIndexOf('FROM '));
  expect(/^USER (\S+)$/m.exec(last)?.[1]).toBe('docent');
  expect(last).toMatch(/^ENTRYPOINT \["tini", "--", "node", "dist\/cli\.js"\]$/m);
  expect(last).toMatch(/^HEALTHCHECK /m);
  expect(last).toContain('/healthz');
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
  const [wanted] = /\d+/.exec(engines.node) ?? [];
  expect([...dockerfile.matchAll(/^FROM node:(\d+)/gm)].map(([, major]) => major)).toEqual([wanted, wanted]);
});

test('image and compose.yaml use settings and roles that exist', () => {
  const ofImage = [...(/^ENV (.*)$/m.exec(dockerfile)?.[1] ?? '').matchAll(/([A-Z_]+)=/g)].map(
    ([, name]) => name ?? '',
  );
  const ofCompose = [...compose.matchAll(/^ {4}([A-Z_]+): /gm)].map(([, name]) => name ?? '');
  expect(ofImage.length + ofCompose.length).toBeGreaterThan(8);
  expect([...ofImage, ...ofCompose].filter((name) => !names.has(name))).toEqual([]);
  const played = [...compose.matchAll(/"--role", "(\w+)"/g)].map(([, role]) => role);
  expect(played).toEqual(['gateway', 'worker', 'web']);
  expect(played.filter((role) => !(roles as readonly string[]).includes(role ?? ''))).toEqual([]);
});

test('Redis keeps what it is given, and nobody else reaches the page without a port that is opened on purpose', () => {
  expect(compose).toContain('"--appendonly", "yes"');
  expect(compose).toContain('"--maxmemory-policy", "noeviction"');
  expect([...compose.matchAll(/ports: \["(.*?)"\]/g)].map(([, port]) => port)).toEqual([
    '127.0.0.1:3000:3000',
  ]);
});
