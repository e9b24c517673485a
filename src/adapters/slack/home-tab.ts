/** The page of the bot in Slack, as each person sees it, and lists of what is open for them. */
import type { types } from '@slack/bolt';
import type { Command, CommandBy, Dialect } from '../../domain/command.ts';
import { inWords, type Said } from '../../domain/controls.ts';
import { buttonWords } from '../../gateway/button-words.ts';
import { clickWords, wordsAbout } from '../../gateway/click-words.ts';
import { commandReplyWords } from '../../gateway/command-words.ts';
import { type HomeWords, homeWords } from '../../gateway/home-words.ts';
import type { Inflow } from '../../gateway/inflow.ts';
import { type OpenTalksMeans, type Talk, talksOf } from '../../gateway/open-talks.ts';
import { type Press, saidIn } from '../../gateway/press.ts';
import type { Said as SaidThere } from '../../gateway/said.ts';
import type { Logger } from '../../ports/runtime.ts';
import { type HomeAction, type HomeHandle, homeHandle } from './custom-ids.ts';
import { slackDialect } from './dialect.ts';
import { escapeMrkdwn } from './harmless.ts';
import type { SlackPeople } from './people.ts';
import { conversationAt, placeName, surfaceName, userOf } from './place.ts';
import type { PrivateWords, Where } from './private-words.ts';
import { section } from './response-url.ts';
import type { WebFor } from './web.ts';

export interface HomeTabMeans extends OpenTalksMeans {
  readonly webFor: WebFor;
  readonly people: SlackPeople;
  readonly answerCommand: (command: Command, by: CommandBy, dialect: Dialect) => Promise<Said>;
  readonly accept: (said: SaidThere) => Promise<string>;
  readonly inflow: Inflow;
  readonly words: PrivateWords;
  readonly log: Logger;
}

const maxTalks = 10;

export class HomeTab {
  constructor(private readonly means: HomeTabMeans) {}

  /** Somebody opened it: it shows how things are now. */
  async publish(team: string, user: string): Promise<void> {
    const { webFor, people } = this.means;
    const profile = await people.profileOf(team, user);
    const words = homeWords(profile?.locale);
    const blocks = await this.blocks(team, user, profile?.locale, words);
    const web = await webFor(team);
    await web('views.publish', { user_id: user, view: { type: 'home', blocks } });
  }

  /** What is open for a person, or where they spoke: each with a button. Undefined: nothing. */
  async list(
    press: Pick<Press, 'author' | 'address'>,
    action: HomeAction,
  ): Promise<types.KnownBlock[] | undefined> {
    const talks = await talksOf(this.means, press.author, maxTalks);
    const meant = action === 'home_stop' ? talks.filter(({ state }) => state !== 'idle') : talks;
    if (meant.length === 0) return undefined;
    return meant.map((talk, at) => talkBlock(talk, action, at, press.address.locale));
  }

  /** A button of the page or of a list was pressed. Only those who speak there may. */
  async act({ action, conversation }: HomeHandle, press: Press, where: Where): Promise<void> {
    const { accept, inflow, spokenIn, words } = this.means;
    const { locale } = press.address;
    const isPage = press.on === undefined;
    let told: string | undefined;
    await inflow.take(conversation.slice(conversation.indexOf(':') + 1), async () => {
      if (!(await spokenIn(press.author)).includes(conversation)) {
        told = clickWords(locale).forgotten;
        return;
      }
      const stop = { ...saidIn(press), kind: 'stop' } as const;
      const item = action === 'home_stop' ? stop : ({ ...saidIn(press), kind: 'new' } as const);
      const accepted = await accept({ conversation, item, wanted: 'always', from: press.from });
      const reply = commandReplyWords(locale);
      const done =
        action === 'home_new' ? reply.anew : accepted === 'stopping' ? reply.stopping : reply.stopped;
      told = wordsAbout(accepted, clickWords(locale)) ?? done;
    });
    if (isPage) await this.publish(where.team, where.user);
    else if (told !== undefined) await words.say(where, told);
  }

  private async blocks(
    team: string,
    user: string,
    locale: string | undefined,
    words: HomeWords,
  ): Promise<types.KnownBlock[]> {
    const person = userOf(user);
    const place = placeName({ team, channel: user });
    const address = { surface: surfaceName, place, ...(locale !== undefined && { locale }) };
    // Nothing of this is done in a conversation; a reminder that is made elsewhere names its own.
    const by = { person, address, conversation: conversationAt({ team, channel: user }) };
    const ask = async (command: Command) =>
      inWords(await this.means.answerCommand(command, { ...by, key: `home:${command.name}` }, slackDialect));
    const [help, reminders, memory, settings, talks] = await Promise.all([
      ask({ name: 'help' }),
      ask({ name: 'reminders' }),
      ask({ name: 'memory list' }),
      ask({ name: 'settings', change: {} }),
      talksOf(this.means, person, maxTalks),
    ]);
    const open = talks.filter(({ state }) => state !== 'idle');
    return [
      header(words.title),
      section(help),
      { type: 'divider' },
      header(words.open),
      ...(open.length === 0
        ? [section(words.nothingOpen)]
        : open.map((talk, at) => talkBlock(talk, 'home_stop', at, locale))),
      header(words.reminders),
      section(reminders),
      header(words.memory),
      section(memory),
      header(words.settings),
      section(settings),
    ];
  }
}

function header(text: string): types.HeaderBlock {
  return { type: 'header', text: { type: 'plain_text', text } };
}

function talkBlock(
  { conversation, title, state }: Talk,
  action: HomeAction,
  at: number,
  locale: string | undefined,
): types.SectionBlock {
  const words = homeWords(locale);
  const label = action === 'home_stop' ? buttonWords(locale).stop : words.beginAnew;
  const what = state === 'idle' ? '' : ` · ${state === 'waits' ? words.waits : words.works}`;
  return {
    ...section(`*${escapeMrkdwn(title === '' ? '…' : title)}*${what}`),
    accessory: {
      type: 'button',
      action_id: `${action}:${at}`,
      text: { type: 'plain_text', text: label },
      value: homeHandle(action, conversation),
    },
  };
}
