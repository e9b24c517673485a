/**
 * Buttons, menus and forms: acknowledged at once, then told to the conversation they stand for. Whatever opens a form has to
 * open it first, which costs one look into the store.
 */
import {
  type APIApplicationCommandInteraction,
  type APIInteraction,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  ComponentType,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  Routes,
} from 'discord.js';
import { type ConversationId, EventId } from '../../domain/ids.ts';
import type { InboxItem } from '../../domain/inbound.ts';
import { answererOf, type OpenPause } from '../../domain/pause.ts';
import { type Answer, isQuestionCard } from '../../domain/question.ts';
import type { ShownCard } from '../../domain/surface-message.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import { cardForm, chosenAnswer, formAnswers, readForm } from './card.ts';
import { type CardHandle, isOfCall, readCardHandle } from './card-handle.ts';
import { clickWords, wordsAbout } from './click-words.ts';
import { stoppedBy } from './custom-ids.ts';
import { isRefused } from './failures.ts';
import type { Inflow } from './inflow.ts';
import { type Heard, isThread, userOf } from './normalize.ts';
import type { Rest } from './rest.ts';

export interface Pressed {
  readonly conversation: ConversationId;
  readonly item: Exclude<InboxItem, { readonly content: unknown }>;
  readonly wanted: 'always';
  readonly from: Heard['from'];
}

export interface ClicksMeans {
  readonly rest: Rest;
  /** In one line with what is written in the same conversation. */
  readonly inflow: Inflow;
  readonly accept: (pressed: Pressed) => Promise<string>;
  readonly pauseOf: (conversation: ConversationId) => Promise<OpenPause | undefined>;
  readonly clock: Clock;
  readonly log: Logger;
}

type Click = APIMessageComponentInteraction | APIModalSubmitInteraction;

/** Of the three seconds that Discord waits for a form. Unit: milliseconds. */
const formLimitMs = 1_500;

export class Clicks {
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly means: ClicksMeans) {}

  take(interaction: APIInteraction): void {
    const isClick =
      interaction.type === InteractionType.MessageComponent ||
      interaction.type === InteractionType.ModalSubmit;
    if (!isClick) return;
    const done = this.answer(interaction)
      .catch((error: unknown) => {
        this.means.log.error({ error, interaction: interaction.id }, 'a click could not be answered');
      })
      .finally(() => this.running.delete(done));
    this.running.add(done);
  }

  async settled(): Promise<void> {
    await Promise.all(this.running);
  }

  private async answer(click: Click): Promise<void> {
    const handle = readCardHandle(click.data.custom_id);
    if (handle?.action === 'open_form') return this.openForm(click, handle);
    // What is stored does not wait for Discord, nor Discord for the store.
    const acknowledged = this.respond(click, { type: InteractionResponseType.DeferredMessageUpdate });
    const stopped = stoppedBy(click.data.custom_id);
    if (stopped !== undefined) this.store(click, stopped, acknowledged, async () => stopOf(click, stopped));
    if (handle !== undefined)
      this.store(click, handle.conversation, acknowledged, () => this.answerOf(click, handle));
    await acknowledged;
  }

  /** `read` says what is to be stored, or in place of it what the store would say. */
  private store(
    click: Click,
    conversation: ConversationId,
    acknowledged: Promise<boolean>,
    read: () => Promise<Pressed | 'late' | 'nothing_given'>,
  ): void {
    const words = clickWords(click.locale);
    void this.means.inflow.take(conversation.slice('discord:'.length), async () => {
      const pressed = await read();
      const accepted = typeof pressed === 'string' ? pressed : await this.means.accept(pressed);
      const about = accepted === 'nothing_given' ? words.nothingGiven : wordsAbout(accepted, words);
      const isFirst = await acknowledged;
      // Several gateways hear the same. The store says this to one of them; all else is said by who acknowledged.
      const isOnlyHere = typeof pressed !== 'string' && (accepted === 'late' || accepted === 'idle');
      if (about !== undefined && (isOnlyHere || isFirst)) await this.tell(click, about);
    });
  }

  private async answerOf(click: Click, handle: CardHandle): Promise<Pressed | 'late' | 'nothing_given'> {
    const pause = await this.means.pauseOf(handle.conversation);
    const shown = pause && shownOf(pause, handle);
    if (shown === undefined) return 'late';
    const answers = answersIn(click, handle, shown);
    if (answers === undefined) return 'nothing_given';
    const said = saidBy(click);
    const at = new Date(this.means.clock.now()).toISOString();
    return {
      conversation: handle.conversation,
      wanted: 'always',
      from: senderOf(click),
      item: { ...said, kind: 'answer', callId: shown.callId, answers: { answers, by: said.author, at } },
    };
  }

  private async openForm(click: Click, handle: CardHandle): Promise<void> {
    const words = clickWords(click.locale);
    const pause = await Promise.race([
      this.means.pauseOf(handle.conversation).catch(() => 'too_late' as const),
      this.means.clock.sleep(formLimitMs).then(() => 'too_late' as const),
    ]);
    const shown = typeof pause === 'object' ? shownOf(pause, handle) : undefined;
    const answerer = typeof pause === 'object' ? answererOf(pause) : undefined;
    const isOthers = answerer !== undefined && answerer !== saidBy(click).author;
    if (shown !== undefined && !isOthers) {
      const data = cardForm(shown, { conversation: handle.conversation, locale: click.locale });
      await this.respond(click, { type: InteractionResponseType.Modal, data });
      return;
    }
    const content = pause === 'too_late' ? words.tryAgain : isOthers && shown ? words.notYours : words.late;
    const data = { content, ...onlyForThem };
    await this.respond(click, { type: InteractionResponseType.ChannelMessageWithSource, data });
  }

  /** Whether it was this process: another gateway that hears the same may have been faster, which is no error. */
  private async respond({ id, token }: Click, body: object): Promise<boolean> {
    try {
      await this.means.rest({ method: 'POST', route: Routes.interactionCallback(id, token), body });
      return true;
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.means.log.debug({ error }, 'a click was acknowledged already, or too late');
      return false;
    }
  }

  /** In private. What it is about has happened, so a failure is only logged. */
  private async tell({ application_id: app, token }: Click, content: string): Promise<void> {
    const body = { content, ...onlyForThem };
    try {
      await this.means.rest({ method: 'POST', route: Routes.webhook(app, token), body });
    } catch (error) {
      this.means.log.warn({ error }, 'a person could not be told in private');
    }
  }
}

const onlyForThem = {
  flags: MessageFlags.Ephemeral,
  allowed_mentions: { parse: [], users: [], roles: [], replied_user: false },
};

/** The card as it stands; undefined for a button of an older one. */
function shownOf(pause: OpenPause, handle: CardHandle): ShownCard | undefined {
  const { callId, question, asker, answers } = pause;
  if (!isOfCall(handle, callId) || !isQuestionCard(question)) return undefined;
  return { callId, card: question, asker, answers };
}

function answersIn({ data }: Click, handle: CardHandle, shown: ShownCard): readonly Answer[] | undefined {
  if (handle.action === 'submit_form' && 'components' in data)
    return formAnswers(shown, readForm(data.components));
  const isMenu = 'component_type' in data && data.component_type === ComponentType.StringSelect;
  const option = isMenu ? Number(data.values[0]) : handle.option;
  const answer = option === undefined ? undefined : chosenAnswer(shown.card, option);
  return answer && [answer];
}

function stopOf(click: Click, conversation: ConversationId): Pressed {
  return { conversation, wanted: 'always', from: senderOf(click), item: { kind: 'stop', ...saidBy(click) } };
}

export function saidBy(click: Click | APIApplicationCommandInteraction) {
  const user = click.member?.user ?? click.user;
  if (user === undefined) throw new Error(`interaction ${click.id} has no user`);
  return {
    id: EventId(click.id),
    author: userOf(user.id),
    name: click.member?.nick ?? user.global_name ?? user.username,
    address: { surface: 'discord', place: click.channel?.id ?? '', locale: click.locale },
  };
}

export function senderOf({
  channel,
  guild_id: server,
  member,
}: Click | APIApplicationCommandInteraction): Heard['from'] {
  const parent =
    channel && 'parent_id' in channel && isThread(channel.type) ? channel.parent_id : channel?.id;
  return {
    isSelf: false,
    isBot: false,
    ...(server !== undefined && { server: `discord:${server}` }),
    ...(server !== undefined && parent && { channel: `discord:${parent}` }),
    ...(member !== undefined && { roles: member.roles.map((role) => `discord:${role}`) }),
  };
}
