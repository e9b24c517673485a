/** `/docent …` and the shortcut of a message: what is said in a conversation goes to the store, the rest is answered at once. */
import type { Command, CommandBy, Dialect } from '../../domain/command.ts';
import type { Said } from '../../domain/controls.ts';
import { cutText } from '../../domain/cut-text.ts';
import { EventId, type UserId } from '../../domain/ids.ts';
import { clickWords } from '../../gateway/click-words.ts';
import { commandReplyWords } from '../../gateway/command-words.ts';
import { homeWords } from '../../gateway/home-words.ts';
import type { Inflow } from '../../gateway/inflow.ts';
import { type Press, saidIn } from '../../gateway/press.ts';
import type { Said as SaidThere } from '../../gateway/said.ts';
import { lineOf } from './clicks.ts';
import { type CommandReplyMeans, replyWith, respond } from './command-replies.ts';
import { controlBlocks } from './control-blocks.ts';
import { slackDialect } from './dialect.ts';
import { isRefused } from './failures.ts';
import { escapeMrkdwn } from './harmless.ts';
import type { HomeTab } from './home-tab.ts';
import type { Delivery } from './ingress.ts';
import { filesOf, talkOf } from './normalize.ts';
import type { MessageAction, SlashCommand } from './payloads.ts';
import { conversationAt, placeName, readPlace } from './place.ts';
import { metadataOf } from './posted.ts';
import { type PressingMeans, pressOf } from './pressing.ts';
import { readCommand } from './read-command.ts';
import type { Reply } from './response-url.ts';
import { saidText } from './said-text.ts';
import type { WebFor } from './web.ts';

export interface CommandHandlers {
  /** Whether this person may use the bot there at all. */
  readonly mayUse: (person: UserId, from: SaidThere['from']) => boolean;
  readonly answerCommand: (command: Command, by: CommandBy, dialect: Dialect) => Promise<Said>;
  /** A command as it is typed. */
  readonly readLine: (line: string) => Command | undefined;
  /** True for one caller, whoever asks. */
  readonly isFirst: (thing: string) => Promise<boolean>;
}

export interface CommandsMeans extends CommandHandlers, CommandReplyMeans, PressingMeans {
  readonly webFor: WebFor;
  readonly inflow: Inflow;
  readonly accept: (said: SaidThere) => Promise<string>;
  readonly home: HomeTab;
}

/** Of a question that is shown in the channel; the model reads all of it. Unit: code points. */
const maxShownChars = 1_500;
const titleChars = 300;

export class Commands {
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly means: CommandsMeans) {}

  take(command: SlashCommand, ack: Delivery['ack']): void {
    this.keep(this.run(command, ack));
  }

  explain(shortcut: MessageAction, ack: Delivery['ack']): void {
    this.keep(this.runExplain(shortcut, ack));
  }

  async settled(): Promise<void> {
    await Promise.all(this.running);
  }

  private keep(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => this.means.log.error({ error }, 'a command could not be carried out'))
      .finally(() => this.running.delete(done));
    this.running.add(done);
  }

  private async run(used: SlashCommand, ack: Delivery['ack']): Promise<void> {
    const { readLine, mayUse } = this.means;
    const { team_id: team, channel_id: channel, user_id: id, user_name: name } = used;
    const url = used.response_url ?? undefined;
    const press = await pressOf(
      { id: `command:${used.trigger_id}`, team, channel, user: { id, name } },
      this.means,
    );
    const words = clickWords(press.address.locale);
    if (!mayUse(press.author, press.from)) return ack(ephemeral(words.refused));
    const command = readCommand(
      saidText(used.text, () => undefined, ''),
      readLine,
    );
    switch (command.kind) {
      case 'asked':
        return this.ask(press, command.as, command.question, used, ack);
      case 'stop':
        return replyWith(this.listed(press, 'home_stop'), ack, url, this.means);
      case 'new':
        return replyWith(this.listed(press, 'home_new'), ack, url, this.means);
      case 'answered':
        return replyWith(this.answered(press, command.command), ack, url, this.means);
    }
  }

  /** Slack tells of no thread: the person says which conversation is meant. */
  private async listed(press: Press, action: 'home_stop' | 'home_new'): Promise<Reply> {
    const { locale } = press.address;
    try {
      const blocks = await this.means.home.list(press, action);
      const none = action === 'home_stop' ? clickWords(locale).idle : commandReplyWords(locale).newAnyway;
      if (blocks === undefined) return { text: none };
      const words = homeWords(locale);
      return { text: action === 'home_stop' ? words.whichStop : words.whichNew, blocks };
    } catch (error) {
      this.means.log.warn({ error }, 'what is open for a person could not be read');
      return { text: clickWords(locale).tryAgain };
    }
  }

  private async answered(press: Press, command: Command): Promise<Reply> {
    const { id, author, address } = press;
    // What is due there later stands in the channel itself.
    const by = { person: author, key: id, conversation: conversationAt(readPlace(address.place)), address };
    try {
      if (!(await this.means.isFirst(id))) return { text: clickWords(address.locale).tryAgain };
      const { text, controls } = await this.means.answerCommand(command, by, slackDialect);
      return { text, ...(controls && { blocks: controlBlocks(controls) }) };
    } catch (error) {
      this.means.log.warn({ error, command: command.name }, 'a command failed');
      return { text: clickWords(address.locale).tryAgain };
    }
  }

  /** The question stands in the channel, said by the bot: the rest follows in its thread, as below a message. */
  private async ask(
    press: Press,
    kind: 'message' | 'next',
    content: string,
    { team_id: team, channel_id: channel, user_id: user, response_url: url }: SlashCommand,
    ack: Delivery['ack'],
  ): Promise<void> {
    const words = commandReplyWords(press.address.locale);
    if (content.trim() === '') return ack(ephemeral(words.nothingAsked));
    await ack();
    const shown = `*${escapeMrkdwn(press.name)}:* ${escapeMrkdwn(cutText(content, maxShownChars))}`;
    let ts: string;
    try {
      const web = await this.means.webFor(team);
      const posted = await web('chat.postMessage', {
        channel,
        text: shown,
        unfurl_links: false,
        unfurl_media: false,
        metadata: metadataOf(press.id),
      });
      ts = String(posted['ts']);
    } catch (error) {
      this.means.log.warn({ error, channel }, 'a question could not be shown where it was asked');
      const text = isRefused(error) ? words.inviteMe : clickWords(press.address.locale).tryAgain;
      return respond(url ?? undefined, { text }, this.means);
    }
    const bot = await this.means.people.identityOf(team);
    const talk = talkOf({ team, channel, channel_type: undefined, ts }, bot);
    const isDirect = channel.startsWith('D');
    const conversation = conversationAt(talk);
    await this.store({
      conversation,
      item: {
        ...saidIn(press),
        id: EventId(ts),
        kind,
        address: {
          ...press.address,
          place: placeName(isDirect ? talk : { team, channel }),
          replyTo: ts,
          title: cutText(content, titleChars),
          recipient: `${team}:${user}`,
        },
        content,
        mentioned: true,
      },
      wanted: isDirect ? 'always' : 'and_follow',
      from: press.from,
    });
  }

  /** The answer stands in the thread of the message. */
  private async runExplain(shortcut: MessageAction, ack: Delivery['ack']): Promise<void> {
    const { user, message, response_url: url, callback_id } = shortcut;
    const team = shortcut.team?.id ?? user.team_id;
    const channel = shortcut.channel.id;
    if (!team || callback_id !== explainId) return ack();
    const root = message.thread_ts ?? message.ts;
    const id = `explain:${shortcut.action_ts ?? shortcut.trigger_id ?? message.ts}`;
    const press = await pressOf({ id, team, channel, thread: root, user }, this.means);
    await ack();
    const { locale } = press.address;
    const tell = (text: string) => respond(url ?? undefined, { text }, this.means);
    if (!this.means.mayUse(press.author, press.from)) return tell(clickWords(locale).refused);
    const words = commandReplyWords(locale);
    if (!(await this.isMember(team, channel))) return tell(words.inviteMe);
    const bot = await this.means.people.identityOf(team);
    const text = saidText(message.text ?? '', () => undefined, bot.user);
    const files = filesOf(team, message.files);
    if (text === '' && files.length === 0) return tell(words.nothingAsked);
    const author = message.user
      ? await this.means.people.nameOf(team, message.user)
      : (message.username ?? '');
    await this.store({
      conversation: conversationAt({ team, channel, thread: root }),
      item: {
        ...saidIn(press),
        kind: 'message',
        address: { ...press.address, replyTo: message.ts, title: cutText(text, titleChars) },
        content: words.explain(author, text),
        mentioned: true,
        ...(files.length > 0 && { files }),
      },
      wanted: 'always',
      from: press.from,
    });
  }

  /** Where it is not known, it is tried. */
  private async isMember(team: string, channel: string): Promise<boolean> {
    try {
      const web = await this.means.webFor(team);
      const { channel: found } = await web('conversations.info', { channel });
      return !(
        typeof found === 'object' &&
        found !== null &&
        'is_member' in found &&
        found.is_member === false
      );
    } catch (error) {
      return !isRefused(error);
    }
  }

  /** In order with what else is said there, as often as it takes. */
  private async store(said: SaidThere): Promise<void> {
    await this.means.inflow.take(lineOf(said.conversation), async () => void (await this.means.accept(said)));
  }
}

/** `callback_id` of the shortcut, as the manifest has it. */
export const explainId = 'explain';

function ephemeral(text: string) {
  return { response_type: 'ephemeral', text };
}
