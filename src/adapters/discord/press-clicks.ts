/** Buttons, menus and forms whose meaning Discord does not know: passed on as they are, and answered as is said. */
import type { Dialect } from '../../domain/command.ts';
import type { Press, PressBy, PressForm, PressReply } from '../../domain/controls.ts';
import type { UserId } from '../../domain/ids.ts';
import { clickWords } from '../../gateway/click-words.ts';
import type { Said } from '../../gateway/said.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import { controlForm, controlRows, readPressed } from './control-rows.ts';
import { dialectFor } from './dialect.ts';
import { type Answers, type Click, isManager, saidBy, senderOf } from './interaction.ts';
import { conversationAt } from './normalize.ts';

/** What presses need of the rest of Docent. */
export interface PressHandlers {
  readonly answerPress: (
    press: Press,
    by: PressBy,
    dialect: Dialect,
    form: ReadonlyMap<string, string>,
  ) => Promise<PressReply>;
  readonly formFor: (press: Press, by: PressBy, dialect: Dialect) => Promise<PressForm | PressReply>;
}

export interface PressClicksMeans extends PressHandlers {
  readonly answers: Answers;
  readonly mayUse: (person: UserId, from: Said['from']) => boolean;
  readonly isAdmin: (person: UserId) => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Of the three seconds that Discord waits for a form. Unit: milliseconds. */
const formLimitMs = 1_500;

export class PressClicks {
  constructor(private readonly means: PressClicksMeans) {}

  /** False: it is none of these. */
  async take(click: Click): Promise<boolean> {
    const pressed = readPressed(click);
    if (pressed === undefined) return false;
    const { answers, mayUse } = this.means;
    const words = clickWords(click.locale);
    if (!mayUse(saidBy(click).author, senderOf(click))) await answers.show(click, { content: words.refused });
    else if (pressed.opensForm) await this.openForm(click, pressed.press);
    // Several gateways hear the same: one of them acts.
    else if (await answers.acknowledge(click)) await this.answer(click, pressed.press, pressed.form);
    return true;
  }

  private async answer(click: Click, press: Press, form: ReadonlyMap<string, string>): Promise<void> {
    const { answers, answerPress, log } = this.means;
    try {
      const reply = await answerPress(press, this.by(click), dialectFor(click.locale), form);
      const words = { content: reply.text, components: reply.controls ? controlRows(reply.controls) : [] };
      if (reply.kind === 'replace') await answers.replace(click, words);
      else answers.tell(click, words);
    } catch (error) {
      log.warn({ error, interaction: click.id }, 'a press could not be carried out');
      answers.tell(click, { content: clickWords(click.locale).tryAgain });
    }
  }

  private async openForm(click: Click, press: Press): Promise<void> {
    const { answers, clock, formFor } = this.means;
    const form = await Promise.race([
      formFor(press, this.by(click), dialectFor(click.locale)).catch(() => 'too_late' as const),
      clock.sleep(formLimitMs).then(() => 'too_late' as const),
    ]);
    if (form === 'too_late') await answers.show(click, { content: clickWords(click.locale).tryAgain });
    else if ('fields' in form) await answers.openForm(click, controlForm(form));
    else await answers.show(click, { content: form.text });
  }

  private by(click: Click): PressBy {
    const { id, author, address } = saidBy(click);
    return {
      person: author,
      key: `press:${id}`,
      conversation: conversationAt(address.place),
      address,
      isManager: isManager(click) || this.means.isAdmin(author),
    };
  }
}
