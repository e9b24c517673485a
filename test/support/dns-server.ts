/** A name server on loopback, with the answers of a test: A and AAAA records of one name each time it is asked. */
import { createSocket } from 'node:dgram';
import { promises as dns, type LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';

export interface DnsServer {
  /** Asks it, and nobody else. */
  resolve(name: string): Promise<readonly LookupAddress[]>;
  close(): void;
}

/** `answer` is asked once for each lookup of a name: which addresses it has this time. */
export async function startDns(answer: (name: string, nth: number) => readonly string[]): Promise<DnsServer> {
  const asked = new Map<string, number>();
  const current = new Map<string, readonly string[]>();
  const socket = createSocket('udp4', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    const wanted = (current.get(name) ?? []).filter((ip) => isIPv6(ip) === (type === aaaa));
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(wanted.length === 0 && current.get(name)?.length === 0 ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(wanted.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, query.subarray(12, end), ...wanted.map(record)]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new dns.Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    async resolve(name) {
      const nth = (asked.get(name) ?? 0) + 1;
      asked.set(name, nth);
      current.set(name.toLowerCase(), answer(name, nth));
      const [v4, v6] = await Promise.all([
        resolver.resolve4(name).catch(() => []),
        resolver.resolve6(name).catch(() => []),
      ]);
      return [
        ...v4.map((address) => ({ address, family: 4 })),
        ...v6.map((address) => ({ address, family: 6 })),
      ];
    },
    close: () => socket.close(),
  };
}

const aaaa = 28;

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Points to the name of the question; it may be kept for no time at all. */
function record(ip: string): Buffer {
  const bytes = isIPv6(ip) ? bytes16(ip) : Buffer.from(ip.split('.').map(Number));
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(isIPv6(ip) ? aaaa : 1, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}

function bytes16(ip: string): Buffer {
  const [front = '', back] = ip.split('::');
  const words = (part: string) => part.split(':').filter((word) => word !== '');
  const before = words(front);
  const after = back === undefined ? [] : words(back);
  const gap = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return Buffer.from([...before, ...gap, ...after].map((word) => word.padStart(4, '0')).join(''), 'hex');
}
