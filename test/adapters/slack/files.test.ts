// Files of people, and what was said in a thread, read over real HTTP.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { slackEarlier } from '../../../src/adapters/slack/earlier.ts';
import { fileSource, slackFiles } from '../../../src/adapters/slack/file-source.ts';
import { slackPeople } from '../../../src/adapters/slack/people.ts';
import { placeName } from '../../../src/adapters/slack/place.ts';
import { oneWorkspace, slackWeb } from '../../../src/adapters/slack/web.ts';
import { EventId } from '../../../src/domain/ids.ts';
import { downloadFrom } from '../../../src/files/download.ts';
import { type SentFile } from '../../support/slack/controls/people.ts';
import { type FakeSlack, startSlack } from '../../support/slack/server.ts';

const never = new AbortController().signal;
let slack: FakeSlack;
beforeAll(async () => {
  slack = await startSlack();
});
afterAll(() => slack.close());
beforeEach(() => slack.startAnew());

const webFor = () => oneWorkspace(slackWeb({ token: slack.token, apiUrl: slack.apiUrl }));

describe('a file', () => {
  function fetcher(token = slack.token) {
    return slackFiles({
      webFor: webFor(),
      tokenFor: async () => token,
      download: (headers, refuse) => downloadFrom({ origins: [new URL(slack.url).origin], headers, refuse }),
    });
  }

  async function sourceOf(file: SentFile): Promise<string> {
    const { files } = await slack.say('mia', '@Docent see', { files: [file] });
    const id = files[0]?.id ?? '';
    const web = await webFor()('');
    const { file: info } = (await web('files.info', { file: id })) as { file: { url_private: string } };
    return fileSource({ team: slack.teamId, file: id, type: file.mimetype, url: info.url_private });
  }

  async function textOf(source: string, token?: string): Promise<string> {
    const parts: Uint8Array[] = [];
    for await (const part of await fetcher(token)(source, never)) parts.push(part);
    return Buffer.concat(parts).toString();
  }

  test('is fetched with the token of the bot', async () => {
    expect(await textOf(await sourceOf({ name: 'a.txt', text: 'Words' }))).toBe('Words');
  });

  test('that comes as a page to sign in is none', async () => {
    const source = await sourceOf({
      name: 'a.pdf',
      mimetype: 'application/pdf',
      text: 'x',
      trouble: 'login',
    });
    await expect(textOf(source)).rejects.toMatchObject({ why: 'refused', message: /files:read/ });
  });

  test('that is a page itself is read', async () => {
    const source = await sourceOf({ name: 'a.html', mimetype: 'text/html', text: '<p>Words</p>' });
    expect(await textOf(source)).toContain('Words');
  });

  test('is looked for under its address of today', async () => {
    const source = await sourceOf({ name: 'a.txt', text: 'Words' });
    expect(await textOf(source.replace(/ .*$/, ` ${slack.url}/files/expired`))).toBe('Words');
  });

  test('that is gone says so', async () => {
    const source = await sourceOf({ name: 'a.txt', text: 'x', trouble: 'gone' });
    await expect(textOf(source)).rejects.toMatchObject({ why: 'gone' });
  });
});

describe('what was said in a thread before', () => {
  const earlier = () => slackEarlier(webFor(), slackPeople(webFor()));
  const at = async (thread?: string) => ({
    surface: 'slack',
    place: placeName({
      team: slack.teamId,
      channel: await slack.channelId('general'),
      ...(thread !== undefined && { thread }),
    }),
  });

  test('is read by name, the newest of it, without what Slack says', async () => {
    const { ts: root } = await slack.say('mia', 'Who knows integrals?');
    await slack.say('tom', '@mia I do &', { thread: root });
    await slack.say('tom', '', { thread: root, files: [{ name: 'sheet.pdf' }] });
    await slack.say('ann', 'has joined', { thread: root, subtype: 'channel_join' });
    const { ts } = await slack.say('mia', '@Docent help', { thread: root });
    const said = await earlier()(await at(root), EventId(ts), 30, never);
    expect(said).toEqual([
      { name: 'mia', text: 'Who knows integrals?' },
      { name: 'tom', text: '@mia I do &' },
      { name: 'tom', text: '[file: sheet.pdf]' },
    ]);
    expect(await earlier()(await at(root), EventId(ts), 1, never)).toEqual(said.slice(-1));
  });

  test('is nothing at the root of a channel', async () => {
    expect(await earlier()(await at(), EventId('1.000001'), 30, never)).toEqual([]);
  });

  test('rejects when it cannot be read', async () => {
    const { ts: root } = await slack.say('mia', 'Who knows?');
    await slack.fault({ on: 'conversations.replies', how: 'error', rule: 'missing_scope' });
    await expect(earlier()(await at(root), EventId('9999999999.000001'), 30, never)).rejects.toThrow(
      'missing_scope',
    );
  });
});
