/** Where a request comes from, as far as that can be trusted. */
import { isIPv6 } from 'node:net';

/**
 * The address a request is counted under. `peer` is who holds the connection. Behind a proxy on this machine it is what
 * that proxy wrote last into `X-Forwarded-For`; from anybody else the header is not believed, since whoever guesses could
 * name another address each time. A whole network of IPv6 (/64) is one address: a single machine has all of it.
 */
export function callerOf({ headers }: Request, peer: string): string {
  const near = plain(peer);
  if (!/^(?:127\.|::1$)/.test(near)) return network(near);
  const told = headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '';
  return told === '' ? near : network(plain(told));
}

/** An IPv4 address may be written as an IPv6 one. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

function network(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.split('::');
  const [front, back] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = address.includes('::') ? 8 - (front?.length ?? 0) - (back?.length ?? 0) : 0;
  const groups = [...(front ?? []), ...Array.from({ length: zeros }, () => '0'), ...(back ?? [])];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
