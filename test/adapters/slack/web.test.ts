// What becomes of an answer of Slack, over real HTTP.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { meaningOf } from '../../../src/adapters/slack/failures.ts';
import { slackWeb, type Web } from '../../../src/adapters/slack/web.ts';
import {
  RateLimitedError,
  StreamEndedError,
  SurfaceError,
  SurfaceGoneError,
  type TutorError,
  WriteRefusedError,
} from '../../../src/domain/errors.ts';

interface Asked {
  readonly path: string | undefined;
  readonly token: string | undefined;
  readonly form: Readonly<Record<string, string>>;
}

let answer: (response: ServerResponse) => void;
let asked: Asked[] = [];
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(parts).toString()));
    asked.push({ path: request.url, token: request.headers.authorization, form });
    answer(response);
  });
});
let web: Web;
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  web = slackWeb({ token: 'xoxb-1', apiUrl: `http://127.0.0.1:${port}/api/` });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const json =
  (body: object, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** What the next call means when Slack answers so. */
async function meaning(how: typeof answer): Promise<TutorError> {
  asked = [];
  answer = how;
  try {
    await web('chat.update', { channel: 'C1', ts: '1.2', blocks: [{ type: 'divider' }] });
  } catch (error) {
    return meaningOf(error);
  }
  throw new Error('the call was answered');
}

test('arguments travel as a form with JSON in it, under the token of the bot', async () => {
  asked = [];
  answer = json({ ok: true, ts: '1.2' }, 200, { 'x-oauth-scopes': 'chat:write,commands' });
  expect(await web('chat.postMessage', { channel: 'C1', metadata: { a: 1 }, thread_ts: undefined })).toEqual({
    ok: true,
    ts: '1.2',
    response_metadata: { scopes: ['chat:write', 'commands'] },
  });
  expect(asked).toEqual([
    {
      path: '/api/chat.postMessage',
      token: 'Bearer xoxb-1',
      form: { channel: 'C1', metadata: '{"a":1}' },
    },
  ]);
});

test.each([
  ['ratelimited', RateLimitedError],
  ['message_limit_exceeded', RateLimitedError],
  ['token_revoked', RateLimitedError],
  ['channel_not_found', SurfaceGoneError],
  ['not_in_channel', SurfaceGoneError],
  ['is_archived', SurfaceGoneError],
  ['restricted_action_read_only_channel', SurfaceGoneError],
  ['message_not_in_streaming_state', StreamEndedError],
  ['stopped_by_user', StreamEndedError],
  ['edit_window_closed', WriteRefusedError],
  ['msg_too_long', WriteRefusedError],
  ['invalid_blocks', WriteRefusedError],
  ['internal_error', SurfaceError],
  ['<html>Sorry!</html>', SurfaceError],
])('200 with ok:false and %s is %o', async (error, kind) => {
  expect(await meaning(json({ ok: false, error }))).toBeInstanceOf(kind);
});

test('only a message that is closed is followed by another one', async () => {
  expect(await meaning(json({ ok: false, error: 'cant_update_message' }))).toHaveProperty(
    'refuses',
    'message',
  );
  expect(await meaning(json({ ok: false, error: 'invalid_blocks' }))).toHaveProperty('refuses', 'content');
});

test('a missing scope is named', async () => {
  const error = await meaning(
    json({ ok: false, error: 'missing_scope', needed: 'chat:write', provided: '' }),
  );
  expect(error).toBeInstanceOf(SurfaceGoneError);
  expect(error.message).toBe('Slack refused: missing_scope (the scope chat:write)');
});

test.each([
  ['with a wait', { 'retry-after': '7' }, 7_000],
  ['without one', {}, undefined],
])('429 %s is told at once, and not repeated', async (_, headers, wait) => {
  expect(await meaning(json({ ok: false, error: 'ratelimited' }, 429, headers))).toEqual(
    new RateLimitedError(wait),
  );
  expect(asked).toHaveLength(1);
});

test.each([
  ['a server error', json({}, 500)],
  ['a page in place of an answer', (response: ServerResponse) => response.end('<!doctype html><p>Sorry')],
  ['a connection that breaks', (response: ServerResponse) => response.destroy()],
])('after %s nobody knows whether it was done, and it is not repeated', async (_, how) => {
  expect(await meaning(how)).toBeInstanceOf(SurfaceError);
  expect(asked).toHaveLength(1);
});

test('whoever stops waiting gets its own reason', async () => {
  const stop = new AbortController();
  answer = () => stop.abort(new Error('no longer wanted'));
  await expect(web('auth.test', {}, stop.signal)).rejects.toThrow('no longer wanted');
  await expect(web('auth.test', {}, stop.signal)).rejects.toThrow('no longer wanted');
});
