/**
 * Buttons, menus and forms: acknowledged at once, then told to the conversation they stand for. Whatever opens a form has to
 * open it first, which costs one look into the store.
 */
import { type APIInteraction, ComponentType, InteractionType } from 'discord.js';
import type { ConversationId } from '../../domain/ids.ts';
import type { InboxItem } from '../../domain/inbound.ts';
import { answererOf, type OpenPause } from '../../domain/pause.ts';
import { type Answer, isQuestionCard } from '../../domain/question.ts';
import type { ShownCard } from '../../domain/surface-message.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import { AnswerClicks, type AnswerClicksMeans } from './answer-clicks.ts';
import { cardForm, chosenAnswer, formAnswers, readForm } from './card.ts';
import { type CardHandle, isOfCall, readCardHandle } from './card-handle.ts';
import { clickWords, wordsAbout } from './click-words.ts';
import { readButtonId } from './custom-ids.ts';
import type { Inflow } from './inflow.ts';
import { Answers, type Click, isManager, saidBy, senderOf } from './interaction.ts';
import type { Heard } from './normalize.ts';
import { PressClicks, type PressClicksMeans } from './press-clicks.ts';
import type { Rest } from './rest.ts';

export interface Pressed {
  readonly conversation: ConversationId;
  readonly item: InboxItem;
  readonly wanted: 'always';
  readonly from: Heard['from'];
}

export interface ClicksMeans extends Omit<AnswerClicksMeans, 'answers'>, Omit<PressClicksMeans, 'answers'> {
  readonly rest: Rest;
  /** In one line with what is written in the same conversation. */
  readonly inflow: Inflow;
  readonly accept: (pressed: Pressed) => Promise<string>;
  readonly pauseOf: (conversation: ConversationId) => Promise<OpenPause | undefined>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Ends all trying. */
  readonly signal: AbortSignal;
}

/** Of the three seconds that Discord waits for a form. Unit: milliseconds. */
const formLimitMs = 1_500;
/** Others leave the person who was asked so much time. Unit: milliseconds. */
const patienceMs = 10 * 60_000;

export class Clicks {
  private readonly running = new Set<Promise<void>>();
  private readonly answers: Answers;
  private readonly answerClicks: AnswerClicks;
  private readonly pressClicks: PressClicks;

  constructor(private readonly means: ClicksMeans) {
    this.answers = new Answers(means);
    this.answerClicks = new AnswerClicks({ ...means, answers: this.answers });
    this.pressClicks = new PressClicks({ ...means, answers: this.answers });
  }

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
    await this.answers.settled();
  }

  private async answer(click: Click): Promise<void> {
    const button = readButtonId(click.data.custom_id);
    if (button !== undefined) return this.answerClicks.take(click, button);
    if (await this.pressClicks.take(click)) return;
    const handle = readCardHandle(click.data.custom_id);
    if (handle?.action === 'open_form') return this.openForm(click, handle);
    // What is stored does not wait for Discord, nor Discord for the store.
    const acknowledged = this.answers.acknowledge(click);
    if (handle !== undefined)
      this.store(click, handle.conversation, acknowledged, () =>
        handle.action === 'ask_anyway' ? this.askAnyway(click, handle) : this.answerOf(click, handle),
      );
    await acknowledged;
  }

  /** `read` says what is to be stored, or in place of it what the store would say. */
  private store(
    click: Click,
    conversation: ConversationId,
    acknowledged: Promise<boolean>,
    read: () => Promise<Pressed | 'late' | 'nothing_given' | { readonly told: string }>,
  ): void {
    const words = clickWords(click.locale);
    void this.means.inflow.take(conversation.slice('discord:'.length), async () => {
      const pressed = await read();
      if (typeof pressed === 'object' && 'told' in pressed) {
        if (await acknowledged) this.answers.tell(click, { content: pressed.told });
        return;
      }
      const accepted = typeof pressed === 'string' ? pressed : await this.means.accept(pressed);
      const about = accepted === 'nothing_given' ? words.nothingGiven : wordsAbout(accepted, words);
      const isFirst = await acknowledged;
      // Several gateways hear the same. The store says this to one of them; all else is said by who acknowledged.
      const isOnlyHere = typeof pressed !== 'string' && (accepted === 'late' || accepted === 'idle');
      if (about !== undefined && (isOnlyHere || isFirst)) this.answers.tell(click, { content: about });
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

  /** Who looks after the channel need not wait, nor whoever was asked. */
  private async askAnyway(click: Click, handle: CardHandle): Promise<Pressed | 'late' | { told: string }> {
    const pause = await this.means.pauseOf(handle.conversation);
    if (pause === undefined || !isOfCall(handle, pause.callId)) return 'late';
    const said = saidBy(click);
    const may = isManager(click) || this.means.isAdmin(said.author) || said.author === pause.asker;
    const from = pause.askedAt + patienceMs;
    if (!may && this.means.clock.now() < from)
      return { told: clickWords(click.locale).notYet(`<t:${Math.ceil(from / 1_000)}:R>`) };
    return {
      conversation: handle.conversation,
      wanted: 'always',
      from: senderOf(click),
      item: { ...said, kind: 'supersede', callId: pause.callId },
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
      await this.answers.openForm(click, data);
      return;
    }
    const content = pause === 'too_late' ? words.tryAgain : isOthers && shown ? words.notYours : words.late;
    await this.answers.show(click, { content });
  }
}

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
