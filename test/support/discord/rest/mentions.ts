/**
 * Whom a text really pings under the `allowed_mentions` that came with it. Stricter than Discord in one way: code blocks
 * and backslashes protect nobody, so a bot that relies on them is noticed.
 */
import { ComponentType } from 'discord-api-types/v10';
import { rules } from '../rules.ts';
import { may } from '../world/permissions.ts';
import type { Channel, Pings, Version, World } from '../world/world.ts';
import { Form } from './refusal.ts';

export interface AllowedMentions {
  readonly parse?: readonly string[];
  readonly users?: readonly string[];
  readonly roles?: readonly string[];
  readonly replied_user?: boolean;
}

/** Interactions and webhooks ping people only when nothing is said; ordinary messages everything. */
export type DefaultParsing = 'everything' | 'users';

export function checkAllowedMentions(value: unknown, form: Form): AllowedMentions | undefined {
  if (value === undefined || value === null) return undefined;
  const path = 'allowed_mentions';
  if (!form.expect(typeof value === 'object', path, 'wrong_type')) return undefined;
  const allowed = value as AllowedMentions;
  for (const kind of allowed.parse ?? [])
    form.expect(['users', 'roles', 'everyone'].includes(kind), `${path}.parse`, 'choices');
  for (const kind of ['users', 'roles'] as const) {
    const ids = allowed[kind] ?? [];
    form.expect(ids.length <= rules.mention_count.max, `${path}.${kind}`, 'mention_count');
    form.expect(
      ids.every((id) => /^\d{17,20}$/.test(id)),
      `${path}.${kind}`,
      'wrong_type',
    );
    form.expect(ids.length === 0 || allowed.parse?.includes(kind) !== true, path, 'mention_lists');
  }
  return allowed;
}

/** Everything in a message that can mention somebody: its content and the texts of the new layout. */
export function mentionableText({ content, components }: Pick<Version, 'content' | 'components'>): string {
  const textsIn = (parts: readonly unknown[]): string[] =>
    (parts as readonly Readonly<Record<string, unknown>>[]).flatMap((part) => [
      ...(part['type'] === ComponentType.TextDisplay ? [String(part['content'])] : []),
      ...textsIn((part['components'] ?? []) as unknown[]),
    ]);
  return [content, ...textsIn(components)].join('\n').trim();
}

/** `authorId` is who writes; `repliedTo` the author of the message that is replied to. */
export function pingsOf(
  world: World,
  channel: Channel,
  content: string,
  who: {
    readonly authorId: string;
    readonly allowed: AllowedMentions | undefined;
    readonly byDefault?: DefaultParsing;
    readonly repliedTo?: string | undefined;
  },
): Pings {
  const { authorId, allowed, byDefault = 'everything', repliedTo } = who;
  const parse =
    allowed === undefined
      ? byDefault === 'users'
        ? ['users']
        : ['users', 'roles', 'everyone']
      : (allowed.parse ?? []);
  const isAllowed = (kind: 'users' | 'roles', id: string) =>
    parse.includes(kind) || allowed?.[kind]?.includes(id) === true;
  const guild = world.guildOf(channel);
  const mayPingAll = may(world, channel, 'MentionEveryone', authorId);
  const reaches = (id: string) =>
    guild === undefined ? id === channel.recipientId || id === world.bot.id : guild.members.has(id);

  const named = [...content.matchAll(/<@!?(\d{17,20})>/g)].map(([, id = '']) => id);
  const isReplyPing = allowed === undefined ? true : allowed.replied_user === true;
  const users = named.filter((id) => isAllowed('users', id) && reaches(id));
  const roles = [...content.matchAll(/<@&(\d{17,20})>/g)]
    .map(([, id = '']) => id)
    .filter((id) => {
      const role = guild?.roles.get(id);
      return role !== undefined && isAllowed('roles', id) && (role.isMentionable || mayPingAll);
    });
  return {
    users: [...new Set([...users, ...(repliedTo !== undefined && isReplyPing ? [repliedTo] : [])])],
    roles: [...new Set(roles)],
    everyone: /@(?:everyone|here)/.test(content) && parse.includes('everyone') && mayPingAll,
  };
}
