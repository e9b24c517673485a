/** Whether something said on a surface moves a conversation, and as what. Pure: no store, no clock. */
import { cleanFileName, maxFiles } from '../domain/file.ts';
import type { UserId } from '../domain/ids.ts';
import type { Inbound, InboxItem, SaidItem } from '../domain/inbound.ts';
import { textOf, type UserContent } from '../domain/message.ts';
import { isStopWord } from './stop-words.ts';

/** What a surface has seen, and who it comes from. */
export interface Candidate extends Inbound {
  /** Absent only at the terminal of this machine and on a page opened with WEB_TOKEN: no rule about people applies there. */
  readonly from?: Sender;
}

/** Ids as in `UserId`: the surface, then the platform's own id. */
export interface Sender {
  /** Docent itself. */
  readonly isSelf: boolean;
  /** Any other program: a bot, an app, a webhook. */
  readonly isBot: boolean;
  /** Server or workspace; absent where there is none. */
  readonly server?: string;
  /** The channel, also of what is said in one of its threads; absent in a direct message. */
  readonly channel?: string;
  /** Roles and user groups of the author, as far as they are known. */
  readonly roles?: readonly string[];
  /** The author looks after the channel. */
  readonly isManager?: true;
}

/** Who may speak with Docent, and where. An empty list is no rule. */
export interface AccessRules {
  readonly allow: IdLists & { readonly bots: readonly string[] };
  readonly deny: IdLists;
  /** They may do everything everywhere. */
  readonly admins: readonly string[];
}

interface IdLists {
  readonly servers: readonly string[];
  readonly channels: readonly string[];
  readonly roles: readonly string[];
  readonly users: readonly string[];
}

export type Verdict =
  | { readonly kind: 'accepted'; readonly inbound: Inbound }
  | { readonly kind: 'ignored'; readonly why: Unheard }
  /** Somebody asked and may not: worth one short, private line. */
  | { readonly kind: 'refused'; readonly reason: Refusal };

export type Unheard = 'self' | 'bot' | 'bot_loop' | 'blank' | 'not_allowed';
/** `place`: not in this server or channel. `person`: not with this person. */
export type Refusal = 'place' | 'person';

/** Two bots that answer each other would never end. Unit: messages of one bot in a minute. */
const BOT_MESSAGES_PER_MINUTE = 20;

/** `botMessages`: how many of this author were accepted within the last minute; only counts for bots. */
export function judge(candidate: Candidate, rules: AccessRules, botMessages: number): Verdict {
  const { conversation, wanted, from } = candidate;
  const { author } = candidate.item;
  if (from?.isSelf) return ignored('self');
  if (from?.isBot) {
    if (!isOn(rules.allow.bots, author)) return ignored('bot');
    if (botMessages >= BOT_MESSAGES_PER_MINUTE) return ignored('bot_loop');
  }
  const item = understood(candidate.item);
  if (item === undefined) return ignored('blank');
  const reason = from === undefined || author === undefined ? undefined : refusalOf(author, from, rules);
  if (reason === undefined) {
    const byPart = isForPart(item) && from !== undefined && !from.isManager && !isOn(rules.admins, author);
    return { kind: 'accepted', inbound: { conversation, item, wanted, ...(byPart && { byPart }) } };
  }
  const hasAsked = wanted !== 'if_followed' && item.kind !== 'note' && !from?.isBot;
  return hasAsked ? { kind: 'refused', reason } : ignored('not_allowed');
}

/** Ends what others have asked, or hides what was said to them. */
function isForPart({ kind }: InboxItem): boolean {
  return kind === 'stop' || kind === 'new';
}

function ignored(why: Unheard): Verdict {
  return { kind: 'ignored', why };
}

/** A message may be a command in disguise; `undefined` when nothing is in it. */
function understood(item: InboxItem): InboxItem | undefined {
  if (!('content' in item)) return item;
  const { id, author, name, address, content } = item;
  const hasFiles = item.files !== undefined && item.files.length > 0;
  if (item.kind !== 'note' && !hasFiles && isOnlyText(content) && isStopWord(textOf(content)))
    return { kind: 'stop', id, address, ...(author && { author }), ...(name && { name }) };
  const next = item.kind === 'message' ? afterNext(content) : undefined;
  const said: SaidItem = next === undefined ? item : { ...item, kind: 'next', content: next };
  if (hasFiles) return withCleanFiles(said);
  return isBlank(said.content) ? undefined : said;
}

/** As many as a message may have, under names that can be shown. */
function withCleanFiles(item: SaidItem): SaidItem {
  const given = item.files ?? [];
  const files = given.slice(0, maxFiles).map((file) => ({ ...file, name: cleanFileName(file.name) }));
  const left = given.length - files.length;
  return { ...item, files, ...(left > 0 && { filesLeftOut: left }) };
}

const nextCommand = /^\s*\/next(?:\s+|$)/iu;

/** What follows `/next`, if the first text begins with it. */
function afterNext(content: UserContent): UserContent | undefined {
  if (typeof content === 'string')
    return nextCommand.test(content) ? content.replace(nextCommand, '') : undefined;
  const first = content.findIndex((part) => part.type === 'text');
  const part = content[first];
  if (part?.type !== 'text' || !nextCommand.test(part.text)) return undefined;
  return content.with(first, { type: 'text', text: part.text.replace(nextCommand, '') });
}

function isOnlyText(content: UserContent): boolean {
  return typeof content === 'string' || content.every((part) => part.type === 'text');
}

/** Nothing to see: spaces, characters without a shape, and the blanks that count as letters or symbols. */
function isBlank(content: UserContent): boolean {
  return isOnlyText(content) && !/[^\s\p{C}\u115f\u1160\u2800\u3164\uffa0]/u.test(textOf(content));
}

/**
 * What is denied is denied. Where only certain places are allowed, what has no such place (a direct message) counts
 * when its author is named; where only certain people are, a role or the name is enough.
 */
export function refusalOf(author: UserId, from: Sender, { allow, deny }: AccessRules): Refusal | undefined {
  const { server, channel, roles = [] } = from;
  const hasRoleOn = (list: readonly string[]) => roles.some((role) => isOn(list, role));
  const isNamed = isOn(from.isBot ? allow.bots : allow.users, author);
  const isOutside = (list: readonly string[], place: string | undefined) =>
    list.length > 0 && !(place === undefined ? isNamed : isOn(list, place));

  if (isOn(deny.servers, server) || isOn(deny.channels, channel)) return 'place';
  if (isOn(deny.users, author) || hasRoleOn(deny.roles)) return 'person';
  if (isOutside(allow.servers, server) || isOutside(allow.channels, channel)) return 'place';
  const isAnybodyAllowed = allow.users.length === 0 && allow.roles.length === 0;
  return isAnybodyAllowed || isNamed || hasRoleOn(allow.roles) ? undefined : 'person';
}

/** A list may name `slack:T1:U2` in full, as `slack:U2`, or by the platform's id alone. */
export function isOn(list: readonly string[], id: string | undefined): boolean {
  if (id === undefined || list.length === 0) return false;
  const own = id.slice(id.lastIndexOf(':') + 1);
  const surface = id.slice(0, id.indexOf(':'));
  return list.includes(id) || list.includes(own) || list.includes(`${surface}:${own}`);
}
