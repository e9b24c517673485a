/**
 * The web page's side of the HTTP server: the page itself, what it sends, and the stream of what is to be seen. Paths and
 * meanings stand in `docs/architecture.md`, "The page".
 */
import { type Context, Hono } from 'hono';
import type { CommandBy } from '../../domain/command.ts';
import type { PressBy, PressForm, PressReply, Said } from '../../domain/controls.ts';
import { cutText } from '../../domain/cut-text.ts';
import { maxFileBytes } from '../../domain/file.ts';
import { CallId, type ConversationId, TurnId, type UserId } from '../../domain/ids.ts';
import type { InboxItem } from '../../domain/inbound.ts';
import { isQuestionCard } from '../../domain/question.ts';
import type { DocumentReader } from '../../files/document-reader.ts';
import type { Accept, Accepted } from '../../intake/accept.ts';
import { castVote } from '../../intake/cast-vote.ts';
import { isStopWord } from '../../intake/stop-words.ts';
import type { Board, BoardPost } from '../../ports/board.ts';
import type { Conversations } from '../../ports/conversations.ts';
import type { Meter } from '../../ports/meter.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import type { Votes } from '../../ports/votes.ts';
import { callerOf } from './caller.ts';
import { eventStream } from './event-stream.ts';
import { type Guard, guardWith } from './guard.ts';
import { conversationIn, isUuid, placeOf } from './names.ts';
import {
  answerItem,
  answersTo,
  localeOf,
  maxFileChars,
  messageItem,
  messagePost,
  readAgain,
  readAnswers,
  readMessage,
  readPress,
  readStop,
  readVote,
  type Seat,
  said,
} from './normalize.ts';
import { type PageFiles, servePageFile } from './page-files.ts';
import { newPerson, personOf, signerWith } from './person.ts';

/** What presses and commands need of the rest of Docent. */
export interface WebHandlers {
  readonly answerPress: (
    press: string,
    by: PressBy,
    form?: ReadonlyMap<string, string>,
  ) => Promise<PressReply>;
  readonly formFor: (press: string, by: PressBy) => Promise<PressForm | PressReply>;
  /** What is asked of the bot itself; undefined: it is said in the conversation. */
  readonly command: (line: string, by: CommandBy) => Promise<Said | undefined>;
  /** The zone of somebody's browser, when it is one. */
  readonly noteZone: (person: UserId, zone: string) => Promise<void>;
}

export interface WebOptions extends WebHandlers {
  readonly board: Board;
  readonly conversations: Pick<Conversations, 'pauseOf'>;
  readonly accept: Accept;
  readonly votes: Votes;
  /** Absent: nobody looks. */
  readonly meter?: Meter;
  readonly page: PageFiles;
  readonly documents: Pick<DocumentReader, 'read'>;
  /** Signs cookies; the same in every process that serves the page. */
  readonly secret: string;
  /** Only this machine can reach the server. */
  readonly isLoopback: boolean;
  readonly token: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly newId: () => string;
}

export interface WebServer {
  /** `peer`: the address that holds the connection. */
  fetch(request: Request, peer: string): Response | Promise<Response>;
  /** Ends the streams; pages come back by themselves when a server is there again. */
  close(): void;
}

type Env = { Bindings: { peer: string }; Variables: { seat: Seat } };

const safety = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
};
const fresh = { 'Cache-Control': 'no-store' };

export function webServer(options: WebOptions): WebServer {
  const {
    board,
    conversations,
    accept,
    votes,
    page,
    documents,
    secret,
    isLoopback,
    token,
    clock,
    log,
    newId,
  } = options;
  const signer = signerWith(secret);
  const guard: Guard = guardWith({ isLoopback, token, signer, clock });
  const over = new AbortController();
  const app = new Hono<Env>();

  app.use(async (c, next) => {
    const refused = guard.problem(c.req.raw);
    if (refused === undefined) await next();
    else c.res = c.json({ problem: refused.why }, refused.status);
    for (const [name, value] of Object.entries(safety)) c.header(name, value);
  });

  app.get('/', (c) => serveFile(c, 'index.html'));
  app.get('/page/*', (c) => serveFile(c, c.req.path.slice(1)));

  app.post('/api/open', async (c) => {
    const given = tokenIn(await bodyOf(c)) ?? '';
    const opened = guard.open(given, callerOf(c.req.raw, c.env.peer), isSecure(c.req.raw));
    if ('cookie' in opened) return c.json({}, 200, { 'Set-Cookie': opened.cookie });
    if (opened.why === 'too_often')
      return c.json({ problem: 'Too many tries. Wait a minute, then try again.' }, 429);
    return c.json({ problem: 'That is not the token of this page.' }, 403);
  });

  /** Everything below needs the door open. */
  app.use('/api/*', async (c, next) => {
    if (guard.isOpen(c.req.raw)) await next();
    else c.res = c.json({ problem: 'This page asks for its token.' }, 401);
    if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
  });

  /**
   * Gives whoever comes for the first time a cookie, and only who comes with one is told who they are: tabs that are
   * opened at the same time are each given one, and all go by the first that the browser has kept.
   */
  app.get('/api/talks', async (c) => {
    const person = personOf(c.req.raw, signer);
    if (person === undefined) {
      const cookie = newPerson(newId(), signer, isSecure(c.req.raw));
      return c.json({ talks: [] }, 200, { 'Set-Cookie': cookie });
    }
    const zone = c.req.query('zone');
    if (zone !== undefined) await options.noteZone(person, zone);
    const talks = await board.talksOf(person);
    return c.json({
      person,
      talks: talks.map(({ conversation, title, at }) => ({ id: placeOf(conversation), title, at })),
    });
  });

  app.use('/api/talks/:talk/*', async (c, next) => {
    if (isUuid(c.req.param('talk'))) await next();
    else c.res = c.json({ problem: 'There is no such conversation.' }, 404);
  });

  app.get('/api/talks/:talk/events', (c) => {
    const after = c.req.header('last-event-id') ?? c.req.query('after');
    const stream = eventStream({
      board,
      conversation: conversationOf(c),
      after,
      clock,
      log,
      signal: over.signal,
    });
    return c.body(stream, 200, { ...fresh, 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
  });

  /** Everything below needs to know who it is. */
  app.use('/api/*', async (c, next) => {
    const person = personOf(c.req.raw, signer);
    if (person === undefined)
      return c.json({ problem: 'This page has not met you yet. Load it again.' }, 401);
    const place = c.req.path.split('/')[3] ?? '';
    c.set('seat', { person, place, locale: localeOf(c.req.raw) });
    return next();
  });

  app.post('/api/talks/:talk/messages', async (c) => {
    const body = readMessage(await bodyOf(c));
    if (body === undefined)
      return c.json(
        {
          problem:
            'This message is too long, or not in the form of this page. Send less of it, or load the page again.',
        },
        400,
      );
    const seat = c.get('seat');
    const conversation = conversationOf(c);
    const item = messageItem(body, seat);
    if (body.files.length === 0 && isStopWord(body.text)) return told(c, conversation, item);
    if (body.text.trim() === '' && body.files.length === 0)
      return c.json({ problem: 'There is nothing in this message yet.' }, 400);
    const by = byOf(c, body.id);
    const answer = body.files.length === 0 ? await options.command(body.text, by) : undefined;
    // What has buttons stands in the conversation, where they can be pressed; the rest is kept nowhere.
    if (answer !== undefined && answer.controls === undefined)
      return c.json({ result: 'told', text: answer.text });
    // With its author, so that nobody puts other words in the place of somebody else's.
    const id = `user:${seat.person}:${body.id}`;
    const post = messagePost(body, seat.person);
    await board.put(conversation, id, post);
    if (answer !== undefined) {
      await board.put(conversation, id, { ...post, state: 'final' });
      await board.put(conversation, `command:${seat.person}:${body.id}`, noticeOf(answer));
      return c.json({ result: 'answered' });
    }
    const result = await accept({ conversation, item, wanted: 'always' });
    await board.put(conversation, id, { ...post, state: 'final' });
    return c.json({ result });
  });

  app.post(filesPath, async (c) => {
    if (c.req.header('content-type') !== 'application/pdf') return c.json({ problem: badForm }, 415);
    const found = await documents.read({ kind: 'pdf', bytes: new Uint8Array(await c.req.arrayBuffer()) });
    if ('why' in found) {
      const { why } = found;
      return c.json({ problem: pdfProblems[why], why }, why === 'busy' ? 503 : 422);
    }
    const text = cutText(found.text, maxFileChars);
    return c.json({ text, isCut: text.length < found.text.length });
  });

  app.post('/api/talks/:talk/stop', async (c) => {
    const body = readStop(await bodyOf(c));
    if (body === undefined) return c.json({ problem: badForm }, 400);
    return told(c, conversationOf(c), { ...said(body.id, c.get('seat')), kind: 'stop' });
  });

  app.post('/api/talks/:talk/again', async (c) => {
    const body = readAgain(await bodyOf(c));
    if (body === undefined) return c.json({ problem: badForm }, 400);
    const turn = TurnId(body.turn);
    return told(c, conversationOf(c), { ...said(body.id, c.get('seat')), kind: 'again', turn });
  });

  app.get('/api/talks/:talk/votes', async (c) =>
    c.json(Object.fromEntries(await votes.of(conversationOf(c), c.get('seat').person))),
  );

  app.post('/api/talks/:talk/votes', async (c) => {
    const body = readVote(await bodyOf(c));
    const conversation = conversationOf(c);
    if (body === undefined || (await board.get(conversation, body.answer))?.kind !== 'answer')
      return c.json({ problem: badForm }, 400);
    const { vote, ...ballot } = body;
    const { person } = c.get('seat');
    await castVote(options, { ...ballot, conversation, person, vote: vote ?? undefined });
    return c.json({ result: vote ?? 'none' });
  });

  app.post('/api/talks/:talk/answers', async (c) => {
    const body = readAnswers(await bodyOf(c));
    if (body === undefined) return c.json({ problem: badForm }, 400);
    const conversation = conversationOf(c);
    const pause = await conversations.pauseOf(conversation);
    if (pause === undefined || pause.callId !== CallId(body.callId)) return c.json({ result: 'late' });
    const answers = isQuestionCard(pause.question) ? answersTo(pause.question, body) : undefined;
    if (answers === undefined) return c.json({ problem: 'Choose an option, or write an answer.' }, 400);
    return told(c, conversation, answerItem(body, answers, c.get('seat'), clock.now()));
  });

  app.post('/api/talks/:talk/forms', async (c) => {
    const body = readPress(await bodyOf(c));
    if (body === undefined || !(await stands(c, body))) return c.json({ text: notThere });
    const form = await options.formFor(body.press, { ...byOf(c, body.id), isManager: false });
    return c.json('fields' in form ? { form } : { text: form.text });
  });

  app.post('/api/talks/:talk/presses', async (c) => {
    const body = readPress(await bodyOf(c));
    if (body === undefined || !(await stands(c, body))) return c.json({ text: notThere });
    const by = { ...byOf(c, body.id), isManager: false };
    const reply = await (body.form === undefined
      ? options.answerPress(body.press, by)
      : options.answerPress(body.form.press, by, new Map(Object.entries(body.form.fields))));
    if (reply.kind === 'tell') return c.json({ text: reply.text });
    await board.put(conversationOf(c), body.message, noticeOf(reply));
    return c.json({ result: 'done' });
  });

  app.notFound((c) => c.json({ problem: 'There is nothing here.' }, 404));
  app.onError((error, c) => {
    log.error({ error, path: c.req.path }, 'a request of the page failed');
    return c.json({ problem: 'I cannot keep that right now. Try again in a moment.' }, 503);
  });

  return {
    fetch: (request, peer) => app.fetch(request, { peer }),
    close: () => over.abort(),
  };

  /** Whether the message still has this button. */
  async function stands(
    c: Context,
    { message, press }: { message: string; press: string },
  ): Promise<boolean> {
    const { controls } = (await board.get(conversationOf(c), message)) ?? {};
    return [...(controls?.buttons ?? []), ...(controls?.menu?.options ?? [])].some(
      (each) => each.press === press,
    );
  }

  function byOf(c: Context<Env>, id: string): CommandBy {
    const { author: person, address } = said(id, c.get('seat'));
    return { person, key: `web:${person}:${id}`, conversation: conversationOf(c), address };
  }

  async function told(c: Context<Env>, conversation: ConversationId, item: InboxItem): Promise<Response> {
    const result: Accepted = await accept({ conversation, item, wanted: 'always' });
    return c.json({ result });
  }

  function serveFile(c: Context, name: string): Response {
    const file = page.get(name);
    if (file === undefined) return c.json({ problem: 'There is nothing here.' }, 404);
    return servePageFile(file, c.req.raw);
  }
}

const pdfProblems = {
  busy: 'I am reading other files right now. Try again in a moment.',
  unreadable: 'this PDF is damaged, protected, or too much for me.',
  no_text: 'this PDF has no text in it, only pictures. I cannot read those.',
} as const;

/** Where PDFs go, and how large they may be. Unit: bytes. */
export const filesPath = '/api/files';
export const maxPdfBytes = maxFileBytes;

const notThere = 'This is not open any more.';

function noticeOf({ text, controls }: Said): BoardPost {
  return { kind: 'notice', state: 'final', text, ...(controls !== undefined && { controls }) };
}

const badForm = 'This is not in the form of this page. Load it again.';

function conversationOf(c: Context): ConversationId {
  return conversationIn(c.req.param('talk') ?? '');
}

/** The body as JSON; undefined when it is none. Only JSON is read: a form of another page cannot send that. */
async function bodyOf(c: Context): Promise<unknown> {
  if (!/^application\/json\b/i.test(c.req.header('content-type') ?? '')) return undefined;
  try {
    return await c.req.json();
  } catch {
    return undefined; // told to the page by the caller
  }
}

function tokenIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('token' in body)) return undefined;
  return typeof body.token === 'string' ? body.token.trim() : undefined;
}

/** Behind a proxy that speaks HTTPS, cookies are kept to it. */
function isSecure({ url, headers }: Request): boolean {
  return new URL(url).protocol === 'https:' || headers.get('x-forwarded-proto') === 'https';
}
