// The token is reset while a worker writes: it says so, waits, and the next one with the right token finishes the answer. A
// gateway ends, and the next one reads what it missed.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Docent } from '../support/discord/docent.ts';
import { say } from '../support/llm/reply.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let docent: Docent;
beforeAll(async () => {
  docent = await Docent.start();
});
afterAll(() => docent.close());
afterEach(async () => {
  await Promise.all(docent.processes.splice(0).map((child) => child.kill()));
});

test('nothing is lost while the token is wrong', async () => {
  const { discord } = docent;
  const [, worker] = await Promise.all([docent.run('gateway'), docent.run('worker')]);
  const page = (await worker.line('State: ')).slice('State: '.length);
  const lines = Array.from({ length: 30 }, (_, at) => `Line ${at}.`);
  docent.willSay(say('FINISH', lines.join('\n'), { delayMs: 100 }));
  const room = await docent.newRoom();
  await discord.say('mia', '@Docent count', { in: room });
  const growing = await docent.untilShown(room, 'Line 3.');

  await discord.resetToken();
  expect(await worker.line('Discord refuses DISCORD_TOKEN.')).toMatch(/"Reset Token" makes a new one\.$/);
  await docent.until('the state page says so', async () => (await fetch(page)).status === 503);
  expect(await (await fetch(page)).text()).toContain('Discord refuses DISCORD_TOKEN.');
  expect((await docent.untilShown(room, 'Line 3.')).content).not.toContain('Line 29.');
  expect(worker.output().match(/^Discord refuses/gm)).toHaveLength(1);
  const refused = (await discord.calls()).filter(
    ({ status, path }) => status === 401 && path.includes('/channels/'),
  );
  expect(refused.length).toBeLessThanOrEqual(4);

  worker.signal('SIGTERM');
  expect((await worker.ended).code).toBe(0);
  const { token } = await discord.ids();
  docent.willSay(say('FINISH', lines.join('\n')));
  await docent.run('worker', { DISCORD_TOKEN: token });
  const last = await docent.untilShown(room, 'Line 29.');
  expect(last.id).toBe(growing.id);
  expect(await docent.says(room)).toHaveLength(1);
});

test('a gateway that is refused ends with one sentence, and the next one answers what was said meanwhile, once', async () => {
  const { discord } = docent;
  const { token: before } = await discord.ids();
  const old = { DISCORD_TOKEN: before };
  const [gateway, worker] = await Promise.all([docent.run('gateway', old), docent.run('worker', old)]);
  docent.willSay(say('FINISH', 'First.'), say('FINISH', 'Second.'));
  const room = await docent.newRoom();
  await discord.say('mia', '@Docent one', { in: room });
  await docent.untilShown(room, 'First.');

  await discord.resetToken();
  await discord.closeConnections(4_004);
  expect((await gateway.ended).code).toBe(1);
  expect(gateway.output().match(/^Discord refuses DISCORD_TOKEN\./gm)).toHaveLength(1);
  await discord.say('mia', '@Docent two', { in: room });

  await worker.kill();
  const { token } = await discord.ids();
  await Promise.all([
    docent.run('gateway', { DISCORD_TOKEN: token }),
    docent.run('worker', { DISCORD_TOKEN: token }),
  ]);
  await docent.untilShown(room, 'Second.');
  expect((await docent.says(room)).map(({ content }) => content)).toEqual(['First.', 'Second.']);
});
