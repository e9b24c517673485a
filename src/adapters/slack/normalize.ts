/** A message of Slack → what it says to which conversation. Pure: what has to be looked up is told by whoever calls. */
import type { SurfaceAddress } from '../../domain/address.ts';
import { cutText } from '../../domain/cut-text.ts';
import type { FileRef } from '../../domain/file.ts';
import { EventId } from '../../domain/ids.ts';
import type { SaidItem } from '../../domain/inbound.ts';
import type { Heard } from '../../gateway/said.ts';
import { fileSource } from './file-source.ts';
import type { SaidMessage, SlackFile } from './payloads.ts';
import { conversationAt, placeName, type SlackPlace, surfaceName, userOf } from './place.ts';
import { mentionedIn, mentionsGroup, saidText } from './said-text.ts';

/** A message, and the channel it stands in. */
export interface HeardMessage extends SaidMessage {
  readonly team: string;
  readonly channel: string;
  /** `channel`, `group`, `mpim`, `im`; an `app_mention` does not say. */
  readonly channel_type?: string | null | undefined;
}

/** Who the bot is in this workspace, and who wrote. */
export interface Scene {
  readonly bot: Identity;
  readonly followAllThreads: boolean;
  /** As far as it is known. */
  readonly nameOf: (person: string) => string | undefined;
  /** Of whoever wrote it, as far as it is known (BCP 47). */
  readonly locale: string | undefined;
  /** Whoever wrote it looks after the channel, as far as it is known. */
  readonly isManager?: boolean | undefined;
  /** User groups of whoever wrote it, as far as they matter. */
  readonly groups?: readonly string[];
}

export interface Identity {
  /** The workspace. */
  readonly team: string;
  /** As people mention it. */
  readonly user: string;
  /** As its own messages name it. */
  readonly bot: string;
  /** Direct messages are sessions: each first message begins a thread. */
  readonly hasSessions: boolean;
}

/** What people write; all else is said by Slack. */
export const saidKinds: ReadonlySet<string | undefined> = new Set([
  undefined,
  'file_share',
  'thread_broadcast',
  'me_message',
  'bot_message',
]);
/** A title is shown in fewer; a question may begin with much that is left out of it. */
const titleChars = 300;

export function isOwn({ user, bot_id: bot }: Pick<SaidMessage, 'user' | 'bot_id'>, own: Identity): boolean {
  return user === own.user || bot === own.bot;
}

/** Undefined: it is none of the bot's business, whatever the store knows. */
export function heard(message: HeardMessage, scene: Scene): Heard | undefined {
  const { bot, followAllThreads } = scene;
  const { text: raw } = message;
  const text = raw ?? '';
  const author = message.user ?? message.bot_id;
  if (!saidKinds.has(message.subtype) || isOwn(message, bot) || !author) return undefined;
  const people = mentionedIn(text);
  const isAddressed = people.includes(bot.user);
  const isDirect = isDirectMessage(message);
  const inThread = isReply(message);
  if (!isAddressed && !isDirect && (!inThread || people.length > 0 || mentionsGroup(text))) return undefined;
  const joinsTalk = inThread && isAddressed && !isDirect;
  return {
    conversation: conversationAt(talkOf(message, bot)),
    item: { ...itemOf(message, scene, author, isAddressed), ...(joinsTalk && { joinsTalk: true }) },
    wanted: isDirect
      ? 'always'
      : !isAddressed
        ? 'if_followed'
        : inThread && !followAllThreads
          ? 'always'
          : 'and_follow',
    from: {
      isSelf: false,
      isBot: isBotMessage(message),
      server: `${surfaceName}:${message.team}`,
      ...(!isDirect && { channel: `${surfaceName}:${message.channel}` }),
      ...(scene.isManager === true && { isManager: true }),
      ...(scene.groups !== undefined && { roles: scene.groups.map((group) => `${surfaceName}:${group}`) }),
    },
  };
}

export function isReply({ ts, thread_ts: thread }: Pick<SaidMessage, 'ts' | 'thread_ts'>): boolean {
  return Boolean(thread) && thread !== ts;
}

/** An `app_mention` does not tell, but ids of direct conversations begin with D. */
export function isDirectMessage({
  channel,
  channel_type: type,
}: Pick<HeardMessage, 'channel' | 'channel_type'>): boolean {
  return type === 'im' || (!type && channel.startsWith('D'));
}

/** The conversation: a thread, also one that an answer begins; a direct conversation without sessions is one as a whole. */
export function talkOf(
  { team, channel, channel_type, ts, thread_ts: thread }: HeardMessage,
  { hasSessions }: Pick<Identity, 'hasSessions'>,
): SlackPlace {
  const root = thread || (isDirectMessage({ channel, channel_type }) && !hasSessions ? undefined : ts);
  return { team, channel, ...(root !== undefined && { thread: root }) };
}

/** Where it was written: at the root of a channel there is no thread yet. */
function placeOf(message: HeardMessage, bot: Identity): SlackPlace {
  const { team, channel } = message;
  const isRoot = !isReply(message) && !isDirectMessage(message);
  return isRoot ? { team, channel } : talkOf(message, bot);
}

function itemOf(message: HeardMessage, scene: Scene, author: string, isAddressed: boolean): SaidItem {
  const { ts, team, user_team: ownTeam } = message;
  const text = saidText(message.text ?? '', scene.nameOf, scene.bot.user);
  const quoted = quotedIn(message, scene);
  const content = [quoted?.text ?? '', text].filter((part) => part !== '').join('\n\n');
  const files = [...filesOf(team, message.files), ...(quoted?.files ?? [])];
  const name = scene.nameOf(author) ?? message.username ?? undefined;
  const address: SurfaceAddress = {
    surface: surfaceName,
    place: placeName(placeOf(message, scene.bot)),
    replyTo: ts,
    title: cutText(text === '' ? (quoted?.title ?? '') : text, titleChars),
    ...(message.user && { recipient: `${ownTeam ?? team}:${message.user}` }),
    ...(scene.locale !== undefined && { locale: scene.locale }),
  };
  return {
    kind: 'message',
    id: EventId(ts),
    author: userOf(author),
    ...(name !== undefined && { name }),
    address,
    content,
    ...(files.length > 0 && { files }),
    ...(isAddressed && { mentioned: true }),
  };
}

/** Other programs: those of today write as a user, those of old under a name. */
function isBotMessage({ bot_id: bot, subtype }: SaidMessage): boolean {
  return Boolean(bot) || subtype === 'bot_message';
}

interface Quoted {
  readonly text: string;
  readonly title: string;
  readonly files: readonly FileRef[];
}

/** A message that somebody forwards, or whose address they write: part of what they ask. */
function quotedIn({ attachments, team }: HeardMessage, { nameOf, bot }: Scene): Quoted | undefined {
  const shared = (attachments ?? []).find((each) => each.is_share || each.is_msg_unfurl);
  if (shared === undefined) return undefined;
  const title = saidText(shared.text ?? '', nameOf, bot.user);
  const by = shared.author_name ? ` of ${shared.author_name}` : '';
  return {
    text: `[A message${by} was forwarded:]\n${title}\n[End of the forwarded message.]`,
    title,
    files: filesOf(team, shared.files),
  };
}

/** A file that was deleted, or lies elsewhere, has no address. */
export function filesOf(team: string, files: readonly SlackFile[] | null | undefined): FileRef[] {
  return (files ?? []).flatMap(({ id, name, mimetype: type, size, url_private: url }) =>
    url
      ? {
          id,
          name: name ?? id,
          ...(size != null && { bytes: size }),
          ...(type && { type }),
          source: fileSource({ team, file: id, type: type ?? undefined, url }),
        }
      : [],
  );
}
