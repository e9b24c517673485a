/** Why a connection to the Redis of REDIS_URL fails, in one sentence with its remedy. */

/** `isCluster` says that the URL asks for a cluster. The answer never holds the password. */
export function connectionProblem(error: Error, isCluster: boolean): string {
  const { message } = causeOf(error);
  const known = reasons.find(({ when }) => when.test(message));
  if (known) return `REDIS_URL: ${known.say}`;
  const what = isCluster ? 'the cluster' : 'Redis';
  return `REDIS_URL: ${what} cannot be used (${message}). Check the address and that it runs, or unset REDIS_URL and Docent runs one of its own.`;
}

/** A cluster client wraps what its nodes said. */
export function causeOf(error: Error): Error {
  return 'lastNodeError' in error && error.lastNodeError instanceof Error ? error.lastNodeError : error;
}

const reasons: readonly { readonly when: RegExp; readonly say: string }[] = [
  {
    when: /^WRONGPASS|invalid password/i,
    say: 'wrong user or password. Write redis://user:password@host:port, without a user for the default one.',
  },
  {
    when: /^NOAUTH/,
    say: 'this Redis asks for a password. Write redis://:password@host:port.',
  },
  {
    when: /^NOPERM/,
    say: 'this user may not do what Docent needs. Allow it with: ACL SETUSER <user> ~* &* +@all.',
  },
  {
    when: /cluster support disabled/i,
    say: 'this Redis is no cluster. Write redis:// instead of redis+cluster://.',
  },
  {
    when: /^MOVED/,
    say: 'this Redis is a node of a cluster. Write redis+cluster:// instead of redis://.',
  },
  {
    when: /^CLUSTERDOWN/,
    say: 'the cluster is down. See redis-cli CLUSTER INFO; every slot needs a node.',
  },
  {
    when: /unknown command '?sentinel/i,
    say: 'what answers there is no sentinel. Write redis:// for a single server; sentinels mostly listen on 26379.',
  },
  {
    when: /unknown command|NOPROTO/i,
    say: 'this server lacks commands that Docent needs. Use Redis 6.2 or newer, or Valkey.',
  },
  {
    when: /DB index is out of range/i,
    say: 'there is no database with this number. Use a lower one, mostly 0 to 15.',
  },
  {
    when: /sentinels are unreachable/i,
    say: 'no sentinel answers, or none knows this group. Check hosts, ports and name: redis+sentinel://host:port,host:port/name.',
  },
  {
    when: /wrong version number|packet length too long|SSL routines|before secure TLS connection/i,
    say: 'this server does not speak TLS. Write redis:// instead of rediss://.',
  },
  {
    when: /certificate/i,
    say: 'the certificate of this Redis is not trusted. Name its authority in NODE_EXTRA_CA_CERTS, and use the host name it was made for.',
  },
  {
    when: /ENOTFOUND|EAI_AGAIN/,
    say: 'its host name is not known. Check the spelling and the name service.',
  },
  {
    when: /ECONNREFUSED|ENOENT|^Connection is closed/,
    say: 'nothing listens at this address. Start Redis there, or unset REDIS_URL and Docent runs one of its own.',
  },
  {
    when: /ECONNRESET/,
    say: 'this server ends the connection. If it wants TLS, write rediss:// instead of redis://.',
  },
  {
    when: /ETIMEDOUT|timed out|no answer/i,
    say: 'nothing answers at this address. Check host, port and firewall, and write rediss:// only for a server with TLS.',
  },
  {
    when: /RESP type|Protocol error/,
    say: 'this server is no Redis. Check the port; the usual one is 6379.',
  },
];
