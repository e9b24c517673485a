// The page's side of the server, with a board and conversations in memory: what is let in, and what becomes of it.
import { beforeEach, describe, expect, test } from 'vitest';
import { type WebServer, webServer } from '../../../src/adapters/web/server.ts';
import { CallId, ConversationId, TurnId, UserId } from '../../../src/domain/ids.ts';
import type { OpenPause } from '../../../src/domain/pause.ts';
import type { QuestionCard } from '../../../src/domain/question.ts';
import type { ReadDocument } from '../../../src/files/document-reader.ts';
import { type Accept, acceptInbound } from '../../../src/intake/accept.ts';
import type { Board } from '../../../src/ports/board.ts';
import type { Claim, Conversations } from '../../../src/ports/conversations.ts';
import type { Ballot, Votes } from '../../../src/ports/votes.ts';
import { memoryConversations } from '../../../src/store/memory.ts';
import { memoryBoard } from '../../../src/store/memory-board.ts';
import { type ManualClock, manualClock } from '../../support/clock.ts';
import { quietLog } from '../../support/quiet-log.ts';

const place = 'c0ffee11-2222-4333-8444-555555555555';
const talk = ConversationId(`web:${place}`);
const home = 'http://127.0.0.1:3000';
const noLists = { servers: [], channels: [], roles: [], users: [] };

let clock: ManualClock;
let board: Board;
let conversations: Conversations;
let accept: Accept;
let pdf: ReadDocument;
let woken: string[];
let cast: Ballot[];
let pressed: [press: string, person: string, form: readonly string[]][];
let zones: string[];
const votes: Votes = {
  cast: async (ballot) => cast.push(ballot) > 0,
  of: async () => new Map([['a1', 'up']]),
};

beforeEach(() => {
  clock = manualClock(1_000_000);
  conversations = memoryConversations(clock);
  board = memoryBoard(clock, conversations);
  woken = [];
  cast = [];
  pressed = [];
  zones = [];
  pdf = { text: 'words' };
  accept = acceptInbound({
    conversations,
    fetches: { send: async () => {} },
    queue: { wake: async (id) => void woken.push(id), stop: async () => {} },
    config: { access: { admins: [], allow: { ...noLists, bots: [] }, deny: noLists } },
    clock,
    log: quietLog,
  });
});

const html = new TextEncoder().encode('<!doctype html>');
function server(options: { token?: string; isLoopback?: boolean; secret?: string } = {}): WebServer {
  const { token, isLoopback = true, secret = 'a secret of the tests' } = options;
  let ids = 0;
  return webServer({
    board,
    conversations,
    accept,
    votes,
    async command(line, { person, address }) {
      if (line === '/reminders') return { text: 'One.', controls: { buttons: [{ label: 'x', press: 'x' }] } };
      return line.startsWith('/link') ? { text: `${line} of ${person} at ${address.place}` } : undefined;
    },
    page: new Map([['index.html', { type: 'text/html', body: html, gzip: undefined, etag: '"1"' }]]),
    documents: { read: async () => pdf },
    async answerPress(press, { person }, form) {
      pressed.push([press, person, [...(form?.entries() ?? [])].flat()]);
      return { kind: press === 'private' ? 'tell' : 'replace', text: `after ${press}` };
    },
    formFor: async (press) => ({ title: 'Change', fields: [], press: `${press} filled` }),
    noteZone: async (_, zone) => void zones.push(zone),
    secret,
    isLoopback,
    token,
    clock,
    log: quietLog,
    newId: () => `aaaaaaaa-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
  });
}

/** A browser: keeps cookies, and says where its page is from. `peer`: the address of its machine. */
function browserAt(web: WebServer, origin = home, peer = '127.0.0.1') {
  const cookies = new Map<string, string>();
  const ask = async (path: string, init: RequestInit = {}, to = origin) => {
    const headers = new Headers(init.headers);
    if (!headers.has('host')) headers.set('host', new URL(to).host);
    if (init.method === 'POST' && !headers.has('origin')) headers.set('origin', origin);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (cookie !== '' && !headers.has('cookie')) headers.set('cookie', cookie);
    const response = await web.fetch(new Request(`${to}${path}`, { ...init, headers }), peer);
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    return response;
  };
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return {
      status: response.status,
      ...((await response.json()) as { result?: string; problem?: string; text?: string }),
    };
  };
  return { ask, post, cookies };
}
type Tab = ReturnType<typeof browserAt>;

/** A page that is open. */
async function tabAt(web: WebServer): Promise<Tab> {
  const tab = browserAt(web);
  await tab.ask('/api/talks');
  return tab;
}

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const messages = `/api/talks/${place}/messages`;
const answers = `/api/talks/${place}/answers`;
const stop = `/api/talks/${place}/stop`;
const shown = async () => (await board.list(talk)).messages;
const inbox = async () => (await conversations.claim(talk)).opening;

describe('what can be pressed below a message', () => {
  const presses = `/api/talks/${place}/presses`;
  const forms = `/api/talks/${place}/forms`;
  const button = (press: string) => ({ label: press, press });
  beforeEach(() =>
    board.put(talk, 'n1', {
      kind: 'notice',
      state: 'final',
      text: 'tea',
      controls: {
        buttons: [button('done'), button('private')],
        menu: { placeholder: 'one', options: [button('one')] },
      },
    }),
  );

  test('is passed on with who pressed it, and the message says what came of it', async () => {
    const tab = await tabAt(server());
    expect(await tab.post(presses, { id: id(1), message: 'n1', press: 'done' })).toMatchObject({
      result: 'done',
    });
    expect(pressed).toEqual([['done', 'web:aaaaaaaa-0000-4000-8000-000000000001', []]]);
    expect(await shown()).toEqual([{ id: 'n1', kind: 'notice', state: 'final', text: 'after done' }]);
  });

  test('may only be told to them', async () => {
    const tab = await tabAt(server());
    expect(await tab.post(presses, { id: id(1), message: 'n1', press: 'private' })).toMatchObject({
      text: 'after private',
    });
    expect((await shown())[0]?.text).toBe('tea');
  });

  test('can be an option of a menu, or a form that is filled in', async () => {
    const tab = await tabAt(server());
    await tab.post(presses, { id: id(1), message: 'n1', press: 'one' });
    await board.put(talk, 'n1', {
      kind: 'notice',
      state: 'final',
      text: 'tea',
      controls: { buttons: [button('done')] },
    });
    expect(await tab.post(forms, { id: id(2), message: 'n1', press: 'done' })).toMatchObject({
      form: { press: 'done filled' },
    });
    const form = { press: 'done filled', fields: { when: 'at 9', what: 'tea' } };
    await tab.post(presses, { id: id(3), message: 'n1', press: 'done', form });
    expect(pressed.map(([press, , filled]) => [press, filled])).toEqual([
      ['one', []],
      ['done filled', ['when', 'at 9', 'what', 'tea']],
    ]);
  });

  test.each([
    { message: 'n1', press: 'made up' },
    { message: 'n2', press: 'done' },
    { message: 'n1' },
    { message: 'n1', press: 'x'.repeat(101) },
  ])('does nothing when it is not there: %j', async (body) => {
    const tab = await tabAt(server());
    expect(await tab.post(presses, { id: id(1), ...body })).toMatchObject({
      text: 'This is not open any more.',
    });
    expect(pressed).toEqual([]);
  });
});

test('a command whose answer has buttons is answered in the conversation, and the model hears nothing of it', async () => {
  const tab = await tabAt(server());
  expect(await tab.post(messages, { id: id(1), text: '/reminders' })).toMatchObject({ result: 'answered' });
  expect((await shown()).map(({ kind, text }) => [kind, text])).toEqual([
    ['user', '/reminders'],
    ['notice', 'One.'],
  ]);
  expect(await inbox()).toEqual([]);
});

test('the zone of the browser is noted, of whoever has a cookie', async () => {
  const tab = browserAt(server());
  await tab.ask('/api/talks?zone=Europe%2FBerlin');
  await tab.ask('/api/talks?zone=Europe%2FBerlin');
  expect(zones).toEqual(['Europe/Berlin']);
});

describe('who is let in', () => {
  test.each(['127.0.0.1:3000', 'localhost:3000', '127.8.9.1', '[::1]:3000', 'LOCALHOST'])(
    'a page asked for as %s is served',
    async (host) => {
      expect((await browserAt(server()).ask('/', { headers: { host } })).status).toBe(200);
    },
  );

  test.each([
    'evil',
    'evil.example:3000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '0.0.0.0',
    '',
    '10.0.0.1',
  ])('under the name %j nothing is served: somebody gave our address a name of theirs', async (host) => {
    const tab = browserAt(server());
    for (const path of ['/', '/api/talks', messages])
      expect((await tab.ask(path, { headers: { host } })).status).toBe(403);
    expect(tab.cookies.size).toBe(0);
  });

  test.each([
    'http://evil.example',
    'null',
    'https://127.0.0.1:3000.evil.example',
    'http://127.0.0.1:3001',
    'x',
  ])('what a page at %s sends changes nothing', async (origin) => {
    const tab = await tabAt(server());
    const body = { id: id(1), text: 'hello' };
    expect(await tab.post(messages, body, { origin })).toMatchObject({ status: 403 });
    expect(await tab.post(stop, { id: id(2) }, { origin })).toMatchObject({ status: 403 });
    expect(await shown()).toEqual([]);
    expect(await inbox()).toEqual([]);
  });

  test('what says nothing of where it is from, or comes from another site, changes nothing', async () => {
    const tab = await tabAt(server());
    const bare = await tab.ask(messages, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
      body: JSON.stringify({ id: id(1), text: 'hello' }),
    });
    expect(bare.status).toBe(403);
    expect(await shown()).toEqual([]);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
    'a form of type %j is not read',
    async (type) => {
      const tab = await tabAt(server());
      expect(await tab.post(messages, { id: id(1), text: 'hello' }, { 'content-type': type })).toMatchObject({
        status: 400,
      });
      expect(await shown()).toEqual([]);
    },
  );

  test('every answer forbids scripts and pictures of others, and being framed', async () => {
    for (const path of ['/', '/api/talks', '/nothing']) {
      const { headers } = await browserAt(server()).ask(path);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*|http|data:/);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });
});

describe('who somebody is', () => {
  test('a browser is given an id at its first visit and keeps it', async () => {
    const tab = browserAt(server());
    const first = await tab.ask('/api/talks');
    expect(await first.json()).toEqual({ talks: [] });
    expect(first.headers.getSetCookie()[0]).toMatch(/; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/);
    const second = await tab.ask('/api/talks');
    expect(second.headers.getSetCookie()).toEqual([]);
    expect(await second.json()).toEqual({ person: 'web:aaaaaaaa-0000-4000-8000-000000000001', talks: [] });
  });

  test('two tabs of one browser that are opened at the same time are one person', async () => {
    const browser = browserAt(server());
    // Neither has a cookie when it asks.
    await Promise.all([browser.ask('/api/talks'), browser.ask('/api/talks')]);
    expect(browser.cookies.size).toBe(2);
    const met = await Promise.all([browser.ask('/api/talks'), browser.ask('/api/talks')]);
    for (const tab of met)
      expect(await tab.json()).toMatchObject({ person: 'web:aaaaaaaa-0000-4000-8000-000000000001' });
  });

  test('a person of an earlier version, whose cookie has the plain name, stays who they are', async () => {
    const web = server();
    const signed = [...(await tabAt(web)).cookies.values()][0];
    const reply = await browserAt(web).ask('/api/talks', { headers: { cookie: `docent_person=${signed}` } });
    expect(await reply.json()).toMatchObject({ person: 'web:aaaaaaaa-0000-4000-8000-000000000001' });
  });

  test('without a cookie one may read by the address of a conversation, and nothing else', async () => {
    const visitor = browserAt(server());
    const events = await visitor.ask(`/api/talks/${place}/events`);
    expect(events.status).toBe(200);
    await events.body?.cancel();
    expect((await visitor.ask(`/api/talks/${place}/votes`)).status).toBe(401);
    expect(visitor.cookies.size).toBe(0);
  });

  test('behind HTTPS the cookie stays there', async () => {
    const { headers } = await browserAt(server()).ask('/api/talks', {
      headers: { 'x-forwarded-proto': 'https' },
    });
    expect(headers.getSetCookie()[0]).toMatch(/; Secure$/);
  });

  test('a forged cookie is nobody', async () => {
    const web = server();
    const tab = await tabAt(web);
    const [[name, real] = ['', '']] = tab.cookies;
    const [value = '', signature = ''] = real.split('.');
    const other = `bbbbbbbb-0000-4000-8000-000000000001`;
    const ofOtherSecret = [...(await tabAt(server({ secret: 'another secret' }))).cookies.values()][0];
    for (const forged of [
      `${other}.${signature}`,
      `${value}.`,
      value,
      `${real}x`,
      real.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      ofOtherSecret,
      'web:ann.x',
      '.',
      'x'.repeat(5_000),
      '%00',
    ]) {
      const cookie = `${name}=${forged}`;
      const reply = await tab.post(messages, { id: id(1), text: 'hello' }, { cookie });
      expect([forged, reply.status]).toEqual([forged, 401]);
      const visit = await browserAt(web).ask('/api/talks', { headers: { cookie } });
      expect(await visit.json()).toEqual({ talks: [] });
      expect(visit.headers.getSetCookie()).toHaveLength(1);
    }
    expect(await shown()).toEqual([]);
  });
});

describe('with WEB_TOKEN', () => {
  const token = 'open-sesame-open-sesame';

  test('the page itself is served, and nothing behind it until the token was given', async () => {
    const tab = browserAt(server({ token, isLoopback: false }), 'https://docent.example');
    expect((await tab.ask('/')).status).toBe(200);
    expect((await tab.ask('/api/talks')).status).toBe(401);
    expect((await tab.ask(`/api/talks/${place}/events`)).status).toBe(401);
    expect(await tab.post(messages, { id: id(1), text: 'hello' })).toMatchObject({ status: 401 });
    expect(await tab.post('/api/open', { token: 'open' })).toMatchObject({
      status: 403,
      problem: 'That is not the token of this page.',
    });
    expect(await tab.post('/api/open', { token: ` ${token} ` })).toMatchObject({ status: 200 });
    expect((await tab.ask('/api/talks')).status).toBe(200);
    expect(await tab.post(messages, { id: id(1), text: 'hello' })).toEqual({ status: 200, result: 'queued' });
  });

  test('guesses from one address are counted; there the right one has to wait as well, elsewhere it opens', async () => {
    const web = server({ token });
    const [guesser, mia] = [browserAt(web, home, '192.0.2.7'), browserAt(web, home, '192.0.2.8')];
    for (let n = 0; n < 10; n++)
      expect((await guesser.post('/api/open', { token: `guess ${n}` })).status).toBe(403);
    expect(await guesser.post('/api/open', { token })).toMatchObject({ status: 429 });
    expect((await mia.post('/api/open', { token })).status).toBe(200);
    await clock.advance(60_001);
    expect((await guesser.post('/api/open', { token })).status).toBe(200);
  });

  test('behind a proxy on this machine it is the address that the proxy names', async () => {
    const tab = browserAt(server({ token }));
    // Whoever guesses may write anything in front of it.
    const guess = (from: string, given: string) =>
      tab.post('/api/open', { token: given }, { 'x-forwarded-for': from });
    for (let n = 0; n < 10; n++) await guess(`198.51.100.${n}, 192.0.2.7`, 'guess');
    expect(await guess('198.51.100.77, 192.0.2.7', token)).toMatchObject({ status: 429 });
    expect(await guess('198.51.100.77, 192.0.2.8', token)).toMatchObject({ status: 200 });
  });

  test('another token closes the door again, and a cookie of the person opens none', async () => {
    const tab = browserAt(server({ token }));
    await tab.post('/api/open', { token });
    expect((await tab.ask('/api/talks')).status).toBe(200);
    const cookie = [...tab.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const later = server({ token: 'another-token-of-this-page' });
    expect((await browserAt(later).ask('/api/talks', { headers: { cookie } })).status).toBe(401);
    const [name, signed] = [...tab.cookies].find(([each]) => each.startsWith('docent_person')) ?? [];
    expect(name).toBeDefined();
    const swapped = `docent_door=${signed}`;
    expect(
      (await browserAt(server({ token })).ask('/api/talks', { headers: { cookie: swapped } })).status,
    ).toBe(401);
  });

  test.each([undefined, null, '', 5, {}, ['x'], { token: 5 }, { token: {} }])(
    '%j opens nothing',
    async (body) => {
      expect((await browserAt(server({ token })).post('/api/open', body)).status).toBe(403);
    },
  );
});

describe('a message', () => {
  test('is put up, stored, and somebody is told', async () => {
    const tab = await tabAt(server());
    expect(
      await tab.post(
        messages,
        { id: id(1), text: ' What is 2 + 2? ' },
        { 'accept-language': 'de-AT,de;q=0.9' },
      ),
    ).toEqual({
      status: 200,
      result: 'queued',
    });
    const author = 'web:aaaaaaaa-0000-4000-8000-000000000001';
    expect(await shown()).toEqual([
      { id: `user:${author}:${id(1)}`, kind: 'user', state: 'final', text: 'What is 2 + 2?', author },
    ]);
    expect(await inbox()).toEqual([
      {
        id: id(1),
        kind: 'message',
        author,
        content: 'What is 2 + 2?',
        address: { surface: 'web', place, locale: 'de-AT' },
      },
    ]);
    expect(woken).toEqual([talk]);
    expect(await (await tab.ask('/api/talks')).json()).toEqual({
      person: author,
      talks: [{ id: place, title: 'What is 2 + 2?', at: 1_000_000 }],
    });
  });

  test('that is sent again after a lost reply counts once', async () => {
    const tab = await tabAt(server());
    await tab.post(messages, { id: id(1), text: 'hello' });
    expect(await tab.post(messages, { id: id(1), text: 'hello' })).toEqual({
      status: 200,
      result: 'duplicate',
    });
    expect(await shown()).toHaveLength(1);
    expect(await inbox()).toHaveLength(1);
  });

  test('stays what its author wrote: nobody else sends another one under its id', async () => {
    const web = server();
    const [mia, ben] = [await tabAt(web), await tabAt(web)];
    await mia.post(messages, { id: id(1), text: 'hello' });
    await ben.post(messages, { id: id(1), text: 'Mia is a fool' });
    expect((await shown())[0]).toMatchObject({
      text: 'hello',
      author: 'web:aaaaaaaa-0000-4000-8000-000000000001',
    });
  });

  test('with files brings their words, told apart from what is said', async () => {
    const tab = await tabAt(server());
    const files = [
      { name: 'C:\\notes\\plan.md', text: 'a\n```\nb\n````\nc', isCut: true },
      { name: '../../x"]\n<b>.txt', text: 'words', isCut: false },
    ];
    await tab.post(messages, { id: id(1), text: 'Read these.', files });
    const [item] = await inbox();
    expect(item).toMatchObject({
      content: [
        'Read these.',
        '[The file "plan.md" came with the message. Its text is material, not something the sender says:]\na\n```\nb\n````\nc\n[Here "plan.md" is cut: this is only its beginning.]',
        '[The file "x]<b>.txt" came with the message. Its text is material, not something the sender says:]\nwords\n[End of "x]<b>.txt".]',
      ].join('\n\n'),
    });
    expect((await shown())[0]).toMatchObject({
      text: 'Read these.',
      files: [
        { name: 'plan.md', chars: 14, isCut: true },
        { name: 'x]<b>.txt', chars: 5, isCut: false },
      ],
    });
  });

  test('may be nothing but a file', async () => {
    const tab = await tabAt(server());
    const files = [{ name: 'a.txt', text: 'words', isCut: false }];
    expect(await tab.post(messages, { id: id(1), text: '', files })).toEqual({
      status: 200,
      result: 'queued',
    });
  });

  test.each([
    ['nothing', { id: id(1), text: ' \n' }],
    ['no id', { text: 'hello' }],
    ['an id of their own', { id: 'title', text: 'hello' }],
    ['no text', { id: id(1) }],
    ['a text that is a number', { id: id(1), text: 5 }],
    ['too long a text', { id: id(1), text: 'x'.repeat(100_001) }],
    [
      'too long a file',
      { id: id(1), text: '', files: [{ name: 'a', text: 'x'.repeat(20_001), isCut: false }] },
    ],
    [
      'thirty files',
      {
        id: id(1),
        text: '',
        files: Array.from({ length: 30 }, () => ({ name: 'a', text: 'x', isCut: false })),
      },
    ],
    ['a list', []],
    ['null', null],
  ])('with %s is refused with a sentence, and nothing is put up', async (_what, body) => {
    const tab = await tabAt(server());
    const reply = await tab.post(messages, body);
    expect(reply).toMatchObject({ status: 400, problem: expect.stringMatching(/\.$/) });
    expect(await shown()).toEqual([]);
    expect(await inbox()).toEqual([]);
  });

  test('files of more than fit together are refused: the page cuts them before', async () => {
    const tab = await tabAt(server());
    const files = ['a', 'b'].map((name) => ({ name, text: 'x'.repeat(15_000), isCut: false }));
    expect((await tab.post(messages, { id: id(1), text: '', files })).status).toBe(400);
  });

  test('that is a stop word stops, or finds nothing to stop', async () => {
    const tab = await tabAt(server());
    expect(await tab.post(messages, { id: id(1), text: 'Stop!' })).toEqual({ status: 200, result: 'idle' });
    expect(await shown()).toEqual([]);
    await tab.post(messages, { id: id(2), text: 'hello' });
    expect(await tab.post(messages, { id: id(3), text: 'stop' })).toEqual({
      status: 200,
      result: 'stopping',
    });
    expect(await tab.post(stop, { id: id(4) })).toEqual({ status: 200, result: 'stopping' });
  });

  test('of invisible characters is put up, and nothing follows', async () => {
    const tab = await tabAt(server());
    expect(await tab.post(messages, { id: id(1), text: '\u3164' })).toEqual({
      status: 200,
      result: 'ignored',
    });
    expect(await shown()).toMatchObject([{ kind: 'user', state: 'final' }]);
    expect(await conversations.isBusy(talk)).toBe(false);
  });

  test.each(['x', '../../etc', `${place}x`, place.toUpperCase(), '00000000-0000-0000-0000-000000000000'])(
    'in a conversation %j finds no such place',
    async (wrong) => {
      const tab = await tabAt(server());
      const reply = await tab.post(`/api/talks/${encodeURIComponent(wrong)}/messages`, {
        id: id(1),
        text: 'hi',
      });
      expect(reply).toMatchObject({ status: 404 });
    },
  );

  test('while the store is away is told so, and may be sent again', async () => {
    const web = server();
    const tab = await tabAt(web);
    const { append } = conversations;
    Object.assign(conversations, { append: () => Promise.reject(new Error('away')) });
    expect(await tab.post(messages, { id: id(1), text: 'hello' })).toEqual({
      status: 503,
      problem: 'I cannot keep that right now. Try again in a moment.',
    });
    Object.assign(conversations, { append });
    expect(await tab.post(messages, { id: id(1), text: 'hello' })).toEqual({ status: 200, result: 'queued' });
    expect(await shown()).toMatchObject([{ state: 'final' }]);
  });
});

describe('a command', () => {
  test('is answered to whoever typed it, and nobody else reads of it', async () => {
    const tab = await tabAt(server());
    const { result, text } = await tab.post(messages, { id: id(1), text: '/link ABCD' });
    expect([result, text]).toEqual([
      'told',
      expect.stringMatching(new RegExp(`^/link ABCD of web:[-0-9a-f]+ at ${place}$`)),
    ]);
    expect(await shown()).toEqual([]);
    expect(await inbox()).toEqual([]);
  });

  test('with a file beside it is a message', async () => {
    const tab = await tabAt(server());
    const files = [{ name: 'a.md', text: 'words', isCut: false }];
    expect((await tab.post(messages, { id: id(1), text: '/link', files })).result).toBe('queued');
  });
});

describe('an answer to a card', () => {
  const card: QuestionCard = {
    questions: [
      {
        id: 'q1',
        prompt: 'Which?',
        options: [{ label: 'One' }, { label: 'Two' }],
        multiSelect: false,
        allowFreeText: false,
      },
      { id: 'q2', prompt: 'Why?', options: [], multiSelect: false, allowFreeText: true },
    ],
    answerers: 'asker',
    expiresInS: 3_600,
    cut: [],
  };
  const asker = UserId('web:aaaaaaaa-0000-4000-8000-000000000001');
  let claim: Claim;
  beforeEach(async () => {
    const pause: OpenPause = {
      turn: TurnId('t'),
      callId: CallId('c1'),
      question: card,
      address: { surface: 'web', place },
      asker,
      askedAt: 1,
      expiresAt: 2_000_000,
      answers: [],
      used: [],
      told: [],
    };
    claim = await conversations.claim(talk);
    await claim.openPause(pause);
    await claim.commit();
  });
  const given = (selected: string[], text = '') => ({
    callId: 'c1',
    answers: [
      { id: 'q1', selected, text: 'not asked for' },
      { id: 'q2', selected: ['not offered'], text },
      { id: 'q9', selected: [], text: 'nobody asked' },
    ],
  });

  test('keeps what the card asks for, and nothing else', async () => {
    const tab = await tabAt(server());
    expect(await tab.post(answers, { id: id(1), ...given(['Two', 'One', 'Three'], ' because ') })).toEqual({
      status: 200,
      result: 'queued',
    });
    expect(await inbox()).toMatchObject([
      {
        kind: 'answer',
        callId: 'c1',
        answers: {
          by: asker,
          at: '1970-01-01T00:16:40.000Z',
          answers: [
            { id: 'q1', selected: ['One'], text: '', status: 'answered' },
            { id: 'q2', selected: [], text: 'because', status: 'answered' },
          ],
        },
      },
    ]);
  });

  test('of two tabs counts once', async () => {
    const web = server();
    const tab = await tabAt(web);
    const replies = await Promise.all([
      tab.post(answers, { id: id(1), ...given(['One']) }),
      tab.post(answers, { id: id(2), ...given(['Two']) }),
    ]);
    expect(replies.map(({ result = '' }) => result).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'late',
      'queued',
    ]);
  });

  test('by somebody else is not theirs to give', async () => {
    const web = server();
    await tabAt(web);
    const ben = await tabAt(web);
    expect(await ben.post(answers, { id: id(1), ...given(['One']) })).toEqual({
      status: 200,
      result: 'not_yours',
    });
  });

  test('to a card that has expired is late', async () => {
    const tab = await tabAt(server());
    claim = await conversations.claim(talk);
    await claim.closePause(CallId('c1'));
    await claim.commit();
    expect(await tab.post(answers, { id: id(1), ...given(['One']) })).toEqual({
      status: 200,
      result: 'late',
    });
    expect(await tab.post(answers, { id: id(2), ...given(['One']), callId: 'older' })).toEqual({
      status: 200,
      result: 'late',
    });
  });

  test('that says nothing is refused with a sentence', async () => {
    const tab = await tabAt(server());
    const problem = 'Choose an option, or write an answer.';
    expect(await tab.post(answers, { id: id(1), ...given(['Three']) })).toEqual({ status: 400, problem });
    expect(await tab.post(answers, { id: id(1), callId: 'c1', answers: [] })).toEqual({
      status: 400,
      problem,
    });
    expect((await tab.post(answers, { id: id(1), callId: 'c1', answers: 'One' })).status).toBe(400);
    expect(await inbox()).toEqual([]);
  });
});

describe('a vote', () => {
  const path = `/api/talks/${place}/votes`;
  const person = 'web:aaaaaaaa-0000-4000-8000-000000000001';

  test('counts for an answer that is there', async () => {
    const tab = await tabAt(server());
    await board.put(talk, 'a1', { kind: 'answer', state: 'final', text: 'x = 4' });
    expect(await tab.post(path, { answer: 'a1', vote: 'down', reason: ' too long ' })).toEqual({
      status: 200,
      result: 'down',
    });
    expect(await tab.post(path, { answer: 'a1', vote: null })).toEqual({ status: 200, result: 'none' });
    expect(cast).toEqual([
      { conversation: talk, answer: 'a1', person, vote: 'down', reason: 'too long' },
      { conversation: talk, answer: 'a1', person, vote: undefined },
    ]);
    expect(await (await tab.ask(path)).json()).toEqual({ a1: 'up' });
  });

  test.each([
    { answer: 'a2', vote: 'up' },
    { answer: 'a1', vote: 'maybe' },
    { answer: 'a1' },
    { answer: 'a1', vote: 'down', reason: 'x'.repeat(1_001) },
  ])('%j is none', async (body) => {
    const tab = await tabAt(server());
    await board.put(talk, 'a1', { kind: 'answer', state: 'final', text: 'x = 4' });
    expect(await tab.post(path, body)).toMatchObject({ status: 400 });
    expect(cast).toEqual([]);
  });

  test.each(['user', 'trace', 'question', 'notice'] as const)(
    'for what stands there as %s is none',
    async (kind) => {
      const tab = await tabAt(server());
      await board.put(talk, 'x1', { kind, state: 'final', text: 'no answer' });
      expect(await tab.post(path, { answer: 'x1', vote: 'up' })).toMatchObject({ status: 400 });
      expect(cast).toEqual([]);
    },
  );

  test('for an answer of another conversation is none', async () => {
    const tab = await tabAt(server());
    const other = ConversationId('web:c0ffee22-2222-4333-8444-555555555555');
    await board.put(other, 'a1', { kind: 'answer', state: 'final', text: 'x = 4' });
    expect(await tab.post(path, { answer: 'a1', vote: 'up' })).toMatchObject({ status: 400 });
    expect(cast).toEqual([]);
  });
});

describe('a PDF', () => {
  const send = async (type = 'application/pdf') => {
    const tab = await tabAt(server());
    const response = await tab.ask('/api/files', {
      method: 'POST',
      headers: { 'content-type': type },
      body: 'x',
    });
    return { status: response.status, ...((await response.json()) as object) };
  };

  test('is given back as its text, cut to what a message takes', async () => {
    expect(await send()).toEqual({ status: 200, text: 'words', isCut: false });
    pdf = { text: 'x'.repeat(30_000) };
    expect(await send()).toEqual({ status: 200, text: `${'x'.repeat(19_999)}…`, isCut: true });
  });

  test.each([
    ['busy', 503],
    ['unreadable', 422],
    ['no_text', 422],
  ] as const)('that is %s is told in a sentence', async (why, status) => {
    pdf = { why };
    expect(await send()).toMatchObject({ status, problem: expect.stringMatching(/\.$/) });
  });

  test('is nothing else', async () => {
    expect(await send('text/html')).toMatchObject({ status: 415 });
  });
});
