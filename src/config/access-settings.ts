/** The settings that say who may speak with Docent, and how much. */

const lists = {
  SERVERS: 'servers and workspaces',
  CHANNELS: 'channels (with their threads)',
  ROLES: 'roles and user groups',
  USERS: 'people',
} as const;

function list<Name extends string>(name: Name, meaning: string) {
  return {
    name,
    unit: '',
    meaning,
    expected: 'ids with commas between them',
    fix: 'Write it like 1234567890,discord:42,slack:C024BE91L.',
  } as const;
}

const only = 'Where there is none, as in a direct message, only people on ALLOW_USERS are answered.';

export const accessSettings = [
  list('DOCENT_ADMINS', 'Ids of the people who may change how Docent works.'),
  {
    name: 'FOLLOW_ALL_THREADS',
    fallback: 'false',
    unit: '',
    meaning: 'Whether one mention makes Docent follow a thread that people have begun among themselves.',
    expected: 'true or false',
    fix: 'Leave it out for false.',
  },
  list('ALLOW_SERVERS', `Ids of the only ${lists.SERVERS} where Docent answers. ${only}`),
  list('DENY_SERVERS', `Ids of ${lists.SERVERS} where Docent does not answer.`),
  list('ALLOW_CHANNELS', `Ids of the only ${lists.CHANNELS} where Docent answers. ${only}`),
  list('DENY_CHANNELS', `Ids of ${lists.CHANNELS} where Docent does not answer.`),
  list('ALLOW_ROLES', `Ids of ${lists.ROLES}: only these and the people on ALLOW_USERS are answered.`),
  list('DENY_ROLES', `Ids of ${lists.ROLES} that are not answered.`),
  list('ALLOW_USERS', `Ids of ${lists.USERS}: only these and those of ALLOW_ROLES are answered.`),
  list('DENY_USERS', `Ids of ${lists.USERS} who are not answered.`),
  list('ALLOW_BOTS', 'Ids of bots and webhooks that are answered; all others are ignored.'),
  {
    name: 'QUOTA_MESSAGES_PER_MINUTE',
    fallback: '20',
    unit: 'messages',
    meaning:
      'Turns that one person may open in a minute; what joins a running turn is free. 0 switches the limit off.',
    expected: 'a whole number from 0 to 10000',
    fix: 'Leave it out for 20.',
  },
  {
    name: 'QUOTA_TOKENS_PER_DAY',
    unit: 'tokens',
    meaning: 'Tokens of the model that one person may use in a day. Unset: no limit.',
    expected: 'a whole number from 1 to 1000000000000',
    fix: 'Leave it out for no limit.',
  },
] as const;
