/** What one person is told alone: shown to nobody else, and gone when they reload. */
import type { types } from '@slack/bolt';
import type { Logger } from '../../ports/runtime.ts';
import { escapeMrkdwn } from './harmless.ts';
import { sendReply, shownAs } from './response-url.ts';
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
  /** Of a press: it works where the bot or the person is no member, too. */
  readonly responseUrl?: string | null | undefined;
}

export class PrivateWords {
  constructor(private readonly means: PrivateMeans) {}

  /** `text` is plain. A failure is only logged: what it is about has happened. */
  async say(where: Where, text: string, more: readonly types.KnownBlock[] = []): Promise<void> {
    await this.show(where, escapeMrkdwn(text), more);
  }

  /** `text` is Slack's markup. */
  async show(where: Where, text: string, more: readonly types.KnownBlock[] = []): Promise<void> {
    const { team, channel, user, thread, responseUrl } = where;
    try {
      if (responseUrl != null) return await sendReply(responseUrl, { text, blocks: more, thread });
    } catch (error) {
      this.means.log.debug({ error }, 'an address to reply to is not good any more');
    }
    try {
      const web = await this.means.webFor(team);
      await web('chat.postEphemeral', { channel, user, ...shownAs({ text, blocks: more, thread }) });
    } catch (error) {
      this.means.log.warn({ error, channel }, 'a person could not be told in private');
    }
  }
}
