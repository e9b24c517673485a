/** Native streaming: start, append, stop. */
import { tellChanged, tellMessage } from '../events/tell.ts';
import { rules } from '../rules.ts';
import { messagePayload } from '../world/payloads.ts';
import { bothPings, pingsIn } from '../world/pings.ts';
import type { Json, Message, Stream } from '../world/world.ts';
import { checkBlocks } from './check-blocks.ts';
import { ownChannel, personIn, threadOf } from './find.ts';
import { checkMetadata } from './messages.ts';
import { type Call, isObject, listOf, type Methods, textOf } from './method.ts';
import { refusal } from './refusal.ts';
import { settleStream } from './stream-state.ts';

const statuses = ['pending', 'in_progress', 'complete', 'error'];

export const streamMethods: Methods = {
  'chat.startStream': {
    token: 'bot',
    scope: 'chat:write',
    rate: 'tier_2',
    needs: ['channel'],
    takes: [
      'channel',
      'thread_ts',
      'recipient_user_id',
      'recipient_team_id',
      'markdown_text',
      'chunks',
      'task_display_mode',
      'username',
      'icon_emoji',
      'icon_url',
    ],
    handle(call) {
      const { slack, team, args } = call;
      const channel = ownChannel(call);
      if (channel.isArchived) throw refusal('is_archived', channel.name);
      if (!slack.isStreamingAllowed) throw refusal('stream_place', channel.name);
      const thread = threadOf(call, channel);
      if (channel.kind !== 'im') {
        if (textOf(args['recipient_team_id']) === '') throw refusal('missing_recipient_team');
        if (textOf(args['recipient_user_id']) === '') throw refusal('missing_recipient_user');
      }
      if (args['recipient_user_id'] !== undefined) personIn(call, args['recipient_user_id']);
      const stream: Stream = {
        startedAt: slack.world.now(),
        state: 'streaming',
        markdown: '',
        plan: '',
        tasks: new Map(),
        blocks: [],
      };
      const grown = chunksOf(args);
      grow(stream, grown);
      const message = slack.world.addMessage(
        {
          channelId: channel.id,
          teamId: team.id,
          userId: team.botUserId,
          botId: team.botId,
          stream,
          ...(thread !== undefined && { threadTs: thread }),
        },
        { text: stream.markdown, markdown: stream.markdown, blocks: [] },
      );
      notePings(message, stream);
      slack.sessions.replied(channel.id, thread ?? message.ts);
      slack.sessions.set(channel.id, thread ?? message.ts, 'processing');
      tellMessage(slack, message);
      return { channel: channel.id, ts: message.ts };
    },
  },

  'chat.appendStream': {
    token: 'bot',
    scope: 'chat:write',
    rate: 'tier_4',
    needs: ['channel', 'ts'],
    takes: ['channel', 'ts', 'markdown_text', 'chunks'],
    handle(call) {
      const { slack, args } = call;
      const { message, stream } = openStream(call);
      const grown = chunksOf(args);
      if (grown.length === 0) throw refusal('no_text');
      grow(stream, grown);
      slack.addStreamed(message, stream);
      notePings(message, stream);
      return { channel: message.channelId, ts: message.ts };
    },
  },

  'chat.stopStream': {
    token: 'bot',
    scope: 'chat:write',
    rate: 'tier_2',
    needs: ['channel', 'ts'],
    takes: ['channel', 'ts', 'markdown_text', 'chunks', 'blocks', 'metadata', 'session_status'],
    handle(call) {
      const { slack, args } = call;
      const { message, stream } = openStream(call);
      const grown = chunksOf(args);
      checkMetadata(args['metadata']);
      const blocks = args['blocks'] === undefined ? [] : checkBlocks(args['blocks'], 'message');
      const before = messagePayload(slack.world, slack.fileUrl, message);
      grow(stream, grown);
      stream.blocks.push(...blocks);
      stream.state = 'stopped';
      if (isObject(args['metadata'])) message.metadata = args['metadata'];
      slack.addStreamed(message, stream);
      notePings(message, stream);
      slack.sessions.set(
        message.channelId,
        message.threadTs ?? message.ts,
        textOf(args['session_status']) || 'active',
      );
      tellChanged(slack, message, before);
      return {
        channel: message.channelId,
        ts: message.ts,
        message: messagePayload(slack.world, slack.fileUrl, message, true),
      };
    },
  },
};

function openStream(call: Call): { readonly message: Message; readonly stream: Stream } {
  const { slack, team, args } = call;
  const channel = ownChannel(call);
  if (channel.isArchived) throw refusal('is_archived', channel.name);
  const message = slack.world.message(channel.id, textOf(args['ts']));
  if (message === undefined || message.isDeleted) throw refusal('message_not_found', textOf(args['ts']));
  if (message.userId !== team.botUserId) throw refusal('not_own_stream', message.ts);
  settleStream(slack, message);
  const { stream } = message;
  if (stream?.state === 'stopped_by_user') throw refusal('stopped_by_user', message.ts);
  if (stream?.state !== 'streaming') throw refusal('not_streaming', stream?.state ?? 'never streamed');
  return { message, stream };
}

/** The chunks of a call, after all limits; `markdown_text` is one of them. */
function chunksOf(args: Json): readonly Json[] {
  const text = textOf(args['markdown_text']);
  if (args['chunks'] !== undefined && !Array.isArray(args['chunks'])) throw refusal('invalid_chunks');
  if (text !== '' && args['chunks'] !== undefined) throw refusal('markdown_conflict');
  const chunks = [...(text === '' ? [] : [{ type: 'markdown_text', text }]), ...listOf(args['chunks'])];
  for (const chunk of chunks) checkChunk(chunk);
  return chunks as readonly Json[];
}

function checkChunk(chunk: unknown): void {
  if (!isObject(chunk)) throw refusal('invalid_chunks', 'not an object');
  switch (chunk['type']) {
    case 'markdown_text':
      if (typeof chunk['text'] !== 'string' || chunk['text'] === '')
        throw refusal('invalid_chunks', 'no text');
      if (chunk['text'].length > rules.chunk_text.max) throw refusal('chunk_text');
      return;
    case 'task_update':
      if (textOf(chunk['id']) === '' || textOf(chunk['title']) === '')
        throw refusal('invalid_chunks', 'a task has an id and a title');
      if (!statuses.includes(textOf(chunk['status']))) throw refusal('invalid_chunks', 'status of a task');
      for (const name of ['id', 'title', 'details', 'output'])
        if (textOf(chunk[name]).length > rules.task_field.max) throw refusal('task_field', name);
      return;
    case 'plan_update':
      if (textOf(chunk['title']) === '') throw refusal('invalid_chunks', 'a plan has a title');
      if (textOf(chunk['title']).length > rules.task_field.max) throw refusal('task_field', 'title');
      return;
    case 'blocks':
      checkBlocks(chunk['blocks'], 'message');
      return;
    default:
      throw refusal('invalid_chunks', `type ${textOf(chunk['type'])}`);
  }
}

function grow(stream: Stream, chunks: readonly Json[]): void {
  for (const chunk of chunks) {
    if (chunk['type'] === 'markdown_text') stream.markdown += textOf(chunk['text']);
    else if (chunk['type'] === 'plan_update') stream.plan = textOf(chunk['title']);
    else if (chunk['type'] === 'blocks') stream.blocks.push(...(chunk['blocks'] as readonly Json[]));
    else growTask(stream, chunk);
  }
}

/** Title and status take the place of the old ones; details are added. */
function growTask({ tasks }: Stream, chunk: Json): void {
  const id = textOf(chunk['id']);
  const task = tasks.get(id) ?? { id, title: '', status: '', details: '', output: '' };
  tasks.set(id, task);
  task.title = textOf(chunk['title']);
  task.status = textOf(chunk['status']);
  task.details += textOf(chunk['details']);
  task.output += textOf(chunk['output']);
}

/** Mentions are looked for in what has become of the text, so also in those that came in two parts. */
function notePings(message: Message, stream: Stream): void {
  const tasks = [...stream.tasks.values()].flatMap(({ title, details, output }) => [title, details, output]);
  message.pings = bothPings(
    message.pings,
    pingsIn({ text: '', markdown: stream.markdown, blocks: stream.blocks }, [stream.plan, ...tasks]),
  );
}
