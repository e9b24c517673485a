/** The life of a streamed message: it ends by itself after a while, whatever is appended. */
import type { Slack } from '../slack.ts';
import type { Message } from '../world/world.ts';

/** Ends a stream whose time is over. */
export function settleStream(slack: Slack, { stream, channelId, threadTs }: Message): void {
  if (stream?.state !== 'streaming') return;
  if (slack.world.now() - stream.startedAt < slack.streamLifeMs) return;
  stream.state = 'expired';
  if (threadTs !== undefined) slack.sessions.set(channelId, threadTs, 'active');
}
