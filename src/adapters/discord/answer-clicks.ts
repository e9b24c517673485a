/** The buttons below an answer and its trace. Who may press which is judged from the journal; everybody else is told why not. */
import { ButtonStyle, ComponentType, Routes, TextInputStyle } from 'discord.js';
import type { MessageRef } from '../../domain/address.ts';
import { UnreadableJournalError } from '../../domain/errors.ts';
import { type ConversationId, EventId, type TurnId, type UserId } from '../../domain/ids.ts';
import type { InboxItem } from '../../domain/inbound.ts';
import type { JournalRecord } from '../../domain/journal.ts';
import { type PastTurn, pastTurn } from '../../domain/past-turn.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import type { Ballot } from '../../ports/votes.ts';
import { buttonWords } from './button-words.ts';
import { readForm } from './card.ts';
import { clickWords, wordsAbout } from './click-words.ts';
import type { Pressed } from './clicks.ts';
import { type ButtonHandle, buttonId } from './custom-ids.ts';
import { isRefused } from './failures.ts';
import type { Inflow } from './inflow.ts';
import { type Answers, type Click, isManager, type PrivateWords, saidBy, senderOf } from './interaction.ts';
import { discordMarkup, maxMessageChars } from './markup.ts';
import type { Heard, HeardMessage } from './normalize.ts';
import type { PacedCalls } from './paced-calls.ts';

export interface AnswerClicksMeans {
  readonly calls: PacedCalls;
  readonly answers: Answers;
  readonly inflow: Inflow;
  readonly accept: (pressed: Pressed) => Promise<string>;
  readonly journalOf: (conversation: ConversationId) => Promise<readonly JournalRecord[]>;
  /** The messages that show an answer; `slot` is that of its first one. */
  readonly messagesOf: (
    conversation: ConversationId,
    turn: TurnId,
    slot: string,
  ) => Promise<readonly MessageRef[]>;
  /** The whole trace of a turn, line by line, in the words of a language (BCP 47). */
  readonly thinkingIn: (records: readonly JournalRecord[], locale: string) => readonly string[];
  /** A message as it reads now, with what REST does not tell of it; undefined when it is gone. */
  readonly reread: (
    channel: string,
    message: string,
    known: Partial<HeardMessage>,
  ) => Promise<Heard | undefined>;
  readonly vote: (ballot: Ballot) => Promise<void>;
  /** Whether this person may do everything everywhere. */
  readonly isAdmin: (person: UserId) => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Passes a click on, and says what its author is to be told of it. */
type Send = (item: InboxItem) => Promise<PrivateWords | undefined>;

/** Of the three seconds that Discord waits for a first answer. Unit: milliseconds. */
const readLimitMs = 1_500;
const maxReasonChars = 1_000;
const reasonField = 'reason';

export class AnswerClicks {
  constructor(private readonly means: AnswerClicksMeans) {}

  async take(click: Click, handle: ButtonHandle): Promise<void> {
    const { answers, inflow } = this.means;
    if (handle.action === 'thinking') return this.showThinking(click, handle);
    if (handle.action === 'why') {
      await answers.openForm(click, reasonForm(click, handle));
      return;
    }
    const acknowledged = answers.acknowledge(click);
    void inflow.take(handle.conversation.slice('discord:'.length), async () => {
      const about = await this.carryOut(click, handle, acknowledged);
      // Several gateways hear the same: one of them says so.
      if (about !== undefined && (await acknowledged)) answers.tell(click, about);
    });
    await acknowledged;
  }

  /** May be done twice: by two gateways, or again when the store was away. Returns what its author is to be told. */
  private async carryOut(
    click: Click,
    handle: ButtonHandle,
    acknowledged: Promise<boolean>,
  ): Promise<PrivateWords | undefined> {
    const words = clickWords(click.locale);
    const past = pastTurn(await this.journalOf(handle.conversation), handle.turn);
    const send = (item: InboxItem) => this.send(click, handle.conversation, item, acknowledged);
    if (past === undefined) return { content: words.forgotten };
    switch (handle.action) {
      case 'up':
      case 'down':
      case 'reason':
        return this.vote(click, handle);
      case 'stop':
        return this.stop(click, past, send);
      case 'again':
        return this.again(click, handle, past, send);
      case 'changed':
        return this.answerChanged(click, handle, past, send);
      case 'remove':
        return this.remove(click, handle, past);
      case 'why':
      case 'thinking':
        return undefined;
    }
  }

  /** Whoever takes part in the turn may end it. */
  private async stop(click: Click, past: PastTurn, send: Send): Promise<PrivateWords | undefined> {
    const words = clickWords(click.locale);
    if (!past.people.has(saidBy(click).author) && !this.mayManage(click))
      return { content: words.notYourTurn };
    // The button of an older turn must not end what runs now.
    if (!past.isOpen) return { content: words.idle };
    return send({ kind: 'stop', ...saidBy(click) });
  }

  private async again(
    click: Click,
    { turn }: ButtonHandle,
    past: PastTurn,
    send: Send,
  ): Promise<PrivateWords | undefined> {
    const words = clickWords(click.locale);
    if (!this.mayDecide(click, past)) return { content: words.notYourTurn };
    if (!past.isNewest) return { content: words.notNewest };
    const isManaging = this.mayManage(click);
    const item = {
      kind: 'again',
      turn,
      ...saidBy(click),
      ...(isManaging && { isManager: true as const }),
    } as const;
    return send(item);
  }

  /** As if it had been asked anew. */
  private async answerChanged(
    click: Click,
    { slot: message }: ButtonHandle,
    past: PastTurn,
    send: Send,
  ): Promise<PrivateWords | undefined> {
    const words = clickWords(click.locale);
    if (!this.mayDecide(click, past)) return { content: words.notYourTurn };
    const { channel, guild_id } = click;
    const parent = channel && 'parent_id' in channel ? channel.parent_id : undefined;
    // A thread under a question has its id.
    const isAbove = channel?.id === message;
    const place = (isAbove ? parent : channel?.id) ?? '';
    const known = {
      ...(guild_id && { guild_id }),
      ...(!isAbove && channel && { channel_type: channel.type }),
    };
    const said = await this.means.reread(place, message, known);
    if (said === undefined) return { content: words.forgotten };
    const told = await send({
      ...said.item,
      id: EventId(`${message}/changed/${click.message?.id ?? click.id}`),
    });
    if (click.message !== undefined)
      await this.takeAway({ surface: 'discord', place: channel?.id ?? '', id: click.message.id });
    return told;
  }

  private async remove(
    click: Click,
    { conversation, turn, slot }: ButtonHandle,
    past: PastTurn,
  ): Promise<PrivateWords | undefined> {
    const { messagesOf, accept } = this.means;
    const words = clickWords(click.locale);
    if (!this.mayDecide(click, past)) return { content: words.notYourTurn };
    // It is being given anew.
    if (past.isOpen) return { content: words.busy };
    const { name, ...said } = saidBy(click);
    const note: InboxItem = {
      ...said,
      kind: 'note',
      content: `[${name} removed an answer of yours.]`,
      removes: turn,
    };
    // Stored first: from now on it is not given anew.
    const accepted = await accept({ conversation, item: note, wanted: 'always', from: senderOf(click) });
    if (accepted === 'late') return { content: words.busy };
    for (const message of await messagesOf(conversation, turn, firstSlot(slot))) await this.takeAway(message);
    return undefined;
  }

  private async takeAway({ place, id }: MessageRef): Promise<void> {
    try {
      const call = { method: 'DELETE', route: Routes.channelMessage(place, id) } as const;
      await this.means.calls.make('remove', { channel: place, about: id }, call);
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.means.log.debug({ error, message: id }, 'an answer is gone already');
    }
  }

  private async vote(click: Click, { action, ...handle }: ButtonHandle): Promise<PrivateWords> {
    const words = clickWords(click.locale);
    const { conversation, turn, slot } = handle;
    const reason = reasonIn(click);
    await this.means.vote({
      conversation,
      answer: `${conversation}:${turn}:${firstSlot(slot)}`,
      person: saidBy(click).author,
      vote: action === 'up' ? 'up' : 'down',
      ...(reason !== '' && { reason }),
    });
    if (action === 'reason') return { content: words.thanks };
    if (action === 'up') return { content: words.voted };
    const { why } = buttonWords(click.locale);
    const button = {
      type: ComponentType.Button,
      style: ButtonStyle.Secondary,
      label: why,
      custom_id: buttonId({ ...handle, action: 'why' }),
    };
    return {
      content: words.votedBad,
      components: [{ type: ComponentType.ActionRow, components: [button] }],
    };
  }

  /** The store tells one gateway what became of a click, the others that they are not the first: so that one says it. */
  private async send(
    click: Click,
    conversation: ConversationId,
    item: InboxItem,
    acknowledged: Promise<boolean>,
  ): Promise<PrivateWords | undefined> {
    const words = clickWords(click.locale);
    const accepted = await this.means.accept({ conversation, item, wanted: 'always', from: senderOf(click) });
    const about = accepted === 'late' ? words.busy : wordsAbout(accepted, words);
    if (about === undefined) return undefined;
    if (accepted.startsWith('refused_')) return { content: about };
    await acknowledged;
    this.means.answers.tell(click, { content: about });
    return undefined;
  }

  private async journalOf(conversation: ConversationId): Promise<readonly JournalRecord[]> {
    try {
      return await this.means.journalOf(conversation);
    } catch (error) {
      if (!(error instanceof UnreadableJournalError)) throw error;
      return []; // of another version, and nothing that can be answered here
    }
  }

  /** The first answer has to be it, so that a long one can come as a file. */
  private async showThinking(click: Click, { conversation, turn }: ButtonHandle): Promise<void> {
    const { clock, answers, thinkingIn } = this.means;
    const words = clickWords(click.locale);
    const journal = await Promise.race([
      this.journalOf(conversation).catch(() => 'too_late' as const),
      clock.sleep(readLimitMs).then(() => 'too_late' as const),
    ]);
    if (journal === 'too_late') return void (await answers.show(click, { content: words.tryAgain }));
    const past = pastTurn(journal, turn);
    if (past === undefined) return void (await answers.show(click, { content: words.forgotten }));
    const lines = thinkingIn(past.records, click.locale);
    const content = lines.map((line) => discordMarkup(line)).join('\n');
    if (Array.from(content).length <= maxMessageChars) return void (await answers.show(click, { content }));
    const files = [{ name: 'thinking.md', data: lines.join('\n') }];
    await answers.show(click, { content: words.inFile }, files);
  }

  private mayDecide(click: Click, { asker }: PastTurn): boolean {
    return asker === saidBy(click).author || this.mayManage(click);
  }

  private mayManage(click: Click): boolean {
    return isManager(click) || this.means.isAdmin(saidBy(click).author);
  }
}

/** An answer of several messages is one answer. */
function firstSlot(slot: string): string {
  return slot.replace(/\.\d+$/, '');
}

function reasonForm({ locale }: Click, handle: ButtonHandle) {
  const { whyTitle } = buttonWords(locale);
  return {
    custom_id: buttonId({ ...handle, action: 'reason' }),
    title: whyTitle,
    components: [
      {
        type: ComponentType.Label,
        label: whyTitle,
        component: {
          type: ComponentType.TextInput,
          custom_id: reasonField,
          style: TextInputStyle.Paragraph,
          max_length: maxReasonChars,
          required: true,
        },
      },
    ],
  };
}

function reasonIn({ data }: Click): string {
  const given = 'components' in data ? readForm(data.components).get(reasonField) : undefined;
  return typeof given === 'string' ? given.trim() : '';
}
