// One person on Slack and on Discord: a code makes both accounts one, used once, in time, and by the other account.
import { afterAll, expect, test } from 'vitest';
import { type FakeDiscord, startDiscord } from '../support/discord/server.ts';
import type { Docent } from '../support/slack/docent.ts';
import { docentForTests } from '../support/slack/docent-for-tests.ts';

let docent: Docent;
let discord: FakeDiscord;

docentForTests(async (started) => {
  docent = started;
  discord = await startDiscord();
  const tokens = { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.apiUrl };
  await docent.listen('sockets', 1, tokens);
  await docent.until('the commands are in place', async () => (await discord.commands()).length > 0);
});

afterAll(() => discord.close());

async function onSlack(who: string, text: string): Promise<string> {
  const { id } = await docent.slack.command(who, '/docent', text);
  let said = '';
  await docent.until(`"${text}" is answered on Slack`, async () => {
    said = (await docent.slack.interaction(id)).said[0]?.shown ?? '';
    return said !== '';
  });
  return said;
}

async function onDiscord(
  who: string,
  name: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { id } = await discord.command(who, name, values);
  let said = '';
  await docent.until(`"${name}" is answered on Discord`, async () => {
    said = (await discord.interaction(id)).answer?.content ?? '';
    return said !== '';
  });
  return said;
}

const codeIn = (text: string): string => /(?<=`)[A-Z0-9]{8}(?=`)/.exec(text)?.[0] ?? '';

test('a wrong code, an old one, one’s own and a used one are refused; then settings and reminders follow', async () => {
  expect(await onDiscord('otto', 'link', { code: 'WRONGONE' })).toMatch(/^This code is not valid/);
  const old = codeIn(await onSlack('otto', 'link'));
  await docent.redis.redis.del(`docent:{people}:code:${old}`); // ten minutes later
  expect(await onDiscord('otto', 'link', { code: old })).toMatch(/^This code is not valid/);

  const code = codeIn(await onSlack('otto', 'link'));
  expect(await onSlack('otto', `link ${code}`)).toMatch(/^This code was made by this account/);
  await onSlack('otto', 'settings zone Europe/Riga');
  await onSlack('otto', 'remind in 3 hours: call mum');
  expect(await onDiscord('otto', 'link', { code: code.toLowerCase() })).toMatch(
    /^✓ This account and Slack are one person now/,
  );
  expect(await onDiscord('eve', 'link', { code })).toMatch(/^This code is not valid/);
  expect(await onSlack('eve', `link ${code}`)).toMatch(/^This code is not valid/);

  expect(await onDiscord('otto', 'settings')).toContain('Europe/Riga');
  expect(await onDiscord('otto', 'reminders')).toContain('call mum');
  expect(await onSlack('otto', 'settings')).toContain('Linked with: Discord');

  expect(await onSlack('otto', 'unlink')).toMatch(/^✓ This account is on its own again/);
  expect(await onDiscord('otto', 'reminders')).not.toContain('call mum');
  expect(await onSlack('otto', 'reminders')).toContain('call mum');
});
