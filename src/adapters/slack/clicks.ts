/**
 * Buttons, menus and forms. What moves a conversation is told to it; what opens a form or a page is opened here, within the
 * three seconds that Slack gives.
 */
import type { types } from '@slack/bolt';
import type { MessageRef } from '../../domain/address.ts';
import type { ConversationId } from '../../domain/ids.ts';
import { type AnswerHandle, AnswerPress, type AnswerPressMeans } from '../../gateway/answer-press.ts';
import { buttonWords } from '../../gateway/button-words.ts';
import { type AskedHandle, CardPress, type CardPressMeans, type Given } from '../../gateway/card-press.ts';
import { clickWords } from '../../gateway/click-words.ts';
import type { Inflow } from '../../gateway/inflow.ts';
import type { Press, Told } from '../../gateway/press.ts';
import { cardView, reasonView, viewFields } from './card.ts';
import { ControlClicks, type ControlClicksMeans } from './control-clicks.ts';
import {
  buttonId,
  type CardHandle,
  forms,
  isOfCall,
  readButtonId,
  readCardHandle,
  readHomeHandle,
} from './custom-ids.ts';
import { isRefused } from './failures.ts';
import type { HomeTab } from './home-tab.ts';
import type { Delivery } from './ingress.ts';
import { lookView } from './look-view.ts';
import { openView } from './open-view.ts';
import type { BlockActions, ViewSubmission } from './payloads.ts';
import { placeOfConversation, readPlace } from './place.ts';
import { pressOf } from './pressing.ts';
import type { Where } from './private-words.ts';
import type { Reader } from './reader.ts';

export interface ClicksMeans extends ControlClicksMeans, AnswerPressMeans, CardPressMeans {
  readonly inflow: Inflow;
  readonly reader: Pick<Reader, 'reread'>;
  readonly home: HomeTab;
}

/** What takes longer is acknowledged before it is stored: a press is not sent again, and people wait. Unit: milliseconds. */
const ackLimitMs = 800;

export class Clicks {
  private readonly running = new Set<Promise<void>>();
  private readonly answer: AnswerPress;
  private readonly card: CardPress;
  private readonly controls: ControlClicks;

  constructor(private readonly means: ClicksMeans) {
    this.answer = new AnswerPress(means);
    this.card = new CardPress(means);
    this.controls = new ControlClicks(means);
  }

  take(click: BlockActions, ack: Delivery['ack']): void {
    this.keep(this.press(click, ack));
  }

  submit(form: ViewSubmission, ack: Delivery['ack']): void {
    this.keep(this.fillIn(form, ack));
  }

  async settled(): Promise<void> {
    await Promise.all(this.running);
  }

  private keep(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => this.means.log.error({ error }, 'a click could not be answered'))
      .finally(() => this.running.delete(done));
    this.running.add(done);
  }

  private async press(click: BlockActions, ack: Delivery['ack']): Promise<void> {
    if (await this.controls.take(click, ack)) return;
    const [action] = click.actions;
    const value = action?.value ?? '';
    const button = readButtonId(value);
    // A menu keeps its handle beside its options.
    const card = readCardHandle(value) ?? readCardHandle(action?.block_id ?? '');
    const home = readHomeHandle(value);
    const handle = button ?? card ?? home;
    if (action === undefined || handle === undefined) return ack();
    const where = whereOf(click, handle.conversation);
    const press = () =>
      pressOf(
        {
          id: `click:${action.action_ts ?? click.trigger_id ?? ''}`,
          team: where.team,
          channel: click.container?.channel_id ?? click.channel?.id,
          thread: where.thread,
          user: click.user,
          message: click.container?.message_ts ?? undefined,
        },
        this.means,
      );
    if (home !== undefined) {
      await ack();
      return this.means.home.act(home, await press(), where);
    }
    if (button?.action === 'thinking' || button?.action === 'sources')
      return this.look(button, click, where, ack);
    if (button?.action === 'why') {
      await ack();
      const { locale } = (await press()).address;
      return openView(this.means, click, where, reasonView(button, locale));
    }
    if (card?.action === 'open_form') return this.openForm(card, click, where, await press(), ack);
    const stored =
      button !== undefined
        ? this.store(button.conversation, () => this.carryOut(press, button, ''))
        : card === undefined
          ? Promise.resolve(undefined)
          : this.store(card.conversation, async () =>
              this.answerCard(await press(), card, optionIn(click, card)),
            );
    await this.inTime(stored);
    await ack();
    await this.tell(where, await stored, button);
  }

  private async fillIn(form: ViewSubmission, ack: Delivery['ack']): Promise<void> {
    if (await this.controls.submit(form, ack)) return;
    const { callback_id: callback, private_metadata: handleText, state, id } = form.view;
    const fields = viewFields(state?.values);
    const card = callback === forms.card ? readCardHandle(handleText) : undefined;
    const button = callback === forms.reason ? readButtonId(handleText) : undefined;
    const handle = card ?? button;
    if (handle === undefined) return ack();
    const { team, channel, thread } = placeOfConversation(handle.conversation);
    const where: Where = { team, channel, user: form.user.id, thread };
    const press = () =>
      pressOf(
        { id: `form:${id}:${form.view.hash ?? ''}`, team, channel, thread, user: form.user },
        this.means,
      );
    const stored = this.store(handle.conversation, async () =>
      card !== undefined
        ? this.answerCard(await press(), card, { fields })
        : button && this.carryOut(press, button, textIn(fields.get('t0'))),
    );
    const told = await this.inTime(stored);
    const [field] = Object.keys(state?.values ?? {});
    // An empty form stays open, and says so.
    if (told?.text === clickWords((await press()).address.locale).nothingGiven && field !== undefined)
      return ack({ response_action: 'errors', errors: { [field]: told.text } });
    await ack();
    await this.tell(where, await stored, undefined);
  }

  private answerCard(press: Press, handle: CardHandle, given: Given): Promise<Told | undefined> {
    return handle.action === 'ask_anyway'
      ? this.card.askAnyway(press, asked(handle), relativeTime)
      : this.card.answer(press, asked(handle), given);
  }

  private async carryOut(
    press: () => Promise<Press>,
    handle: AnswerHandle,
    reason: string,
  ): Promise<Told | undefined> {
    return this.answer.carryOut(await press(), handle, {
      takeAway: (message) => this.takeAway(message),
      reread: () => this.means.reader.reread(placeOfConversation(handle.conversation), handle.slot),
      reason,
    });
  }

  /** In order with what else is said there, as often as it takes. Resolves with what its author is told. */
  private async store(
    conversation: ConversationId,
    carryOut: () => Promise<Told | undefined>,
  ): Promise<Told | undefined> {
    let told: Told | undefined;
    await this.means.inflow.take(lineOf(conversation), async () => {
      told = await carryOut();
    });
    return told;
  }

  private inTime(stored: Promise<Told | undefined>): Promise<Told | undefined> {
    return Promise.race([stored, this.means.clock.sleep(ackLimitMs).then(() => undefined)]);
  }

  private async tell(where: Where, told: Told | undefined, handle: AnswerHandle | undefined): Promise<void> {
    if (told === undefined) return;
    if (told.asksWhy !== true || handle === undefined) return this.means.words.show(where, told.text);
    const profile = await this.means.people.profileOf(where.team, where.user);
    const button: types.Button = {
      type: 'button',
      action_id: 'why',
      text: { type: 'plain_text', text: buttonWords(profile?.locale).why },
      value: buttonId({ ...handle, action: 'why' }),
    };
    await this.means.words.show(where, told.text, [{ type: 'actions', elements: [button] }]);
  }

  private async openForm(
    handle: CardHandle,
    click: BlockActions,
    where: Where,
    press: Press,
    ack: Delivery['ack'],
  ): Promise<void> {
    const shown = await this.card.toFillIn(press, asked(handle));
    await ack();
    if ('told' in shown) return this.means.words.show(where, shown.told);
    const place = { conversation: handle.conversation, locale: press.address.locale };
    await openView(this.means, click, where, cardView(shown, place));
  }

  private async look(
    handle: AnswerHandle,
    click: BlockActions,
    where: Where,
    ack: Delivery['ack'],
  ): Promise<void> {
    const profile = await Promise.race([
      this.means.people.profileOf(where.team, where.user),
      this.means.clock.sleep(ackLimitMs).then(() => undefined),
    ]);
    const seen = await this.answer.look(handle, profile?.locale);
    await ack();
    if ('told' in seen) return this.means.words.show(where, seen.told);
    const words = buttonWords(profile?.locale);
    const title = handle.action === 'sources' ? words.sources : words.thinkingTitle;
    await openView(this.means, click, where, lookView(title, seen.lines));
  }

  private async takeAway({ place, id }: MessageRef): Promise<void> {
    const { team, channel } = readPlace(place);
    const web = await this.means.webFor(team);
    try {
      await web('chat.delete', { channel, ts: id });
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.means.log.debug({ error, message: id }, 'an answer is gone already');
    }
  }
}

/** As a message of the conversation would be kept in order. */
export function lineOf(conversation: ConversationId): string {
  return conversation.slice(conversation.indexOf(':') + 1);
}

/** A handle names its workspace; an organization that has the app as a whole does not. */
function whereOf(click: BlockActions, conversation: ConversationId): Where {
  const { team, channel } = placeOfConversation(conversation);
  return {
    team,
    channel: click.container?.channel_id ?? click.channel?.id ?? channel,
    user: click.user.id,
    thread: click.message?.thread_ts ?? click.container?.thread_ts ?? undefined,
    responseUrl: click.response_url,
  };
}

function asked(handle: CardHandle): AskedHandle {
  return { conversation: handle.conversation, isOf: (callId) => isOfCall(handle, callId) };
}

function optionIn({ actions: [action] }: BlockActions, handle: CardHandle): Given {
  const picked = action?.selected_option?.value;
  return { option: picked === undefined ? handle.option : Number(picked) };
}

function textIn(field: string | readonly string[] | undefined): string {
  return typeof field === 'string' ? field.trim() : '';
}

/** Slack shows it in the zone of whoever reads it. */
function relativeTime(at: number): string {
  const seconds = Math.ceil(at / 1_000);
  return `<!date^${seconds}^{time}|${new Date(at).toISOString()}>`;
}
