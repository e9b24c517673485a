/** Channels, their history, and the people in them. */
import { channelPayload, messagePayload, personPayload } from '../world/payloads.ts';
import type { Channel, Json, Message } from '../world/world.ts';
import { channelOf, ownChannel, personIn } from './find.ts';
import { type Call, isTrue, type Methods, textOf } from './method.ts';
import { refusal } from './refusal.ts';

const kindScopes = { channel: 'channels', group: 'groups', im: 'im', mpim: 'mpim' } as const;

const scopeFor =
  (what: 'read' | 'history') =>
  ({ slack, args }: Call): string => {
    const kind = slack.world.channels.get(textOf(args['channel']))?.kind ?? 'channel';
    return `${kindScopes[kind]}:${what}`;
  };

const pages = ['cursor', 'limit', 'oldest', 'latest', 'inclusive', 'include_all_metadata'];

export const conversationMethods: Methods = {
  'conversations.info': {
    token: 'bot',
    scope: scopeFor('read'),
    rate: 'tier_3',
    needs: ['channel'],
    takes: ['channel', 'include_locale', 'include_num_members'],
    handle: (call) => ({ channel: channelPayload(channelOf(call), call.team.botUserId) }),
  },
  'conversations.open': {
    token: 'bot',
    scope: 'im:write',
    rate: 'tier_3',
    needs: [],
    takes: ['users', 'channel', 'return_im'],
    handle(call) {
      const [id, ...others] = textOf(call.args['users']).split(',');
      if (others.length > 0) throw refusal('invalid_arguments', 'group DMs are not part of this fake');
      const channel = id === '' ? channelOf(call) : call.slack.world.dmWith(personIn(call, id));
      return { channel: { id: channel.id } };
    },
  },
  'conversations.join': {
    token: 'bot',
    scope: 'channels:join',
    rate: 'tier_3',
    needs: ['channel'],
    takes: ['channel'],
    handle(call) {
      const channel = channelOf(call);
      channel.members.add(call.team.botUserId);
      return { channel: channelPayload(channel, call.team.botUserId) };
    },
  },
  'conversations.members': {
    token: 'bot',
    scope: scopeFor('read'),
    rate: 'tier_4',
    needs: ['channel'],
    takes: ['channel', 'cursor', 'limit'],
    handle: (call) => ({ members: [...channelOf(call).members], response_metadata: { next_cursor: '' } }),
  },
  'conversations.list': listed('tier_2', () => true),
  'users.conversations': listed('tier_3', ({ team }, { members }) => members.has(team.botUserId)),
  'conversations.history': {
    token: 'bot',
    scope: scopeFor('history'),
    rate: 'tier_3',
    needs: ['channel'],
    takes: ['channel', ...pages],
    handle(call) {
      const channel = ownChannel(call);
      const all = call.slack.world
        .messagesIn(channel.id)
        .filter((each) => isOpen(each) && (each.threadTs === undefined || each.isBroadcast));
      return page(call, all.toReversed());
    },
  },
  'conversations.replies': {
    token: 'bot',
    scope: scopeFor('history'),
    rate: 'tier_3',
    needs: ['channel', 'ts'],
    takes: ['channel', 'ts', ...pages],
    handle(call) {
      const channel = ownChannel(call);
      const { world } = call.slack;
      const named = world.message(channel.id, textOf(call.args['ts']));
      if (named === undefined || named.onlyFor !== undefined) throw refusal('thread_not_found');
      const rootTs = named.threadTs ?? named.ts;
      const replies = world.repliesTo(channel.id, rootTs);
      const root = world.message(channel.id, rootTs);
      if (root?.isDeleted === true && replies.length === 0) throw refusal('thread_not_found');
      const { messages, ...more } = page(call, replies);
      // The root comes first on every page, whatever is asked for.
      const first = root === undefined ? [] : [rootPayload(call, root)];
      return { messages: [...first, ...(messages as readonly Json[])], ...more };
    },
  },
  'users.info': {
    token: 'bot',
    scope: 'users:read',
    rate: 'tier_4',
    needs: ['user'],
    takes: ['user', 'include_locale'],
    handle(call) {
      const { locale, ...person } = personPayload(personIn(call, call.args['user']));
      return { user: { ...person, ...(isTrue(call.args['include_locale']) && { locale }) } };
    },
  },
  'bots.info': {
    token: 'bot',
    scope: 'users:read',
    rate: 'tier_3',
    needs: ['bot'],
    takes: ['bot'],
    handle({ slack, team, args }) {
      if (args['bot'] !== team.botId) throw refusal('bot_not_found', textOf(args['bot']));
      return {
        bot: {
          id: team.botId,
          name: 'Docent',
          user_id: team.botUserId,
          app_id: slack.world.appId,
          deleted: false,
        },
      };
    },
  },
  'usergroups.list': {
    token: 'bot',
    scope: 'usergroups:read',
    rate: 'tier_2',
    needs: [],
    takes: ['include_users', 'include_disabled', 'include_count'],
    handle: ({ slack, team, args }) => ({
      usergroups: [...slack.world.groups.values()]
        .filter(({ teamId }) => teamId === team.id)
        .map(({ id, handle, members }) => ({
          id,
          handle,
          name: handle,
          ...(isTrue(args['include_users']) && { users: members }),
        })),
    }),
  },
  'usergroups.users.list': {
    token: 'bot',
    scope: 'usergroups:read',
    rate: 'tier_2',
    needs: ['usergroup'],
    takes: ['usergroup', 'include_disabled'],
    handle: ({ slack, args }) => ({
      users: slack.world.groups.get(textOf(args['usergroup']))?.members ?? [],
    }),
  },
};

const isOpen = ({ isDeleted, onlyFor }: Message): boolean => !isDeleted && onlyFor === undefined;

function listed(
  rate: 'tier_2' | 'tier_3',
  isMeant: (call: Call, channel: Channel) => boolean,
): Methods[string] {
  return {
    token: 'bot',
    scope: 'channels:read',
    rate,
    needs: [],
    takes: ['types', 'cursor', 'limit', 'exclude_archived', 'user'],
    handle(call) {
      const { slack, team, args } = call;
      const types = (textOf(args['types']) || 'public_channel').split(',').map((each) => each.trim());
      const kinds = { channel: 'public_channel', group: 'private_channel', im: 'im', mpim: 'mpim' } as const;
      const all = [...slack.world.channels.values()]
        .filter((each) => each.teamId === team.id && types.includes(kinds[each.kind]))
        .filter((each) => each.kind === 'channel' || each.members.has(team.botUserId))
        .filter((each) => isMeant(call, each) && !(isTrue(args['exclude_archived']) && each.isArchived));
      const { from, to, next } = window(call, all.length, 100);
      return {
        channels: all.slice(from, to).map((each) => channelPayload(each, team.botUserId)),
        response_metadata: { next_cursor: next },
      };
    },
  };
}

/** One page of messages, in the order they are given. */
function page(call: Call, all: readonly Message[]): Json {
  const { slack, args } = call;
  const oldest = textOf(args['oldest']) || '0';
  const latest = textOf(args['latest']) || '9999999999.999999';
  const isInclusive = isTrue(args['inclusive']);
  const within = all.filter(({ ts }) => {
    const fromOldest = compareTs(ts, oldest);
    const toLatest = compareTs(ts, latest);
    return isInclusive ? fromOldest >= 0 && toLatest <= 0 : fromOldest > 0 && toLatest < 0;
  });
  const { from, to, next } = window(call, within.length, slack.historyPage);
  return {
    messages: within
      .slice(from, to)
      .map((each) => messagePayload(slack.world, slack.fileUrl, each, isTrue(args['include_all_metadata']))),
    has_more: next !== '',
    response_metadata: { next_cursor: next },
  };
}

const compareTs = (a: string, b: string): number => Number(a) - Number(b);

function window(
  { args }: Call,
  length: number,
  most: number,
): { readonly from: number; readonly to: number; readonly next: string } {
  const cursor = textOf(args['cursor']);
  const from = cursor === '' ? 0 : Number(Buffer.from(cursor, 'base64').toString().replace('next:', ''));
  if (!Number.isInteger(from)) throw refusal('invalid_cursor', cursor);
  const limit = Math.min(Number(args['limit'] ?? 100) || 100, most);
  const to = Math.min(length, from + limit);
  return { from, to, next: to < length ? Buffer.from(`next:${to}`).toString('base64') : '' };
}

/** A root that was deleted leaves a stump as long as it has replies. */
function rootPayload({ slack, args }: Call, root: Message): Json {
  const shown = messagePayload(slack.world, slack.fileUrl, root, isTrue(args['include_all_metadata']));
  if (!root.isDeleted) return shown;
  return {
    type: 'message',
    subtype: 'tombstone',
    user: 'USLACKBOT',
    text: 'This message was deleted.',
    ts: root.ts,
    thread_ts: root.ts,
    hidden: true,
  };
}
