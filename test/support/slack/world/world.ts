/** What is in the fake Slack: workspaces, people, channels, messages, files, views. Plain state; nothing here refuses. */
import { timestampsOf } from './timestamps.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly botUserId: string;
  readonly botId: string;
  botToken: string;
  scopes: string[];
  /** False: the app was taken away; its token is refused. */
  isInstalled: boolean;
}

export interface Person {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  tz: string;
  locale: string;
  isAdmin: boolean;
  isBot: boolean;
  /** A guest of the workspace. */
  isRestricted: boolean;
  /** Of another workspace, here by Slack Connect. */
  isStranger: boolean;
  isDeleted: boolean;
}

export interface Group {
  readonly id: string;
  readonly teamId: string;
  readonly handle: string;
  readonly members: readonly string[];
}

export interface Channel {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly kind: 'channel' | 'group' | 'im' | 'mpim';
  readonly creatorId: string;
  /** Of a DM: the person who talks with the bot. */
  readonly userId?: string;
  readonly members: Set<string>;
  isArchived: boolean;
  isShared: boolean;
}

export interface StoredFile {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly mimetype: string;
  readonly userId: string;
  bytes: Buffer;
  title: string;
  /** What the message says its size is. Unit: bytes. */
  size: number;
  /** `gone`: 404. `slow`: stops half-way. `login`: the login page although the token is right. */
  trouble?: 'gone' | 'slow' | 'login';
  isUploaded: boolean;
  isShared: boolean;
}

export interface Task {
  readonly id: string;
  title: string;
  status: string;
  details: string;
  output: string;
}

export interface Stream {
  readonly startedAt: number;
  /** `expired`: Slack ended it, nobody finished it. */
  state: 'streaming' | 'stopped' | 'stopped_by_user' | 'expired';
  markdown: string;
  plan: string;
  readonly tasks: Map<string, Task>;
  readonly blocks: Json[];
}

/** What a message said at one time. */
export interface Version {
  readonly at: number;
  readonly text: string;
  readonly markdown?: string;
  readonly blocks: readonly Json[];
}

export interface Pings {
  readonly users: readonly string[];
  /** `channel`, `here`, `everyone`, and ids of user groups. */
  readonly groups: readonly string[];
}

export interface Message {
  readonly ts: string;
  readonly teamId: string;
  readonly channelId: string;
  /** Who wrote it; a bot's user id for a bot. */
  readonly userId: string;
  readonly botId?: string;
  subtype?: string;
  /** `ts` of the root, also on the root itself once it has replies. */
  readonly threadTs?: string;
  readonly isBroadcast: boolean;
  readonly onlyFor?: string;
  readonly versions: Version[];
  files: readonly string[];
  metadata?: Json;
  stream?: Stream;
  readonly reactions: Map<string, Set<string>>;
  /** All whom any version of it notified. */
  pings: Pings;
  isDeleted: boolean;
  wasEdited: boolean;
}

export interface View {
  readonly id: string;
  readonly teamId: string;
  readonly type: 'modal' | 'home';
  readonly userId: string;
  readonly rootId: string;
  readonly previousId?: string;
  hash: string;
  body: Json;
  isOpen: boolean;
}

export interface Session {
  readonly channelId: string;
  readonly threadTs: string;
  status: string;
  title?: string;
  changedAt: number;
  /** The status line of the assistant method; empty: none. */
  line: string;
  lineAt: number;
  readonly lines: string[];
}

export class World {
  readonly appId = 'A0FAKE00001';
  readonly clientId = '1234.5678';
  readonly clientSecret = '0123456789abcdef0123456789abcdef';
  readonly signingSecret = '8f742231b10e8888abcd99ba5e85a5c1';
  appToken = 'xapp-1-A0FAKE00001-fake';
  readonly teams = new Map<string, Team>();
  readonly people = new Map<string, Person>();
  readonly groups = new Map<string, Group>();
  readonly channels = new Map<string, Channel>();
  /** By `channel ts`. */
  readonly messages = new Map<string, Message>();
  readonly files = new Map<string, StoredFile>();
  readonly views = new Map<string, View>();
  readonly sessions = new Map<string, Session>();
  readonly prompts: Json[] = [];
  private count = 0;
  readonly nextTs: () => string;

  /** `now` in milliseconds. */
  constructor(readonly now: () => number) {
    this.nextTs = timestampsOf(now);
  }

  /** An id as Slack writes them, never the same twice. */
  newId(letter: string): string {
    this.count += 1;
    return `${letter}0${this.count.toString(36).toUpperCase().padStart(9, '0')}`;
  }

  addTeam(name: string, scopes: readonly string[]): Team {
    const id = this.newId('T');
    const team: Team = {
      id,
      name,
      botUserId: this.newId('U'),
      botId: this.newId('B'),
      botToken: `xoxb-${id}-fake`,
      scopes: [...scopes],
      isInstalled: true,
    };
    this.teams.set(id, team);
    this.addPerson('Docent', id, { id: team.botUserId, isBot: true });
    return team;
  }

  addPerson(
    name: string,
    teamId: string,
    more: { readonly id?: string; readonly isBot?: boolean } = {},
  ): Person {
    const person: Person = {
      id: more.id ?? this.newId('U'),
      teamId,
      name,
      tz: 'Europe/Berlin',
      locale: 'en-US',
      isAdmin: false,
      isBot: more.isBot ?? false,
      isRestricted: false,
      isStranger: false,
      isDeleted: false,
    };
    this.people.set(person.id, person);
    return person;
  }

  addChannel(
    channel: Pick<Channel, 'teamId' | 'name' | 'kind' | 'creatorId'> & { readonly userId?: string },
    members: readonly string[],
  ): Channel {
    const added: Channel = {
      ...channel,
      id: this.newId(channel.kind === 'im' ? 'D' : channel.kind === 'channel' ? 'C' : 'G'),
      members: new Set(members),
      isArchived: false,
      isShared: false,
    };
    this.channels.set(added.id, added);
    return added;
  }

  dmWith(person: Person): Channel {
    const team = this.teamOf(person.teamId);
    const known = [...this.channels.values()].find(
      ({ kind, userId, teamId }) => kind === 'im' && userId === person.id && teamId === team.id,
    );
    return (
      known ??
      this.addChannel({ teamId: team.id, name: '', kind: 'im', creatorId: person.id, userId: person.id }, [
        person.id,
        team.botUserId,
      ])
    );
  }

  teamOf(id: string): Team {
    const found = this.teams.get(id);
    if (found === undefined) throw new Error(`there is no workspace ${id}`);
    return found;
  }

  addMessage(
    message: Pick<Message, 'channelId' | 'teamId' | 'userId'> &
      Partial<
        Pick<
          Message,
          'botId' | 'subtype' | 'threadTs' | 'isBroadcast' | 'onlyFor' | 'files' | 'metadata' | 'stream'
        >
      >,
    version: Omit<Version, 'at'>,
  ): Message {
    const added: Message = {
      ts: this.nextTs(),
      isBroadcast: false,
      files: [],
      reactions: new Map(),
      pings: { users: [], groups: [] },
      isDeleted: false,
      wasEdited: false,
      ...message,
      versions: [{ ...version, at: this.now() }],
    };
    this.messages.set(`${added.channelId} ${added.ts}`, added);
    return added;
  }

  message(channelId: string, ts: string): Message | undefined {
    return this.messages.get(`${channelId} ${ts}`);
  }

  /** Of a channel, oldest first; deleted and private ones, too. */
  messagesIn(channelId: string): Message[] {
    return [...this.messages.values()].filter((each) => each.channelId === channelId);
  }

  repliesTo(channelId: string, rootTs: string): Message[] {
    return this.messagesIn(channelId).filter(
      ({ threadTs, ts, isDeleted, onlyFor }) =>
        threadTs === rootTs && ts !== rootTs && !isDeleted && onlyFor === undefined,
    );
  }
}

export const newest = ({ versions }: Message): Version => {
  const last = versions.at(-1);
  if (last === undefined) throw new Error('a message has at least one version');
  return last;
};
