/** Answers one HTTP request to the fake, whatever brought it: Web API, uploads, downloads, response URLs, OAuth. */
import type { Slack } from './slack.ts';
import { readIncoming } from './web/incoming.ts';

export interface Request {
  readonly method: string;
  readonly url: URL;
  header(name: string): string | undefined;
  readonly bytes: Buffer;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** The rest never comes. */
  readonly isTorn?: true;
}

const json = { 'content-type': 'application/json; charset=utf-8' };
const html = { 'content-type': 'text/html; charset=utf-8' };
const text = { 'content-type': 'text/plain' };

/** `cut`: the connection ends without an answer. */
export async function respondTo(slack: Slack, request: Request): Promise<Reply | 'cut'> {
  const [, first = '', ...rest] = request.url.pathname.split('/');
  switch (first) {
    case 'api': {
      const answer = await slack.handle(await readIncoming(rest.join('/'), request.header, request.bytes));
      if (answer === 'cut') return 'cut';
      const { status, headers, body, html: page } = answer;
      return page === undefined
        ? { status, headers: { ...json, ...headers }, body: JSON.stringify(body ?? {}) }
        : { status, headers: { ...html, ...headers }, body: page };
    }
    case 'upload':
      return upload(slack, rest.at(-1) ?? '', request);
    case 'files-pri':
      return download(slack, rest[0] ?? '', request);
    case 'actions':
      return respondToUrl(slack, rest[0] ?? '', request);
    case 'oauth':
      return allow(slack, request.url);
    default:
      return { status: 404, headers: text, body: 'not found' };
  }
}

async function upload(slack: Slack, id: string, request: Request): Promise<Reply | 'cut'> {
  const accident = slack.faults.next('upload', undefined);
  if (accident?.how === 'cut') return 'cut';
  if (accident?.how === 'refused') return { status: accident.status ?? 500, headers: text, body: 'failed' };
  const file = slack.world.files.get(id);
  if (file === undefined || file.isShared) return { status: 404, headers: text, body: 'not found' };
  const type = request.header('content-type') ?? '';
  let bytes = request.bytes;
  if (type.startsWith('multipart/form-data')) {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
    const part = [...form.values()].find((each) => typeof each !== 'string');
    if (part === undefined) return { status: 400, headers: text, body: 'no file' };
    bytes = Buffer.from(await part.arrayBuffer());
  }
  if (bytes.length !== file.size)
    return { status: 400, headers: text, body: `${bytes.length} bytes, not the ${file.size} that were told` };
  Object.assign(file, { bytes, isUploaded: true });
  return { status: 200, headers: text, body: `OK - ${bytes.length}` };
}

/** Without the right token Slack shows its login page, with HTTP 200. */
function download(slack: Slack, name: string, request: Request): Reply {
  const file = slack.world.files.get(name.split('-')[1] ?? '');
  const token = /^Bearer (.+)$/.exec(request.header('authorization') ?? '')?.[1];
  const team = [...slack.world.teams.values()].find(({ botToken }) => botToken === token);
  const isAllowed = team?.scopes.includes('files:read') === true && team.id === file?.teamId;
  if (file?.trouble === 'login' || !isAllowed)
    return {
      status: 200,
      headers: html,
      body: '<!doctype html><html><head><title>Sign in to Slack</title></head><body>Sign in</body></html>',
    };
  if (file === undefined || file.trouble === 'gone')
    return { status: 404, headers: text, body: 'file_not_found' };
  const headers = { 'content-type': file.mimetype, 'content-length': String(file.bytes.length) };
  if (file.trouble !== 'slow') return { status: 200, headers, body: file.bytes };
  return {
    status: 200,
    headers,
    body: file.bytes.subarray(0, Math.ceil(file.bytes.length / 2)),
    isTorn: true,
  };
}

function respondToUrl(slack: Slack, id: string, request: Request): Reply | 'cut' {
  const accident = slack.faults.next('response_url', undefined);
  if (accident?.how === 'cut') return 'cut';
  if (accident?.how === 'refused') return { status: accident.status ?? 500, headers: text, body: 'failed' };
  let body: unknown;
  try {
    body = JSON.parse(request.bytes.toString());
  } catch {
    return { status: 400, headers: text, body: 'invalid_payload' };
  }
  const { status, text: said } = slack.interactions.respond(id, body);
  return { status, headers: text, body: said };
}

/** Somebody presses Allow: back to the app with a code and its state. `team` chooses the workspace. */
function allow(slack: Slack, url: URL): Reply {
  const { world, codes } = slack;
  const asked = url.searchParams;
  const redirect = asked.get('redirect_uri');
  if (asked.get('client_id') !== world.clientId)
    return { status: 200, headers: html, body: 'Invalid client_id parameter' };
  if (redirect === null) return { status: 200, headers: html, body: 'redirect_uri did not match' };
  const team = world.teamOf(asked.get('team') ?? [...world.teams.keys()][0] ?? '');
  const code = `${team.id}.${world.newId('X')}`;
  const scopes = (asked.get('scope') ?? '').split(',').filter((scope) => scope !== '');
  codes.set(code, { teamId: team.id, userId: 'UINSTALLER', scopes, isUsed: false });
  const back = new URL(redirect);
  back.searchParams.set('code', code);
  back.searchParams.set('state', asked.get('state') ?? '');
  return { status: 302, headers: { location: back.href }, body: '' };
}
