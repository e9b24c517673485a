// Nothing inside is reached: the pretended public web is 127.0.0.9, everything else on this machine stands for a network
// that strangers must not see. Names are looked up at a real name server.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PageError } from '../../src/domain/errors.ts';
import { systemClock } from '../../src/observe/clock.ts';
import { isPublicWeb, publicFetch } from '../../src/pages/fetch-public.ts';
import { isPublicAddress } from '../../src/pages/public-address.ts';
import { manualClock } from '../support/clock.ts';
import { type DnsServer, startDns } from '../support/dns-server.ts';

const outside = '127.0.0.9';
const never = new AbortController().signal;

let publicSite: Server;
let inside: Server;
let site: string;
let insidePort: number;
let names: DnsServer;
let insideHits: number;
/** What the public site answers, by path. */
const pages = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();

beforeAll(async () => {
  publicSite = createServer((request, response) => {
    const page = pages.get(request.url ?? '');
    if (page === undefined) response.writeHead(404).end();
    else page(request, response);
  }).listen(0, outside);
  inside = createServer((_, response) => {
    insideHits += 1;
    response.end('the secret');
  }).listen(0, '127.0.0.1');
  await Promise.all([once(publicSite, 'listening'), once(inside, 'listening')]);
  site = `http://${outside}:${portOf(publicSite)}`;
  insidePort = portOf(inside);
  names = await startDns((name, nth) => {
    if (name === 'site.test') return [outside];
    if (name === 'rebinding.test') return [nth === 1 ? outside : '127.0.0.1'];
    if (name === 'both.test') return [outside, '127.0.0.1'];
    if (name === 'six.test') return ['::1'];
    if (name === 'mapped.test') return ['::ffff:7f00:1'];
    if (name === 'private.test') return ['10.0.0.7'];
    if (name === 'cloud.test') return ['169.254.169.254'];
    return [];
  });
});
afterAll(() => {
  names.close();
  publicSite.close();
  inside.close();
});
beforeEach(() => {
  insideHits = 0;
  pages.clear();
});

const fetching = (clock = systemClock) =>
  publicFetch({
    clock,
    resolve: names.resolve,
    mayConnect: (address, port) => address === outside || isPublicWeb(address, port),
  });
const get = (url: string) => fetching()(url, never);
const redirect = (to: string) => (_: IncomingMessage, response: ServerResponse) =>
  response.writeHead(302, { location: to }).end();

describe('the public web is read', () => {
  test('a page, by its address or by its name', async () => {
    pages.set('/page', (_, response) => response.setHeader('content-type', 'text/plain').end('words'));
    const { bytes, type } = await get(`${site}/page`);
    expect([Buffer.from(bytes).toString(), type]).toEqual(['words', 'text/plain']);
    const named = await get(`http://site.test:${portOf(publicSite)}/page`);
    expect(Buffer.from(named.bytes).toString()).toBe('words');
  });

  test('through redirects, and says where it ended', async () => {
    pages.set('/from', redirect('/to'));
    pages.set('/to', (_, response) => response.end('there'));
    expect(await get(`${site}/from`)).toMatchObject({ url: `${site}/to` });
  });
});

describe('an address that is not of the public internet is none', () => {
  test.each(
    `0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::127.0.0.1 fc00::1 fd12:3456::1 fe80::1 fec0::1 ff02::1 2001:db8::1 64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1:: 2001::1 100::1 2001:10::1 2001:20::1 nonsense`.split(
      ' ',
    ),
  )('%s', (address) => expect(isPublicAddress(address)).toBe(false));

  test.each(['1.1.1.1', '93.184.215.14', '172.32.0.1', '2606:4700:4700::1111', '::ffff:1.1.1.1'])(
    '%s is one',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});

describe('what leads inside is refused', () => {
  const spelled = (host: string) => () => `http://${host}:${insidePort}/`;
  const probes: readonly [string, () => string][] = [
    ['the loopback address', spelled('127.0.0.1')],
    ['it in short', spelled('127.1')],
    ['it as one number', spelled('2130706433')],
    ['it in hexadecimal', spelled('0x7f000001')],
    ['it in octal', spelled('017700000001')],
    ['its parts in octal', spelled('0177.0.0.01')],
    ['its parts in hexadecimal', spelled('0x7f.0x0.0x0.0x1')],
    ['it with a dot behind', spelled('127.0.0.1.')],
    ['it in wide digits', spelled('１２７.0.0.1')],
    ['it in circled digits', spelled('①②⑦.⓪.⓪.①')],
    ['it with wide dots', spelled('127。0。0。1')],
    ['it percent-encoded', spelled('%31%32%37.0.0.1')],
    ['another loopback address', spelled('127.8.8.8')],
    ['no address at all', spelled('0.0.0.0')],
    ['zero', spelled('0')],
    ['loopback in IPv6', spelled('[::1]')],
    ['loopback in long IPv6', spelled('[0:0:0:0:0:0:0:1]')],
    ['an IPv4 address inside IPv6', spelled('[::ffff:127.0.0.1]')],
    ['the same in hexadecimal', spelled('[::ffff:7f00:1]')],
    ['an old IPv4 address inside IPv6', spelled('[::127.0.0.1]')],
    ['through NAT64', spelled('[64:ff9b::7f00:1]')],
    ['through 6to4', spelled('[2002:7f00:1::]')],
    ['unspecified IPv6', spelled('[::]')],
    ['the link itself', spelled('[fe80::1]')],
    ['localhost', spelled('localhost')],
    ['localhost with a dot', spelled('localhost.')],
    ['a name below localhost', spelled('a.localhost')],
    ['a name of this machine', spelled('six.test')],
    ['a name of an IPv4 address inside IPv6', spelled('mapped.test')],
    ['a name of a private address', spelled('private.test')],
    ['a name that has a public address, too', spelled('both.test')],
    ['a name without an address', spelled('nowhere.test')],
    ['the notes of a cloud', () => 'http://169.254.169.254/latest/meta-data/'],
    ['a name of those', () => 'http://cloud.test/latest/meta-data/'],
    ['a private network', () => 'http://192.168.0.1/'],
    ['a file', () => 'file:///etc/passwd'],
    ['gopher', () => `gopher://127.0.0.1:${insidePort}/_GET%20/`],
    ['ftp', () => 'ftp://example.org/x'],
    ['data', () => 'data:text/plain,words'],
    ['a script', () => 'javascript:1'],
    ['blob', () => 'blob:http://example.org/1'],
    ['ws', () => `ws://${outside}/`],
    ['a user in front of the host', () => `http://example.org@127.0.0.1:${insidePort}/`],
    ['a password for a public page', () => `http://ann:pass@${outside}/`],
    ['a backslash', () => `http:\\\\127.0.0.1:${insidePort}/`],
    ['no slashes', () => `http:127.0.0.1:${insidePort}`],
    ['a line break in the middle', () => `http://127.0.\n0.1:${insidePort}/`],
    ['a tab in the scheme', () => `ht\ttp://127.0.0.1:${insidePort}/`],
    ['a fragment instead of a host', () => `http://#@127.0.0.1:${insidePort}/`],
    ['no address', () => 'words'],
    ['nothing', () => ''],
    ['port 22', () => 'http://1.1.1.1:22/'],
    ['port 6379', () => 'http://1.1.1.1:6379/'],
    ['port 25', () => 'https://1.1.1.1:25/'],
    ['port 8080', () => 'http://1.1.1.1:8080/'],
    ['port 0', () => 'http://1.1.1.1:0/'],
  ];

  test.each(probes)('%s', async (_what, url) => {
    await expect(get(url())).rejects.toThrow(PageError);
    expect(insideHits).toBe(0);
  });

  /** A header cannot say everything. */
  const sayable = probes.filter(([, url]) => /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(url()));

  test.each(sayable)('a redirect to %s', async (_what, url) => {
    pages.set('/there', redirect(url()));
    await expect(get(`${site}/there`)).rejects.toThrow(PageError);
    expect(insideHits).toBe(0);
  });

  test('a name that has another address at the second look', async () => {
    pages.set('/again', redirect(`http://rebinding.test:${insidePort}/`));
    const first = `http://rebinding.test:${portOf(publicSite)}/again`;
    await expect(get(first)).rejects.toThrow('rebinding.test is not on the public web');
    expect(insideHits).toBe(0);
  });
});

describe('what has no end ends', () => {
  test('redirects in a circle', async () => {
    pages.set('/a', redirect('/b'));
    pages.set('/b', redirect('/a'));
    await expect(get(`${site}/a`)).rejects.toThrow('redirects more than 5 times');
  });

  test('a page of more than 4 MB', async () => {
    pages.set('/large', (_, response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x'))) continue;
      };
      response.on('drain', write);
      write();
    });
    await expect(get(`${site}/large`)).rejects.toThrow('larger than 4 MB');
  });

  test.each(['gzip', 'gzip, gzip'])('a small body that grows to a gigabyte (%s)', async (encoding) => {
    let bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024));
    for (let layer = encoding.split(',').length; layer > 1; layer -= 1) bomb = gzipSync(bomb);
    pages.set('/bomb', (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(bomb));
    await expect(get(`${site}/bomb`)).rejects.toThrow('larger than 4 MB');
  });

  test('a server that never answers, and one that drips', async () => {
    pages.set('/silent', () => {});
    pages.set('/drip', (_, response) => response.write('x'));
    for (const path of ['/silent', '/drip']) {
      const clock = manualClock();
      const fetched = fetching(clock)(`${site}${path}`, never);
      await clock.untilWaiting();
      await Promise.all([expect(fetched).rejects.toThrow('not there within 15 s'), clock.advance(15_000)]);
    }
  });

  test('a fetch that is not wanted any more', async () => {
    pages.set('/silent', () => {});
    const stop = new AbortController();
    const fetched = fetching()(`${site}/silent`, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(fetched).rejects.toThrow('stopped');
  });
});

test.each([
  [404, 'the answer was 404'],
  [500, 'the answer was 500'],
])('a refusal is told: %i', async (status, why) => {
  pages.set('/no', (_, response) => response.writeHead(status).end());
  await expect(get(`${site}/no`)).rejects.toThrow(why);
});

test('a server that is not there is told', async () => {
  await expect(get(`http://${outside}:1/`)).rejects.toThrow(/cannot be reached/);
});

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen');
  return address.port;
}
