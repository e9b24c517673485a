// The token is reset while a worker writes: it says so, waits, and the next one with the right token finishes the answer.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Docent } from '../support/discord/docent.ts';
import { say } from '../support/llm/reply.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let docent: Docent;
beforeAll(async () => {
  docent = await Docent.start();
});
afterAll(() => docent.close());

test('nothing is lost while the token is wrong', async () => {
  const { discord } = docent;
  const [gateway, worker] = await Promise.all([docent.run('gateway'), docent.run('worker')]);
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
  await gateway.kill();
});
