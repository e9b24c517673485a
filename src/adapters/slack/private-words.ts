/** What one person is told alone: shown to nobody else, and gone when they reload. */
import type { types } from '@slack/bolt';
import type { Logger } from '../../ports/runtime.ts';
import { escapeMrkdwn } from './harmless.ts';
import type { WebFor } from './web.ts';

export interface PrivateMeans {
  readonly webFor: WebFor;
  readonly log: Logger;
}

export interface Where {
  readonly team: string;
  readonly channel: string;
  readonly user: string;
  /** A thread, where the words are to stand in one. */
  readonly thread?: string | undefined;
}

const longest = 3_000;

export class PrivateWords {
  constructor(private readonly means: PrivateMeans) {}

  /** `text` is plain. A failure is only logged: what it is about has happened. */
  async say(where: Where, text: string, more: readonly types.KnownBlock[] = []): Promise<void> {
    await this.show(where, escapeMrkdwn(text), more);
  }

  /** `text` is Slack's markup. */
  async show(
    { team, channel, user, thread }: Where,
    text: string,
    more: readonly types.KnownBlock[] = [],
  ): Promise<void> {
    try {
      const web = await this.means.webFor(team);
      await web('chat.postEphemeral', {
        channel,
        user,
        text: text.slice(0, longest),
        ...(more.length > 0 && { blocks: [section(text), ...more] }),
        ...(thread !== undefined && { thread_ts: thread }),
      });
    } catch (error) {
      this.means.log.warn({ error, channel }, 'a person could not be told in private');
    }
  }
}

export function section(text: string): types.SectionBlock {
  return { type: 'section', text: { type: 'mrkdwn', text: text.slice(0, longest) }, expand: true };
}
