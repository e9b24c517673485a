/** Assistant threads and agent sessions: status, title, suggested prompts. */
import { rules } from '../rules.ts';
import type { Json, Session, World } from '../world/world.ts';
import { ownChannel, threadOf } from './find.ts';
import { type Call, listOf, type Methods, textOf } from './method.ts';
import { refusal } from './refusal.ts';

export class Sessions {
  constructor(private readonly world: World) {}

  at(channelId: string, threadTs: string): Session {
    const key = `${channelId} ${threadTs}`;
    const now = this.world.now();
    const known = this.world.sessions.get(key);
    if (known !== undefined) {
      if (known.status === 'processing' && now - known.changedAt > rules.session_life.ms)
        known.status = 'active';
      if (now - known.lineAt > rules.status_life.ms) known.line = '';
      return known;
    }
    const made: Session = {
      channelId,
      threadTs,
      status: 'active',
      changedAt: now,
      line: '',
      lineAt: now,
      lines: [],
    };
    this.world.sessions.set(key, made);
    return made;
  }

  set(channelId: string, threadTs: string, status: string): void {
    Object.assign(this.at(channelId, threadTs), { status, changedAt: this.world.now() });
  }

  /** A reply takes the status line away. */
  replied(channelId: string, threadTs: string): void {
    this.at(channelId, threadTs).line = '';
  }

  write(channelId: string, threadTs: string, line: string): void {
    const session = this.at(channelId, threadTs);
    Object.assign(session, { line, lineAt: this.world.now() });
    if (line !== '') session.lines.push(line);
  }
}

/** The thread that a call names; the message of a DM that nobody replied to yet is one, too. */
function sessionOf(call: Call): Session {
  const channel = ownChannel(call, 'channel_id');
  const thread = threadOf(call, channel);
  if (thread === undefined) throw refusal('thread_ts_required');
  return call.slack.sessions.at(channel.id, thread);
}

const threads = ['channel_id', 'thread_ts'];
const nothing: Json = {};

export const sessionMethods: Methods = {
  'assistant.threads.setStatus': {
    token: 'bot',
    scope: 'chat:write',
    rate: 'status_rate',
    needs: ['channel_id', 'thread_ts', 'status'],
    takes: [...threads, 'status', 'loading_messages', 'username', 'icon_emoji', 'icon_url'],
    handle(call) {
      const { slack, args } = call;
      if (!slack.isAgent) throw refusal('no_session_here');
      if (listOf(args['loading_messages']).length > rules.loading_messages.max)
        throw refusal('loading_messages');
      const { channelId, threadTs } = sessionOf(call);
      const line = textOf(args['status']);
      slack.sessions.write(channelId, threadTs, line);
      slack.sessions.set(channelId, threadTs, line === '' ? 'active' : 'processing');
      return nothing;
    },
  },
  'assistant.threads.setTitle': {
    token: 'bot',
    scope: 'assistant:write',
    rate: 'tier_4',
    needs: ['channel_id', 'thread_ts', 'title'],
    takes: [...threads, 'title'],
    handle(call) {
      if (!call.slack.isAgent) throw refusal('no_session_here');
      sessionOf(call).title = textOf(call.args['title']);
      return nothing;
    },
  },
  'assistant.threads.setSuggestedPrompts': {
    token: 'bot',
    scope: 'assistant:write',
    rate: 'tier_4',
    needs: ['channel_id', 'prompts'],
    takes: [...threads, 'prompts', 'title'],
    handle(call) {
      const { slack, args } = call;
      ownChannel(call, 'channel_id');
      const prompts = listOf(args['prompts']);
      const isRight = prompts.every(
        (each) => textOf((each as Json)?.['title']) && textOf((each as Json)['message']),
      );
      if (prompts.length === 0 || prompts.length > rules.prompt_count.max || !isRight)
        throw refusal('prompt_count');
      // With a thread nothing happens, and nobody is told.
      if (args['thread_ts'] === undefined) slack.world.prompts.push({ ...args });
      return nothing;
    },
  },
  'agents.sessions.setStatus': {
    token: 'bot',
    scope: 'chat:write',
    rate: 'tier_3',
    needs: ['channel_id', 'status'],
    takes: [...threads, 'status', 'title', 'initiator_user_id'],
    handle(call) {
      const { slack, args } = call;
      if (!slack.isAgent) throw refusal('feature_disabled');
      const status = textOf(args['status']);
      if (!['processing', 'active', 'suspended', 'closed'].includes(status))
        throw refusal('invalid_status', status);
      if (textOf(args['title']).length > rules.session_title.max) throw refusal('session_title');
      const session = sessionOf(call);
      slack.sessions.set(session.channelId, session.threadTs, status);
      if (args['title'] !== undefined) session.title = textOf(args['title']);
      return { status, agent_status: status, title: session.title };
    },
  },
  'agents.sessions.rename': {
    token: 'bot',
    scope: 'chat:write',
    rate: 'tier_3',
    needs: ['channel_id', 'thread_ts', 'title'],
    takes: [...threads, 'title'],
    handle(call) {
      if (!call.slack.isAgent) throw refusal('feature_disabled');
      const title = textOf(call.args['title']);
      if (title.length > rules.session_title.max) throw refusal('session_title');
      sessionOf(call).title = title;
      return { title };
    },
  },
};
