/**
 * Buttons, menus and forms: acknowledged at once, then told to the conversation they stand for. Whatever opens a form has to
 * open it first, which costs one look into the store.
 */
import { type APIInteraction, ComponentType, InteractionType } from 'discord.js';
import type { ConversationId } from '../../domain/ids.ts';
import { type AskedHandle, CardPress, type CardPressMeans, type Given } from '../../gateway/card-press.ts';
import type { Inflow } from '../../gateway/inflow.ts';
import type { Told } from '../../gateway/press.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import { AnswerClicks, type AnswerClicksMeans } from './answer-clicks.ts';
import { cardForm, readForm } from './card.ts';
import { type CardHandle, isOfCall, readCardHandle } from './card-handle.ts';
import { readButtonId } from './custom-ids.ts';
import { Answers, type Click, pressOf } from './interaction.ts';
import { PressClicks, type PressClicksMeans } from './press-clicks.ts';
import type { Rest } from './rest.ts';

export interface ClicksMeans
  extends CardPressMeans,
    Omit<AnswerClicksMeans, 'answers'>,
    Omit<PressClicksMeans, 'answers'> {
  readonly rest: Rest;
  /** In one line with what is written in the same conversation. */
  readonly inflow: Inflow;
  readonly clock: Clock;
  readonly log: Logger;
  /** Ends all trying. */
  readonly signal: AbortSignal;
}

export class Clicks {
  private readonly running = new Set<Promise<void>>();
  private readonly answers: Answers;
  private readonly answerClicks: AnswerClicks;
  private readonly card: CardPress;
  private readonly pressClicks: PressClicks;

  constructor(private readonly means: ClicksMeans) {
    this.answers = new Answers(means);
    this.answerClicks = new AnswerClicks({ ...means, answers: this.answers });
    this.card = new CardPress(means);
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
        handle.action === 'ask_anyway'
          ? this.card.askAnyway(pressOf(click), asked(handle), relativeTime)
          : this.card.answer(pressOf(click), asked(handle), givenIn(click, handle)),
      );
    await acknowledged;
  }

  private store(
    click: Click,
    conversation: ConversationId,
    acknowledged: Promise<boolean>,
    carryOut: () => Promise<Told | undefined>,
  ): void {
    void this.means.inflow.take(conversation.slice('discord:'.length), async () => {
      const told = await carryOut();
      const isFirst = await acknowledged;
      // Several gateways hear the same. The store says this to one of them; all else is said by who acknowledged.
      if (told !== undefined && (told.byStore === true || isFirst))
        this.answers.tell(click, { content: told.text });
    });
  }

  private async openForm(click: Click, handle: CardHandle): Promise<void> {
    const shown = await this.card.toFillIn(pressOf(click), asked(handle));
    if ('told' in shown) return void (await this.answers.show(click, { content: shown.told }));
    const data = cardForm(shown, { conversation: handle.conversation, locale: click.locale });
    await this.answers.openForm(click, data);
  }
}

function asked(handle: CardHandle): AskedHandle {
  return { conversation: handle.conversation, isOf: (callId) => isOfCall(handle, callId) };
}

function givenIn({ data }: Click, handle: CardHandle): Given {
  if (handle.action === 'submit_form' && 'components' in data) return { fields: readForm(data.components) };
  const isMenu = 'component_type' in data && data.component_type === ComponentType.StringSelect;
  return { option: isMenu ? Number(data.values[0]) : handle.option };
}

/** Discord shows it as "in 3 minutes". */
function relativeTime(at: number): string {
  return `<t:${Math.ceil(at / 1_000)}:R>`;
}
