/** What is pressed below a message, shown and answered as Discord has it. */
import { ControlPress, type ControlPressed, type ControlPressMeans } from '../../gateway/control-press.ts';
import { controlForm, controlRows, readPressed } from './control-rows.ts';
import { dialectFor } from './dialect.ts';
import { type Answers, type Click, pressOf } from './interaction.ts';
import { conversationAt } from './normalize.ts';

export interface PressClicksMeans extends ControlPressMeans {
  readonly answers: Answers;
}

export class PressClicks {
  private readonly control: ControlPress;

  constructor(private readonly means: PressClicksMeans) {
    this.control = new ControlPress(means);
  }

  /** False: it is none of these. */
  async take(click: Click): Promise<boolean> {
    const read = readPressed(click);
    if (read === undefined) return false;
    const { answers } = this.means;
    const by = pressOf(click);
    const conversation = conversationAt(by.address.place);
    const pressed = { ...read, by, conversation, dialect: dialectFor(click.locale) };
    const refusal = this.control.refusal(by);
    if (refusal !== undefined) await answers.show(click, { content: refusal });
    else if (read.opensForm) await this.openForm(click, pressed);
    // Several gateways hear the same: one of them acts.
    else if (await answers.acknowledge(click)) await this.answer(click, pressed);
    return true;
  }

  private async answer(click: Click, pressed: ControlPressed): Promise<void> {
    const { answers } = this.means;
    const { kind, text, controls } = await this.control.answer(pressed);
    const words = { content: text, components: controls ? controlRows(controls) : [] };
    if (kind === 'replace') await answers.replace(click, words);
    else answers.tell(click, words);
  }

  private async openForm(click: Click, pressed: ControlPressed): Promise<void> {
    const { answers } = this.means;
    const form = await this.control.form(pressed);
    if ('fields' in form) await answers.openForm(click, controlForm(form));
    else await answers.show(click, { content: form.text });
  }
}
