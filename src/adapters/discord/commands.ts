/** Commands: those that are said in a conversation go to the store like a message, the others are answered at once. */
import {
  type APIApplicationCommandInteraction,
  type APIInteraction,
  ChannelType,
  InteractionType,
  PermissionFlagsBits,
} from 'discord.js';
import type { Command, CommandBy, Dialect } from '../../domain/command.ts';
import type { Said } from '../../domain/controls.ts';
import { cutText } from '../../domain/cut-text.ts';
import { type ConversationId, EventId, type UserId } from '../../domain/ids.ts';
import type { InboxItem } from '../../domain/inbound.ts';
import { clickWords, wordsAbout } from '../../gateway/click-words.ts';
import { commandReplyWords } from '../../gateway/command-words.ts';
import type { Inflow } from '../../gateway/inflow.ts';
import type { Said as SaidThere } from '../../gateway/said.ts';
import { CommandReplies, type CommandRepliesMeans } from './command-replies.ts';
import { dialectFor } from './dialect.ts';
import { saidBy, senderOf } from './interaction.ts';
import { conversationAt, isBesideVoices, isThread, titleChars } from './normalize.ts';
import { neededPermissions } from './permissions.ts';
import { type Asked, readCommand } from './read-command.ts';

/** What commands need of the rest of Docent. */
export interface CommandHandlers {
  /** Whether this person may use the bot there at all. */
  readonly mayUse: (person: UserId, from: SaidThere['from']) => boolean;
  readonly answerCommand: (command: Command, by: CommandBy, dialect: Dialect) => Promise<Said>;
  /** True for one caller within some minutes, whoever asks: of several gateways one acts. */
  readonly isFirst: (thing: string, rememberedS?: number) => Promise<boolean>;
  /** Of what began in a channel: where the person spoke last. */
  readonly newestAt: (place: string, person: UserId) => Promise<ConversationId | undefined>;
  readonly noteLocale: (person: UserId, locale: string) => Promise<void>;
}

export interface CommandsMeans extends CommandHandlers, CommandRepliesMeans {
  readonly inflow: Inflow;
  readonly accept: (said: SaidThere) => Promise<string>;
}

type Used = APIApplicationCommandInteraction;

/** Without these there is no answer in a channel, or in a thread. */
const toAnswer = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages;
const toAnswerInThread = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessagesInThreads;
/** Of the three seconds that Discord waits for a first answer. Unit: milliseconds. */
const readLimitMs = 1_500;
/** Discord shows no more suggestions. */
const maxSuggestions = 25;

export class Commands {
  private readonly running = new Set<Promise<void>>();
  private readonly replies: CommandReplies;

  constructor(private readonly means: CommandsMeans) {
    this.replies = new CommandReplies(means);
  }

  take(interaction: APIInteraction): void {
    if (interaction.type === InteractionType.ApplicationCommandAutocomplete) {
      const typed = interaction.data.options.find((option) => 'focused' in option && option.focused);
      const text = typed !== undefined && 'value' in typed ? String(typed.value) : '';
      this.keep(this.replies.suggest(interaction, zonesLike(text)));
    }
    if (interaction.type === InteractionType.ApplicationCommand) this.keep(this.run(interaction));
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

  private async run(used: Used): Promise<void> {
    const command = readCommand(used);
    const { author } = saidBy(used);
    if (!this.means.mayUse(author, senderOf(used)))
      return this.replies.refuse(used, clickWords(used.locale).refused);
    this.means.noteLocale(author, used.locale).catch((error: unknown) => {
      this.means.log.debug({ error }, 'the language of a person is noted another time');
    });
    switch (command?.kind) {
      case undefined:
        this.means.log.warn({ command: used.data.name }, 'a command of another version was used');
        return this.replies.refuse(used, clickWords(used.locale).tryAgain);
      case 'asked':
        return this.ask(used, command);
      case 'stop':
        return this.stop(used);
      case 'new':
        return this.beginAnew(used);
      case 'answered':
        return this.answer(used, command.command);
    }
  }

  /** The answer to the command is the question that stands in the channel: the rest follows below it, as below a message. */
  private async ask(used: Used, { as: kind, content, title, files, shown }: Asked): Promise<void> {
    const words = commandReplyWords(used.locale);
    const missing = missingIn(used);
    if (missing !== '') return this.replies.refuse(used, words.cannotWrite(missing));
    if (content.trim() === '') return this.replies.refuse(used, words.nothingAsked);
    const message = await this.replies.defer(used, 'everybody');
    if (message === undefined) return;
    await this.replies.say(used, shown);
    const said = saidBy(used);
    const address = {
      ...said.address,
      replyTo: message,
      title: cutText(title, titleChars),
      ...(isBesideVoices(used.channel.type) && { noThreads: true as const }),
    };
    const item: InboxItem = {
      ...said,
      kind,
      address,
      content,
      mentioned: true,
      ...(files.length > 0 && { files }),
    };
    const own = ownConversation(used);
    const conversation = own ?? conversationAt(message);
    await this.store({
      conversation,
      item,
      wanted: own === undefined ? 'and_follow' : 'always',
      from: senderOf(used),
    });
  }

  private async stop(used: Used): Promise<void> {
    const message = await this.replies.defer(used, 'them');
    if (message === undefined) return;
    const said = saidBy(used);
    const words = clickWords(used.locale);
    const conversation =
      ownConversation(used) ??
      (await this.means.newestAt(said.address.place, said.author).catch(() => 'away' as const));
    if (conversation === 'away') return this.replies.say(used, words.tryAgain);
    if (conversation === undefined) return this.replies.say(used, words.idle);
    const item: InboxItem = { ...said, kind: 'stop' };
    const accepted = await this.store({ conversation, item, wanted: 'always', from: senderOf(used) });
    const { stopping, stopped } = commandReplyWords(used.locale);
    const done = { stopping, queued: stopped, '': words.tryAgain }[accepted];
    return this.replies.say(used, done ?? wordsAbout(accepted, words) ?? words.idle);
  }

  /** For all to see, but not where it is refused: so the store is asked first, for as long as there is time. */
  private async beginAnew(used: Used): Promise<void> {
    const words = commandReplyWords(used.locale);
    const conversation = ownConversation(used);
    if (conversation === undefined) return this.replies.refuse(used, words.newAnyway);
    const said = saidBy(used);
    const from = senderOf(used);
    const stop: InboxItem = { ...said, id: EventId(`${said.id}/stop`), kind: 'stop' };
    void this.store({ conversation, item: stop, wanted: 'always', from });
    const storing = this.store({ conversation, item: { ...said, kind: 'new' }, wanted: 'always', from });
    const soon = this.means.clock.sleep(readLimitMs).then(() => 'not_yet');
    const { notPart, tryAgain } = clickWords(used.locale);
    if ((await Promise.race([storing, soon])) === 'not_part') return this.replies.refuse(used, notPart);
    if ((await this.replies.defer(used, 'everybody')) === undefined) return;
    const problem = { not_part: notPart, '': tryAgain }[await storing];
    return this.replies.say(used, problem ?? words.anew);
  }

  private async answer(used: Used, command: Command): Promise<void> {
    const message = await this.replies.defer(used, 'them');
    if (message === undefined) return;
    const { id, author, address } = saidBy(used);
    // What is due there later stands in the channel itself.
    const conversation = ownConversation(used) ?? conversationAt(address.place);
    const by = { person: author, key: `command:${id}`, conversation, address };
    let said: Said;
    try {
      if (!(await this.means.isFirst(`command:${id}`))) return;
      said = await this.means.answerCommand(command, by, dialectFor(used.locale));
    } catch (error) {
      this.means.log.warn({ error, command: command.name }, 'a command failed');
      said = { text: clickWords(used.locale).tryAgain };
    }
    await this.replies.say(used, said.text, said.controls);
  }

  /** In order with what else is said there, as often as it takes. Resolves with what it came to; '' when all trying ends. */
  private async store(said: SaidThere): Promise<string> {
    let accepted = '';
    await this.means.inflow.take(said.conversation.slice('discord:'.length), async () => {
      accepted = await this.means.accept(said);
    });
    return accepted;
  }
}

/** Threads and direct messages are one conversation; in a channel each question begins one. */
function ownConversation({ channel }: Used): ConversationId | undefined {
  return isThread(channel.type) || channel.type === ChannelType.DM ? conversationAt(channel.id) : undefined;
}

/** By the names that Discord shows; empty when nothing is missing. */
function missingIn({ app_permissions: allowed, channel, guild_id: guild }: Used): string {
  if (guild === undefined) return '';
  const needed = isThread(channel.type) ? toAnswerInThread : toAnswer;
  return neededPermissions
    .filter(({ bit }) => (bit & needed) !== 0n && (bit & BigInt(allowed)) === 0n)
    .map(({ name }) => name)
    .join(', ');
}

function zonesLike(text: string): string[] {
  const plain = (zone: string) => zone.toLowerCase().replaceAll(/[\s_]/g, '');
  const wanted = plain(text);
  const all = ['UTC', ...Intl.supportedValuesOf('timeZone')];
  return all.filter((zone) => plain(zone).includes(wanted)).slice(0, maxSuggestions);
}
