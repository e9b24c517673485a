/** The parts of a `REDIS_URL`: several hosts and passwords with odd characters are more than the URL class can read. */
import { ConfigError } from '../domain/errors.ts';

export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

export interface Login {
  readonly username?: string;
  readonly password?: string;
}

export interface UrlParts {
  /** In lower case, without `://`. */
  readonly scheme: string;
  readonly login: Login;
  readonly hosts: string;
  /** Without the slash in front. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export const urlForms =
  'redis://user:password@host:6379/0, rediss://… for TLS, redis+cluster://host:port,host:port, redis+sentinel://host:port,host:port/name or unix:///path/to/socket';

/** Throws `ConfigError` when the text is no address at all. */
export function splitUrl(url: string): UrlParts {
  const [, scheme = '', rest = ''] = /^([a-z+]+):\/\/(.*)$/is.exec(url.trim()) ?? [];
  if (scheme === '') throw urlProblem('expected an address', `Write ${urlForms}.`);
  // A password may hold any character, also unencoded: the last @ ends it. The path of a socket may hold one too.
  const loginEnd = rest.startsWith('/') ? -1 : rest.lastIndexOf('@');
  const [, address = '', search = ''] = /^([^?]*)\??(.*)$/s.exec(rest.slice(loginEnd + 1)) ?? [];
  const [hosts = '', ...path] = address.split('/');
  const query = new URLSearchParams(search);
  const login = loginEnd < 0 ? loginIn(query) : loginOf(rest.slice(0, loginEnd));
  return { scheme: scheme.toLowerCase(), login, hosts, path: path.join('/'), query };
}

/** `host:port,host,[::1]:port` → nodes. Throws `ConfigError`. */
export function nodesIn(hosts: string, defaultPort: number): RedisNode[] {
  return hosts.split(',').map((text) => {
    const match = /^(?:\[([0-9a-f:.%]+)\]|([^:[\]\s]+))(?::(\d+))?$/i.exec(text.trim());
    const host = match?.[1] ?? match?.[2];
    if (host === undefined) throw urlProblem('expected a host', `Write ${urlForms}.`);
    const port = Number(match?.[3] ?? defaultPort);
    if (port < 1 || port > 65_535) throw urlProblem(`there is no port ${port}`, 'Ports go from 1 to 65535.');
    return { host, port };
  });
}

/** From `?db=` or from the path. Throws `ConfigError`. */
export function databaseIn({ query }: UrlParts, path: string): number {
  const text = query.get('db') ?? (path === '' ? '0' : path);
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw urlProblem(`expected the number of a database, got "${text}"`, 'Write redis://host:6379/0.');
}

/** Percent signs that encode nothing stay as they are. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Written without encoding: then it is meant as it stands.
  }
}

/** One sentence for the fact, one for the remedy; neither may hold the login. */
export function urlProblem(fact: string, remedy: string): ConfigError {
  return new ConfigError([`REDIS_URL: ${fact}. ${remedy}`]);
}

function loginOf(text: string): Login {
  const colon = text.indexOf(':');
  const username = decoded(colon < 0 ? text : text.slice(0, colon));
  const password = colon < 0 ? '' : decoded(text.slice(colon + 1));
  return given(username, password);
}

function loginIn(query: URLSearchParams): Login {
  return given(query.get('username') ?? '', query.get('password') ?? '');
}

function given(username: string, password: string): Login {
  return { ...(username !== '' && { username }), ...(password !== '' && { password }) };
}
