/** What can be pressed below a message: buttons, a menu, and the form that a button opens. */
import type { ControlButton, Controls, PressForm } from '../../../domain/controls.ts';
import { button, element } from './element.ts';

export interface ControlActions {
  /** Resolves when the server has said what came of it; true: it was done. */
  readonly press: (press: string, form?: FilledForm) => Promise<boolean>;
  /** Undefined: it cannot be opened, and the person knows why. */
  readonly form: (press: string) => Promise<PressForm | undefined>;
}

export interface FilledForm {
  readonly press: string;
  readonly fields: Readonly<Record<string, string>>;
}

export function controlView({ buttons, menu }: Controls, actions: ControlActions): HTMLElement {
  const frame = element('fieldset', { class: 'controls' });
  const below = element('div');
  const drawn = buttons.map((each) => button(each.label, { class: 'option' }, () => void act(each)));
  frame.append(...drawn);
  if (menu !== undefined) {
    const options = menu.options.map(({ label, press }) => element('option', { value: press, text: label }));
    const select = element(
      'select',
      { 'aria-label': menu.placeholder },
      element('option', { value: '', text: menu.placeholder }),
      ...options,
    );
    select.addEventListener('change', () => {
      if (select.value !== '') void done(actions.press(select.value));
    });
    frame.append(select);
  }
  frame.append(below);
  return frame;

  async function act({ press, opensForm }: ControlButton): Promise<void> {
    if (opensForm !== true) return done(actions.press(press));
    frame.disabled = true;
    const form = await actions.form(press);
    frame.disabled = false;
    if (form === undefined) return;
    const shown = formView(form, (fields) => done(actions.press(press, { press: form.press, fields })));
    below.replaceChildren(shown);
    shown.querySelector<HTMLElement>('input, textarea')?.focus();
  }

  /** Once, until it is known what came of it. */
  async function done(pressed: Promise<boolean>): Promise<void> {
    frame.disabled = true;
    await pressed;
    frame.disabled = false;
  }
}

function formView(
  { title, fields }: PressForm,
  send: (fields: Readonly<Record<string, string>>) => Promise<void>,
): HTMLElement {
  const inputs = fields.map(({ name, label, value, maxChars, isLong }) => {
    const attributes = { name, maxlength: String(maxChars), required: true };
    const input = isLong === true ? element('textarea', attributes) : element('input', attributes);
    input.value = value;
    return { name, input, row: element('label', { class: 'field', text: label }, input) };
  });
  const submit = element('button', { type: 'submit', class: 'primary', text: 'OK' });
  const form = element('form', { 'aria-label': title }, ...inputs.map(({ row }) => row), submit);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(Object.fromEntries(inputs.map(({ name, input }) => [name, input.value])));
  });
  return form;
}
