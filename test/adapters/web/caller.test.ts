import { expect, test } from 'vitest';
import { callerOf } from '../../../src/adapters/web/caller.ts';

const from = (peer: string, forwarded?: string) =>
  callerOf(
    new Request('http://docent.example/', {
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    }),
    peer,
  );

test.each([
  ['its own', '192.0.2.7', undefined, '192.0.2.7'],
  ['its own, written as IPv6', '::ffff:192.0.2.7', undefined, '192.0.2.7'],
  ['its own: from afar the header is not believed', '192.0.2.7', '198.51.100.1', '192.0.2.7'],
  ['its own: nor from a machine nearby', '10.0.0.5', '198.51.100.1', '10.0.0.5'],
  ['what a proxy here has added', '127.0.0.1', '198.51.100.1, 192.0.2.7', '192.0.2.7'],
  ['what a proxy here has added, over IPv6', '::1', '192.0.2.7', '192.0.2.7'],
  ['this machine', '127.0.0.1', undefined, '127.0.0.1'],
  ['this machine, with nothing in the header', '127.0.0.1', '', '127.0.0.1'],
  ['the network of an IPv6 address', '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2'],
  ['the same, written shorter', '2001:db8:1:2::9', undefined, '2001:db8:1:2'],
  ['the same, with zeros in front', '127.0.0.1', '2001:0db8:0001:0002::9', '2001:db8:1:2'],
  ['an IPv6 address without a middle', '2001:db8::1', undefined, '2001:db8:0:0'],
])('a request counts for %s', (_what, peer, forwarded, caller) => {
  expect(from(peer, forwarded)).toBe(caller);
});
