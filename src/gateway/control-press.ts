/**
 * Buttons, menus and forms whose meaning no platform knows: passed on as they are. Who may not use the bot may not press
 * either, and whoever presses is always told something.
 */
import type { Dialect } from '../domain/command.ts';
import type { PressBy, PressForm, PressReply, Press as PressText } from '../domain/controls.ts';
import type { ConversationId, UserId } from '../domain/ids.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import { clickWords } from './click-words.ts';
import type { Press } from './press.ts';
import type { Said } from './said.ts';

/** What presses need of the rest of Docent. Both reject while the store is away. */
export interface PressHandlers {
  readonly answerPress: (
    press: PressText,
    by: PressBy,
    dialect: Dialect,
    form: ReadonlyMap<string, string>,
  ) => Promise<PressReply>;
  readonly formFor: (press: PressText, by: PressBy, dialect: Dialect) => Promise<PressForm | PressReply>;
}

export interface ControlPressMeans extends PressHandlers {
  readonly mayUse: (person: UserId, from: Said['from']) => boolean;
  readonly isAdmin: (person: UserId) => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface ControlPressed {
  readonly by: Press;
  readonly conversation: ConversationId;
  /** As the platform sent it back. */
  readonly press: PressText;
  /** What was filled in, by the name of each field; empty without a form. */
  readonly form: ReadonlyMap<string, string>;
  readonly dialect: Dialect;
}

/** Of the three seconds that platforms wait for a form. Unit: milliseconds. */
const formLimitMs = 1_500;

export class ControlPress {
  constructor(private readonly means: ControlPressMeans) {}

  /** Why this person may press nothing there; undefined: they may. */
  refusal({ author, from, address }: Press): string | undefined {
    return this.means.mayUse(author, from) ? undefined : clickWords(address.locale).refused;
  }

  /** Takes as long as it takes; never rejects. */
  async answer(pressed: ControlPressed): Promise<PressReply> {
    const { press, form, dialect, by } = pressed;
    try {
      return await this.means.answerPress(press, await this.byOf(pressed), dialect, form);
    } catch (error) {
      this.means.log.warn({ error, press: by.id }, 'a press could not be carried out');
      return tryAgain(by);
    }
  }

  /** The form that a button opens, or why it does not. In time for a first response; never rejects. */
  async form(pressed: ControlPressed): Promise<PressForm | PressReply> {
    const { press, dialect, by } = pressed;
    const { clock, formFor } = this.means;
    return Promise.race([
      this.byOf(pressed)
        .then((who) => formFor(press, who, dialect))
        .catch(() => tryAgain(by)),
      clock.sleep(formLimitMs).then(() => tryAgain(by)),
    ]);
  }

  private async byOf({ by, conversation }: ControlPressed): Promise<PressBy> {
    const { id, author: person, address } = by;
    const isManager = this.means.isAdmin(person) || (await by.isManager());
    return { person, key: `press:${id}`, conversation, address, isManager };
  }
}

function tryAgain({ address }: Press): PressReply {
  return { kind: 'tell', text: clickWords(address.locale).tryAgain };
}
