/** Posting, changing and deleting messages. */
import { tellChanged, tellDeleted, tellMessage } from '../events/tell.ts';
import { rules } from '../rules.ts';
import { messagePayload } from '../world/payloads.ts';
import { bothPings, pingsIn } from '../world/pings.ts';
import { type Json, newest, type Version } from '../world/world.ts';
import { checkBlocks } from './check-blocks.ts';
import { channelOf, messageIn, personIn, threadOf, writableChannel } from './find.ts';
import { type Call, isObject, isTrue, listOf, type Methods, textOf } from './method.ts';
import { refusal } from './refusal.ts';
import { settleStream } from './stream-state.ts';

const texts = ['text', 'blocks', 'attachments', 'markdown_text', 'metadata', 'parse', 'link_names'];
const looks = ['mrkdwn', 'unfurl_links', 'unfurl_media', 'username', 'icon_emoji', 'icon_url'];

export const messageMethods: Methods = {
  'chat.postMessage': {
    token: 'bot',
    scope: 'chat:write',
    rate: 'posts',
    needs: ['channel'],
    takes: ['channel', ...texts, ...looks, 'thread_ts', 'reply_broadcast'],
    handle(call) {
      const { slack, team, args } = call;
      const channel = writableChannel(call);
      const thread = threadOf(call, channel);
      const version = contentOf(call, 'post');
      const message = slack.world.addMessage(
        {
          channelId: channel.id,
          teamId: team.id,
          userId: team.botUserId,
          botId: team.botId,
          ...(thread !== undefined && { threadTs: thread }),
          isBroadcast: thread !== undefined && isTrue(args['reply_broadcast']),
          ...(isObject(args['metadata']) && { metadata: args['metadata'] }),
        },
        version,
      );
      message.pings = pingsIn(version, [], isTrue(args['link_names']) || args['parse'] === 'full');
      slack.journal.posted(message, args);
      if (thread !== undefined) slack.sessions.replied(channel.id, thread);
      tellMessage(slack, message);
      return {
        channel: channel.id,
        ts: message.ts,
        message: messagePayload(slack.world, slack.fileUrl, message, true),
        ...(textOf(args['text']).length > rules.post_text.max && { warning: rules.post_text.says }),
      };
    },
  },

  'chat.update': {
    token: 'bot',
    scope: 'chat:write',
    rate: 'tier_3',
    needs: ['channel', 'ts'],
    takes: ['channel', 'ts', ...texts, 'reply_broadcast', 'file_ids'],
    handle(call) {
      const { slack, team, args } = call;
      const channel = channelOf(call);
      if (channel.isArchived) throw refusal('is_archived', channel.name);
      const message = messageIn(call, channel);
      if (message.userId !== team.botUserId) throw refusal('cant_update_message', 'of somebody else');
      settleStream(slack, message);
      if (message.stream?.state === 'streaming') throw refusal('streaming_conflict', message.ts);
      const version = contentOf(call, 'update', newest(message));
      slack.journal.updated(message, version);
      const files = listOf(args['file_ids']).map((id) => {
        const file = slack.world.files.get(textOf(id));
        const isElsewhere = file?.isShared === true && !message.files.includes(file.id);
        if (file === undefined || isElsewhere) throw refusal('file_not_found', textOf(id));
        if (!file.isUploaded) throw refusal('file_not_uploaded', file.name);
        return file;
      });
      for (const file of files) file.isShared = true;
      const before = messagePayload(slack.world, slack.fileUrl, message);
      if (args['file_ids'] !== undefined) message.files = files.map(({ id }) => id);
      message.versions.push({ ...version, at: slack.world.now() });
      // The update takes the place of everything that was streamed.
      if (message.stream !== undefined) delete message.stream;
      if (isObject(args['metadata'])) message.metadata = args['metadata'];
      message.wasEdited = version.blocks.length === 0;
      const linked = isTrue(args['link_names']) || args['parse'] === 'full';
      message.pings = bothPings(message.pings, pingsIn(version, [], linked));
      tellChanged(slack, message, before);
      return {
        channel: channel.id,
        ts: message.ts,
        text: version.text,
        message: messagePayload(slack.world, slack.fileUrl, message, true),
      };
    },
  },

  'chat.delete': {
    token: 'bot',
    scope: 'chat:write',
    rate: 'tier_3',
    needs: ['channel', 'ts'],
    takes: ['channel', 'ts', 'as_user'],
    handle(call) {
      const { slack, team } = call;
      const channel = channelOf(call);
      const message = messageIn(call, channel);
      if (message.userId !== team.botUserId) throw refusal('cant_delete_message', 'of somebody else');
      tellDeleted(slack, message);
      return { channel: channel.id, ts: message.ts };
    },
  },

  'chat.postEphemeral': {
    token: 'bot',
    scope: 'chat:write',
    rate: 'tier_4',
    needs: ['channel', 'user'],
    takes: ['channel', 'user', ...texts, ...looks, 'thread_ts'],
    handle(call) {
      const { slack, team, args } = call;
      const channel = writableChannel(call);
      const person = personIn(call, args['user']);
      if (!channel.members.has(person.id)) throw refusal('user_not_in_channel', person.name);
      const thread = threadOf(call, channel);
      const version = contentOf(call, 'post');
      const message = slack.world.addMessage(
        {
          channelId: channel.id,
          teamId: team.id,
          userId: team.botUserId,
          botId: team.botId,
          onlyFor: person.id,
          ...(thread !== undefined && { threadTs: thread }),
        },
        version,
      );
      message.pings = pingsIn(version);
      return { message_ts: message.ts };
    },
  },

  'chat.getPermalink': {
    token: 'bot',
    rate: 'special',
    needs: ['channel', 'message_ts'],
    takes: ['channel', 'message_ts'],
    handle(call) {
      const channel = channelOf(call);
      const message = messageIn(call, channel, 'message_ts');
      const inThread =
        message.threadTs === undefined ? '' : `?thread_ts=${message.threadTs}&cid=${channel.id}`;
      return {
        channel: channel.id,
        permalink: `https://fake.slack.com/archives/${channel.id}/p${message.ts.replace('.', '')}${inThread}`,
      };
    },
  },
};

/** What a call says, after all limits; `before`: what stays where an update does not say otherwise. */
function contentOf(
  { args }: Pick<Call, 'args'>,
  how: 'post' | 'update',
  before?: Version,
): Omit<Version, 'at'> {
  const given = textOf(args['text']);
  const markdown = textOf(args['markdown_text']);
  if (markdown !== '' && (given !== '' || args['blocks'] !== undefined)) throw refusal('markdown_conflict');
  if (markdown.length > rules.markdown_text.max)
    throw refusal('markdown_text', `${markdown.length} characters`);
  if (how === 'update' && given.length > rules.update_text.max)
    throw refusal('update_text', `${given.length} characters`);
  const attachments = listOf(args['attachments']);
  if (attachments.length > rules.too_many_attachments.max) throw refusal('too_many_attachments');
  checkMetadata(args['metadata']);
  const blocks: readonly Json[] = args['blocks'] === undefined ? [] : checkBlocks(args['blocks'], 'message');
  if (markdown !== '') return { text: markdown, markdown, blocks: [] };
  const isKept = before !== undefined && args['text'] === undefined && args['blocks'] === undefined;
  if (isKept) return before;
  if (given.trim() === '' && blocks.length === 0 && attachments.length === 0) throw refusal('no_text');
  return { text: given.slice(0, rules.post_text.max), blocks };
}

export function checkMetadata(metadata: unknown): void {
  if (metadata === undefined) return;
  if (!isObject(metadata) || textOf(metadata['event_type']) === '' || !isObject(metadata['event_payload']))
    throw refusal('invalid_metadata', JSON.stringify(metadata));
  if (JSON.stringify(metadata).length > rules.metadata_too_large.max) throw refusal('metadata_too_large');
}

/** What a `response_url` and an acknowledgement with a text may say. */
export const answeredContent = (args: Json): Omit<Version, 'at'> => contentOf({ args }, 'post');
