/** The settings of Docent as a service: where it keeps, listens, how much it does at a time, how long things last. */

export const serviceSettings = [
  {
    name: 'REDIS_URL',
    unit: '',
    meaning: 'Redis that keeps everything. Unset: Docent runs one of its own in DOCENT_DATA.',
    expected: 'an address that begins with redis://, rediss://, redis+cluster:// or redis+sentinel://',
    fix: 'Write it like redis://localhost:6379/0.',
    isSecret: true,
  },
  {
    name: 'HOST',
    fallback: '127.0.0.1',
    unit: '',
    meaning: 'Address to listen on for the web page and health checks; 0.0.0.0 for every network.',
    expected: 'the name or address of this machine',
    fix: 'Leave it out for 127.0.0.1.',
  },
  {
    name: 'PORT',
    fallback: '3000',
    unit: '',
    meaning: 'Port to listen on; 0 takes a free one, and the start line says which.',
    expected: 'a whole number from 0 to 65535',
    fix: 'Leave it out for 3000.',
  },
  {
    name: 'WEB_TOKEN',
    unit: '',
    meaning:
      'What opens the web page. Needed by the roles web and all when HOST can be reached from other machines.',
    expected: 'a token without spaces or line breaks',
    fix: 'Make one with: openssl rand -hex 32',
    isSecret: true,
  },
  {
    name: 'DEFAULT_TZ',
    unit: '',
    meaning: 'Time zone of learners whose own is not known. Unset: that of this machine.',
    expected: 'a time zone of the IANA database',
    fix: 'Write it like Europe/Berlin.',
  },
  {
    name: 'TURN_CONCURRENCY',
    fallback: '200',
    unit: 'turns',
    meaning: 'Turns that one worker runs at the same time.',
    expected: 'a whole number from 1 to 10000',
    fix: 'Leave it out for 200.',
  },
  {
    name: 'LOCK_MS',
    fallback: '15000',
    unit: 'milliseconds',
    meaning: 'How long a worker may show no sign of life until another one takes its turns over.',
    expected: 'a whole number from 1000 to 600000',
    fix: 'Leave it out for 15000.',
  },
  {
    name: 'POISON_LIMIT',
    fallback: '2',
    unit: 'crashes',
    meaning: 'How often a process may die at the same step of a turn until the turn is given up.',
    expected: 'a whole number from 1 to 1000',
    fix: 'Leave it out for 2.',
    isInternal: true,
  },
  {
    name: 'RETENTION_DAYS',
    fallback: '180',
    unit: 'days',
    meaning: 'How long a conversation is kept after its last turn.',
    expected: 'a whole number from 1 to 3650',
    fix: 'Leave it out for 180.',
  },
  {
    name: 'CATCH_UP_MAX_AGE',
    fallback: '24h',
    unit: '',
    meaning:
      'Messages missed while Docent was away are answered up to this age, written like 30s, 15m, 24h or 7d.',
    expected: 'a whole number with s, m, h or d, at most 365d',
    fix: 'Write it like 24h.',
  },
  {
    name: 'MAX_BLOB_BYTES',
    fallback: '1GiB',
    unit: '',
    meaning:
      'How much the files of all conversations may take together, written like 512MiB, 1GiB or in bytes.',
    expected: 'a number of bytes, or a number with KiB, MiB, GiB or TiB',
    fix: 'Write it like 512MiB.',
  },
  {
    name: 'DOCENT_SECRET',
    unit: '',
    meaning:
      'Signs what comes back from buttons and links; the same in every process. Unset: made once and kept in DOCENT_DATA.',
    expected: 'at least 16 characters without spaces or line breaks',
    fix: 'Make one with: openssl rand -hex 32',
    isSecret: true,
  },
] as const;
