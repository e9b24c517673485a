/** What people do on Slack beside writing and pressing: they react, open the app, begin and stop its sessions. */
import type { MessageRef } from '../../domain/address.ts';
import { EventId } from '../../domain/ids.ts';
import { homeWords } from '../../gateway/home-words.ts';
import type { ClicksMeans } from './clicks.ts';
import type { HomeTab } from './home-tab.ts';
import type { Delivery } from './ingress.ts';
import type { SlackEvent } from './payloads.ts';
import type { SlackPeople } from './people.ts';
import { conversationAt, placeName, surfaceName, userOf } from './place.ts';
import type { ReaderMeans } from './reader.ts';
import type { WebFor } from './web.ts';

export interface SideEventsMeans
  extends Pick<ClicksMeans, 'accept' | 'messagesOf' | 'vote'>,
    Pick<ReaderMeans, 'ownerOf'> {
  readonly webFor: WebFor;
  readonly people: SlackPeople;
  readonly home: Pick<HomeTab, 'publish'>;
  /** Is waited for at the end; a failure is logged. */
  readonly keep: (work: Promise<unknown>) => void;
  /** Acknowledges when it is stored, in order with what else is said on its line. */
  readonly storeThen: (ack: Delivery['ack'], line: string, store: () => Promise<void>) => void;
}

export class SideEvents {
  constructor(private readonly means: SideEventsMeans) {}

  reaction(
    team: string,
    { user, reaction, item, item_user }: Extract<SlackEvent, { type: 'reaction_added' }>,
    ack: Delivery['ack'],
  ): void {
    const vote = voteIn(reaction);
    if (vote === undefined) return this.means.keep(ack());
    this.means.storeThen(ack, `${team}:${item.channel}`, async () => {
      const bot = await this.means.people.identityOf(team);
      if (item_user !== bot.user || user === bot.user) return;
      await this.vote(
        { surface: surfaceName, place: placeName({ team, channel: item.channel }), id: item.ts },
        user,
        vote,
      );
    });
  }

  /** For the answer that a message of the bot shows, if it shows one. */
  private async vote(message: MessageRef, user: string, vote: 'up' | 'down'): Promise<void> {
    const { ownerOf, messagesOf, vote: cast } = this.means;
    const owner = await ownerOf(message);
    if (owner === undefined) return;
    for (let number = 1; ; number += 1) {
      const slot = `answer:${number}`;
      const shown = await messagesOf(owner.conversation, owner.turn, slot);
      if (shown.length === 0) return;
      if (!shown.some(({ id }) => id === message.id)) continue;
      const answer = `${owner.conversation}:${owner.turn}:${slot}`;
      return cast({ conversation: owner.conversation, answer, person: userOf(user), vote });
    }
  }

  visit(
    team: string,
    { user, tab, channel }: Extract<SlackEvent, { type: 'app_home_opened' }>,
    ack: Delivery['ack'],
  ): void {
    this.means.keep(ack());
    if (tab === 'messages') return this.means.keep(this.suggest(team, channel, user, undefined));
    if (tab === 'home') this.means.keep(this.means.home.publish(team, user));
  }

  /** What one may ask for a start. Where sessions are of old, they belong to a thread. */
  async suggest(team: string, channel: string, user: string, thread: string | undefined): Promise<void> {
    const bot = await this.means.people.identityOf(team);
    if (!bot.hasSessions) return;
    const profile = await this.means.people.profileOf(team, user);
    const { prompts, promptsTitle } = homeWords(profile?.locale);
    const web = await this.means.webFor(team);
    await web('assistant.threads.setSuggestedPrompts', {
      channel_id: channel,
      title: promptsTitle,
      prompts: prompts.map((prompt) => ({ title: prompt, message: prompt })),
      ...(thread !== undefined && { thread_ts: thread }),
    });
  }

  /** Slack's own button of a session. */
  stop(
    team: string,
    { user, channel, thread_ts: thread, event_ts }: Extract<SlackEvent, { type: 'agent_session_stopped' }>,
    ack: Delivery['ack'],
  ): void {
    const place = { team, channel, thread };
    this.means.storeThen(ack, placeName(place), async () => {
      await this.means.accept({
        conversation: conversationAt(place),
        wanted: 'always',
        from: { isSelf: false, isBot: false, server: `${surfaceName}:${team}` },
        item: {
          kind: 'stop',
          id: EventId(`stop:${event_ts}`),
          author: userOf(user),
          address: { surface: surfaceName, place: placeName(place) },
        },
      });
    });
  }
}

const votes: Readonly<Record<string, 'up' | 'down'>> = {
  '+1': 'up',
  thumbsup: 'up',
  '-1': 'down',
  thumbsdown: 'down',
};

/** Whatever the colour of the hand. */
function voteIn(reaction: string): 'up' | 'down' | undefined {
  return votes[reaction.replace(/::skin-tone-\d$/, '')];
}
