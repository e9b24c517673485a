import { describe, expect, test } from 'vitest';
import { CallId, ConversationId, EventId, UserId } from '../../src/domain/ids.ts';
import type { Inbound, InboxItem } from '../../src/domain/inbound.ts';
import type { UserContent } from '../../src/domain/message.ts';
import { type AccessRules, judge, type Sender } from '../../src/intake/policy.ts';

const conversation = ConversationId('discord:1');
const mia = UserId('discord:42');
const base = { id: EventId('m1'), author: mia, name: 'Mia', address: { surface: 'discord', place: '1' } };
const message = (content: UserContent): InboxItem => ({ ...base, kind: 'message', content });
const person: Sender = { isSelf: false, isBot: false, server: 'discord:7', channel: 'discord:70', roles: [] };
const direct: Sender = { isSelf: false, isBot: false };
const picture = { type: 'image', url: 'https://cdn.example/a.png' } as const;

interface Lists {
  readonly allow?: Partial<AccessRules['allow']>;
  readonly deny?: Partial<AccessRules['deny']>;
  readonly admins?: readonly string[];
}
function rules({ allow = {}, deny = {}, admins = [] }: Lists = {}): AccessRules {
  const none = { servers: [], channels: [], roles: [], users: [] };
  return { allow: { ...none, bots: [], ...allow }, deny: { ...none, ...deny }, admins };
}

interface Situation {
  readonly item?: InboxItem;
  readonly from?: Sender | undefined;
  readonly wanted?: Inbound['wanted'];
  readonly lists?: Lists;
  readonly botMessages?: number;
}
function verdict(situation: Situation) {
  const { item = message('hello'), wanted = 'always', lists, botMessages = 0 } = situation;
  const from = 'from' in situation ? situation.from : person;
  return judge({ conversation, item, wanted, ...(from && { from }) }, rules(lists), botMessages);
}

/** `accepted`, or why not. */
function outcome(situation: Situation): string {
  const result = verdict(situation);
  if (result.kind === 'accepted') return result.kind;
  return result.kind === 'refused' ? `refused: ${result.reason}` : result.why;
}

/** What an accepted item becomes: its kind and its words. */
function becomes(content: UserContent): [string, unknown] | string {
  const result = verdict({ item: message(content) });
  if (result.kind !== 'accepted') return outcome({ item: message(content) });
  const { item } = result.inbound;
  return [item.kind, 'content' in item ? item.content : undefined];
}

test('what somebody says goes in as it is', () => {
  const item: InboxItem = { ...base, kind: 'message', content: ' why? ', mentioned: true };
  expect(verdict({ item, wanted: 'and_follow' })).toEqual({
    kind: 'accepted',
    inbound: { conversation, item, wanted: 'and_follow' },
  });
});

describe('a stop', () => {
  test('keeps who said it, where and when', () => {
    expect(verdict({ item: { ...message('Stop!'), mentioned: true } as InboxItem })).toEqual({
      kind: 'accepted',
      inbound: { conversation, wanted: 'always', item: { ...base, kind: 'stop' }, byPart: true },
    });
  });

  test.each<[string, Situation, boolean]>([
    ['a person', {}, true],
    ['who looks after the channel', { from: { ...person, isManager: true } }, false],
    ['an admin', { lists: { admins: ['42'] } }, false],
    ['who sits at this machine', { from: undefined }, false],
  ])('of %s may be for those alone who take part', (_, situation, expected) => {
    const kinds = [message('stop'), { ...base, kind: 'new' } as const];
    for (const item of kinds) {
      const result = verdict({ ...situation, item });
      expect(result.kind === 'accepted' && result.inbound.byPart === true).toBe(expected);
    }
    expect(verdict({ ...situation, item: message('why?') })).not.toHaveProperty('inbound.byPart');
  });

  test.each([
    'stop',
    'STOP',
    ' Stop. ',
    'stop!!!',
    'stop !',
    '/stop',
    'stopp',
    'Halt!',
    '停',
    '停止。',
    '停！',
    'ARRÊTE',
    'arre\u0302te',
    'arrete',
    'стоп',
    'ストップ',
    '그만',
    'توقف',
  ])('is the whole message %j', (text) => {
    expect(becomes(text)).toEqual(['stop', undefined]);
  });

  test.each([
    'stop it',
    'please stop',
    'stop?',
    'stop, wrong topic',
    'stopstop',
    'nonstop',
    '"stop"',
    'para que',
    '停车',
    `${'!'.repeat(50)}stop`,
    `stop${'!'.repeat(50)}`,
  ])('is not in %j', (text) => {
    expect(becomes(text)).toEqual(['message', text]);
  });

  test('is no word beside a picture', () => {
    const content = [{ type: 'text', text: 'stop' } as const, picture];
    expect(becomes(content)).toEqual(['message', content]);
    expect(becomes([{ type: 'text', text: 'stop' }])).toEqual(['stop', undefined]);
  });
});

describe('/next', () => {
  test.each([
    ['/next what is a limit?', 'what is a limit?'],
    ['  /NEXT\n\nwhat is a limit?', 'what is a limit?'],
    ['/next /next again', '/next again'],
    ['/next stop', 'stop'],
  ])('%j waits for its turn', (text, rest) => {
    expect(becomes(text)).toEqual(['next', rest]);
  });

  test.each(['/nextday', 'what comes /next ?', 'next'])('is not in %j', (text) => {
    expect(becomes(text)).toEqual(['message', text]);
  });

  test('with a picture keeps the picture, with nothing it is nothing', () => {
    expect(becomes([picture, { type: 'text', text: '/next this one' }])).toEqual([
      'next',
      [picture, { type: 'text', text: 'this one' }],
    ]);
    expect(becomes('/next')).toBe('blank');
    expect(becomes(' /next  ')).toBe('blank');
  });
});

describe('nothing at all', () => {
  test.each(['', '  \n\t', '\u200b\u2060\ufeff', '\u2800\u3164', '\u0000'])('%j is ignored', (text) => {
    expect(becomes(text)).toBe('blank');
  });

  test('in several parts is ignored, a picture alone is not', () => {
    expect(becomes([])).toBe('blank');
    expect(becomes([{ type: 'text', text: ' ' }])).toBe('blank');
    expect(becomes([picture])).toEqual(['message', [picture]]);
  });

  test.each(['0', '?', '👍', '·', 'é'])('%j is something', (text) => {
    expect(becomes(text)).toEqual(['message', text]);
  });
});

test('answers, timeouts and notes are no words of command', () => {
  const callId = CallId('c');
  const answer: InboxItem = {
    ...base,
    kind: 'answer',
    callId,
    answers: { answers: [], by: mia, at: '2026-12-01T09:00:00.000Z' },
  };
  for (const item of [
    answer,
    { ...base, kind: 'timeout', callId },
    { ...base, kind: 'supersede', callId },
    { ...base, kind: 'stop' },
    { ...base, kind: 'note', content: 'stop' },
    { ...base, kind: 'next', content: '/next one' },
  ] as InboxItem[]) {
    expect(verdict({ item })).toMatchObject({ kind: 'accepted', inbound: { item } });
  }
});

describe('programs', () => {
  const bot = { ...person, isBot: true };
  test.each<[string, Situation, string]>([
    ['Docent itself', { from: { ...person, isSelf: true } }, 'self'],
    [
      'Docent itself, also when it is listed',
      { from: { ...bot, isSelf: true }, lists: { allow: { bots: ['42'] } } },
      'self',
    ],
    ['a bot', { from: bot }, 'bot'],
    ['a bot that addresses Docent', { from: bot, wanted: 'and_follow' }, 'bot'],
    ['a bot on the list of people', { from: bot, lists: { allow: { users: ['42'] } } }, 'bot'],
    ['a bot on the list of bots', { from: bot, lists: { allow: { bots: ['42'] } } }, 'accepted'],
    [
      'its 20th message in a minute',
      { from: bot, botMessages: 19, lists: { allow: { bots: ['42'] } } },
      'accepted',
    ],
    [
      'its 21st message in a minute',
      { from: bot, botMessages: 20, lists: { allow: { bots: ['42'] } } },
      'bot_loop',
    ],
    ['the 21st message of a person', { botMessages: 20 }, 'accepted'],
    [
      'a listed bot where only some people are',
      { from: bot, lists: { allow: { bots: ['42'], users: ['9'] } } },
      'accepted',
    ],
    [
      'a listed bot in a denied channel',
      { from: bot, lists: { allow: { bots: ['42'] }, deny: { channels: ['70'] } } },
      'not_allowed',
    ],
  ])('%s: %#', (_, situation, expected) => {
    expect(outcome(situation)).toBe(expected);
  });
});

describe('lists', () => {
  const withRole = { ...person, roles: ['discord:5', 'discord:6'] };
  test.each<[string, Situation, string]>([
    ['no list: everybody', {}, 'accepted'],
    ['an allowed server', { lists: { allow: { servers: ['discord:7'] } } }, 'accepted'],
    ['another server', { lists: { allow: { servers: ['8'] } } }, 'refused: place'],
    ['a denied server', { lists: { deny: { servers: ['7'] } } }, 'refused: place'],
    ['an allowed channel', { lists: { allow: { channels: ['70'] } } }, 'accepted'],
    [
      'another channel of an allowed server',
      { lists: { allow: { servers: ['7'], channels: ['71'] } } },
      'refused: place',
    ],
    [
      'a denied channel of an allowed server',
      { lists: { allow: { servers: ['7'] }, deny: { channels: ['70'] } } },
      'refused: place',
    ],
    ['an allowed person', { lists: { allow: { users: ['discord:42'] } } }, 'accepted'],
    ['another person', { lists: { allow: { users: ['43'] } } }, 'refused: person'],
    ['a denied person', { lists: { allow: { users: ['42'] }, deny: { users: ['42'] } } }, 'refused: person'],
    ['an allowed role', { from: withRole, lists: { allow: { roles: ['6'] } } }, 'accepted'],
    ['no allowed role', { from: withRole, lists: { allow: { roles: ['9'] } } }, 'refused: person'],
    ['no allowed role, but named', { lists: { allow: { roles: ['9'], users: ['42'] } } }, 'accepted'],
    [
      'an allowed role, not named',
      { from: withRole, lists: { allow: { roles: ['5'], users: ['43'] } } },
      'accepted',
    ],
    [
      'a denied role among allowed ones',
      { from: withRole, lists: { allow: { roles: ['5'] }, deny: { roles: ['6'] } } },
      'refused: person',
    ],
    [
      'named, but in another server',
      { lists: { allow: { servers: ['8'], users: ['42'] } } },
      'refused: place',
    ],
    ['a direct message', { from: direct }, 'accepted'],
    [
      'a direct message where only a server is allowed',
      { from: direct, lists: { allow: { servers: ['7'] } } },
      'refused: place',
    ],
    [
      'the same by a person who is named',
      { from: direct, lists: { allow: { servers: ['7'], users: ['42'] } } },
      'accepted',
    ],
    [
      'a direct message where only a role is allowed',
      { from: direct, lists: { allow: { roles: ['5'] } } },
      'refused: person',
    ],
    [
      'the operator, whatever is listed',
      { from: undefined, lists: { allow: { users: ['1'], servers: ['1'] } } },
      'accepted',
    ],
    ['an id that only ends alike', { lists: { allow: { users: ['2'] } } }, 'refused: person'],
    ['the id of another surface', { lists: { allow: { users: ['slack:42'] } } }, 'refused: person'],
  ])('%s: %#', (_, situation, expected) => {
    expect(outcome(situation)).toBe(expected);
  });

  test.each(['slack:T1:U2', 'slack:U2', 'U2'])('%s names a person of a workspace', (entry) => {
    const item: InboxItem = { ...message('hello'), author: UserId('slack:T1:U2') };
    expect(outcome({ item, lists: { allow: { users: [entry] } } })).toBe('accepted');
    expect(outcome({ item, lists: { deny: { users: [entry] } } })).toBe('refused: person');
  });

  test('what was not meant for Docent, and notes, are passed over in silence', () => {
    const lists = { deny: { users: ['42'] } };
    expect(outcome({ lists, wanted: 'if_followed' })).toBe('not_allowed');
    expect(outcome({ lists, item: { ...base, kind: 'note', content: 'hm' } })).toBe('not_allowed');
    expect(outcome({ lists, wanted: 'and_follow' })).toBe('refused: person');
    expect(outcome({ lists, item: message('  '), wanted: 'and_follow' })).toBe('blank');
  });

  test('what comes from no person is not judged by them', () => {
    const item: InboxItem = { id: EventId('t'), address: base.address, kind: 'next', content: 'a due task' };
    expect(outcome({ item, lists: { allow: { users: ['1'] } } })).toBe('accepted');
  });
});

describe('a message with files', () => {
  const withFiles = (text: string, ...names: string[]): InboxItem => ({
    ...base,
    kind: 'message',
    content: text,
    files: names.map((name, at) => ({ id: `f${at}`, name, source: 'here' })),
  });
  const accepted = (item: InboxItem) => {
    const result = verdict({ item });
    return result.kind === 'accepted' ? result.inbound.item : undefined;
  };

  test('needs no words, and is no stop whatever they are', () => {
    expect(accepted(withFiles('', 'a.md'))).toMatchObject({ kind: 'message', content: '' });
    expect(accepted(withFiles('stop', 'a.md'))).toMatchObject({ kind: 'message', content: 'stop' });
    expect(accepted(withFiles('/next', 'a.md'))).toMatchObject({ kind: 'next', content: '' });
    expect(accepted(withFiles(''))).toBeUndefined();
  });

  test('has at most ten, under names that can be shown; the rest is counted', () => {
    const names = Array.from({ length: 13 }, (_, at) => `../${at}\u202E.md`);
    const item = accepted(withFiles('look', ...names));
    expect(item).toMatchObject({ filesLeftOut: 3 });
    const files = item !== undefined && 'content' in item ? item.files : undefined;
    expect(files?.map(({ name }) => name)).toEqual(Array.from({ length: 10 }, (_, at) => `${at}.md`));
  });
});
