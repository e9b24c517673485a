/** What people do with messages, channels and the app's pages: write, edit, delete, react, open. */
import { tellChanged, tellDeleted, tellJoined, tellMessage, tellReaction } from '../events/tell.ts';
import type { Slack } from '../slack.ts';
import { viewPayload } from '../web/views.ts';
import { namesOf } from '../world/names.ts';
import { messagePayload } from '../world/payloads.ts';
import { type Channel, newest, type Person } from '../world/world.ts';
import { type ShownMessage, type ShownView, viewsOf } from './views.ts';

export interface SentFile {
  readonly name: string;
  readonly mimetype?: string;
  readonly text?: string;
  readonly base64?: string;
  /** What the message says its size is, when that is not true. Unit: bytes. */
  readonly size?: number;
  readonly trouble?: 'gone' | 'slow' | 'login';
}

export interface SayOptions {
  /** Channel by name or id, or `dm`. Default: `general`. */
  readonly in?: string;
  /** `ts` of a message: the reply stands in its thread. */
  readonly thread?: string;
  /** A reply that is shown in the channel, too. */
  readonly broadcast?: boolean;
  readonly files?: readonly SentFile[];
  /** A subtype of Slack's own: `channel_join`, `bot_message`, `me_message` … */
  readonly subtype?: string;
  /** The text as Slack passes it on, with no name looked up. */
  readonly isRaw?: boolean;
  /** False: the message is there, but no event about it comes. */
  readonly event?: boolean;
}

export function peopleOf(slack: Slack) {
  const { world, courier } = slack;
  const names = namesOf(slack);
  const views = viewsOf(slack);

  const upload = (person: Person, channel: Channel, file: SentFile): string => {
    const bytes = Buffer.from(file.base64 ?? file.text ?? '', file.base64 === undefined ? 'utf8' : 'base64');
    const id = world.newId('F');
    world.files.set(id, {
      id,
      teamId: channel.teamId,
      name: file.name,
      title: file.name,
      mimetype: file.mimetype ?? 'text/plain',
      userId: person.id,
      bytes,
      size: file.size ?? bytes.length,
      isUploaded: true,
      isShared: true,
      ...(file.trouble !== undefined && { trouble: file.trouble }),
    });
    return id;
  };

  const say = (who: string, text: string, options: SayOptions = {}): ShownMessage => {
    const person = names.person(who);
    const channel = names.channel(options.in ?? 'general', who);
    if (channel.kind !== 'im') channel.members.add(person.id);
    const root = options.thread === undefined ? undefined : world.message(channel.id, options.thread);
    if (options.thread !== undefined && root === undefined)
      throw new Error(`there is no message ${options.thread} in ${channel.name}`);
    const files = (options.files ?? []).map((file) => upload(person, channel, file));
    const subtype = options.subtype ?? (files.length > 0 ? 'file_share' : undefined);
    const message = world.addMessage(
      {
        channelId: channel.id,
        teamId: person.isStranger ? person.teamId : channel.teamId,
        userId: person.id,
        files,
        ...(person.isBot && { botId: `B${person.id}` }),
        ...(subtype !== undefined && { subtype }),
        ...(root !== undefined && { threadTs: root.threadTs ?? root.ts }),
        isBroadcast: options.broadcast === true,
      },
      { text: options.isRaw === true ? text : names.written(text, channel), blocks: [] },
    );
    if (options.event !== false) tellMessage(slack, message);
    return views.showMessage(message);
  };

  const invite = (who: string, where: string, inviter: string): void => {
    const channel = names.channel(where);
    const { id } = names.person(who);
    channel.members.add(id);
    tellJoined(slack, channel, id, names.person(inviter).id);
  };

  const openHome = (who: string, tab: 'home' | 'messages' = 'home'): void => {
    const person = names.person(who);
    const view = slack.homeOf(person.id);
    courier.event('app_home_opened', person.teamId, {
      type: 'app_home_opened',
      user: person.id,
      channel: world.dmWith(person).id,
      tab,
      ...(view !== undefined && { view: viewPayload(view) }),
      event_ts: world.nextTs(),
    });
  };

  return {
    say,
    invite,
    openHome,

    edit(who: string, ts: string, text: string): ShownMessage {
      const message = names.message(ts);
      if (message.userId !== names.person(who).id) throw new Error(`${who} did not write this message`);
      const before = messagePayload(world, slack.fileUrl, message);
      message.versions.push({
        at: world.now(),
        text: names.written(text, names.channel(message.channelId)),
        blocks: [],
      });
      message.wasEdited = true;
      tellChanged(slack, message, before);
      return views.showMessage(message);
    },

    /** Slack adds a preview to a link: a change that is no edit. */
    addPreview(ts: string): void {
      const message = names.message(ts);
      const before = messagePayload(world, slack.fileUrl, message);
      message.versions.push({ ...newest(message), at: world.now() });
      tellChanged(slack, message, before);
    },

    /** By its author or an admin. */
    deleteMessage: (ts: string) => tellDeleted(slack, names.message(ts)),

    react(who: string, ts: string, emoji: string): void {
      const message = names.message(ts);
      const { id } = names.person(who);
      message.reactions.set(emoji, (message.reactions.get(emoji) ?? new Set<string>()).add(id));
      tellReaction(slack, 'reaction_added', message, id, emoji);
    },

    unreact(who: string, ts: string, emoji: string): void {
      const message = names.message(ts);
      const { id } = names.person(who);
      if (message.reactions.get(emoji)?.delete(id) === true)
        tellReaction(slack, 'reaction_removed', message, id, emoji);
    },

    /** The page that the app published for this person. */
    home(who: string): ShownView | undefined {
      const view = slack.homeOf(names.person(who).id);
      return view === undefined ? undefined : views.showView(view);
    },

    /** Slack's own Stop, on a stream or on a session that is processing. */
    pressStop(who: string, ts: string): void {
      const message = names.message(ts);
      const thread = message.threadTs ?? message.ts;
      const streams = world
        .messagesIn(message.channelId)
        .filter(({ threadTs, stream }) => threadTs === thread && stream?.state === 'streaming');
      for (const { stream } of streams) if (stream !== undefined) stream.state = 'stopped_by_user';
      courier.event('agent_session_stopped', message.teamId, {
        type: 'agent_session_stopped',
        channel: message.channelId,
        user: names.person(who).id,
        thread_ts: thread,
        streaming_message_ts: streams.map((each) => each.ts),
        event_ts: world.nextTs(),
      });
    },

    /** The older assistant container: opening it makes a thread and tells about it. */
    openAssistant(who: string): string {
      const person = names.person(who);
      const channel = world.dmWith(person);
      const root = world.addMessage(
        {
          channelId: channel.id,
          teamId: channel.teamId,
          userId: person.id,
          subtype: 'assistant_app_thread',
        },
        { text: 'New Assistant Thread', blocks: [] },
      );
      courier.event('assistant_thread_started', channel.teamId, {
        type: 'assistant_thread_started',
        assistant_thread: {
          user_id: person.id,
          context: {},
          channel_id: channel.id,
          thread_ts: root.ts,
        },
        event_ts: world.nextTs(),
      });
      return root.ts;
    },

    /** Time zone, language, and what the person is in the workspace. */
    setPerson(
      who: string,
      changed: Partial<
        Pick<Person, 'tz' | 'locale' | 'isAdmin' | 'isBot' | 'isRestricted' | 'isStranger' | 'isDeleted'>
      >,
    ): string {
      const person = names.person(who);
      Object.assign(person, changed);
      return person.id;
    },

    addGroup(handle: string, members: readonly string[]): string {
      const id = world.newId('S');
      const { id: teamId } = names.team();
      world.groups.set(id, { id, teamId, handle, members: members.map((name) => names.person(name).id) });
      return id;
    },

    /** The bot is in it, unless `withBot` is false. */
    addChannel(
      name: string,
      options: {
        readonly kind?: 'channel' | 'group' | 'mpim';
        readonly creator?: string;
        readonly withBot?: boolean;
        readonly team?: string;
      } = {},
    ): string {
      const team = names.team(options.team);
      const creatorId = options.creator === undefined ? '' : names.person(options.creator).id;
      const members = [creatorId, ...(options.withBot === false ? [] : [team.botUserId])];
      const kind = options.kind ?? 'channel';
      return world.addChannel({ teamId: team.id, name, kind, creatorId }, members).id;
    },

    archive(name: string, isArchived = true): void {
      names.channel(name).isArchived = isArchived;
    },

    /** Somebody of the channel takes the bot out of it. */
    removeBot(name: string): void {
      const channel = names.channel(name);
      channel.members.delete(world.teamOf(channel.teamId).botUserId);
    },
  };
}
