/** What can be pressed below a message, as Slack's buttons, menus and forms. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { ControlMenu, Controls, Press, PressForm } from '../../domain/controls.ts';
import { cardWords } from '../../gateway/card-words.ts';
import { viewFields } from './card.ts';
import { forms } from './custom-ids.ts';
import { frame, input, max, plain, row } from './elements.ts';
import type { BlockActions, ViewSubmission } from './payloads.ts';

/** `action_id` of the menu; of the buttons it is the beginning. */
const pressed = 'press';
/** The beginning of the `action_id` of buttons that open a form. */
const opened = 'form';

export function controlBlocks({ buttons, menu }: Controls): types.ActionsBlock[] {
  const drawn = buttons.map(
    ({ label, press, opensForm }, at): types.Button => ({
      type: 'button',
      action_id: `${opensForm === true ? opened : pressed}:${at}`,
      text: plain(label, max.button),
      value: press,
    }),
  );
  return [
    ...(drawn.length === 0 ? [] : [row(drawn)]),
    ...(menu === undefined || menu.options.length === 0 ? [] : [menuRow(menu)]),
  ];
}

/** The value of an option is shorter than a press may be: what all of them begin with is the `block_id` of their row. */
function menuRow({ placeholder, options }: ControlMenu): types.ActionsBlock {
  const common = commonStart(options.map(({ press }) => press));
  const menu: types.StaticSelect = {
    type: 'static_select',
    action_id: pressed,
    placeholder: plain(placeholder, max.placeholder),
    options: options.map(({ label, description, press }) => ({
      text: plain(label, max.option),
      value: press.slice(common.length),
      ...(description !== undefined && { description: plain(description, max.option) }),
    })),
  };
  return { ...row([menu]), block_id: `${pressed}:${common}` };
}

/** It leaves something of each. */
function commonStart(all: readonly Press[]): string {
  const [first = ''] = all;
  let length = Math.min(...all.map((each) => each.length - 1));
  while (!all.every((each) => each.startsWith(first.slice(0, length)))) length -= 1;
  return first.slice(0, length);
}

/** What was pressed; undefined: something else. */
export function readPressed({
  action_id: id,
  block_id: block,
  value,
  selected_option: option,
}: BlockActions['actions'][number]): { readonly press: Press; readonly opensForm: boolean } | undefined {
  if (id === pressed && option != null && block?.startsWith(`${pressed}:`) === true)
    return { press: block.slice(pressed.length + 1) + option.value, opensForm: false };
  const [kind, at] = id.split(':');
  if ((kind !== pressed && kind !== opened) || at === undefined || value == null) return undefined;
  return { press: value, opensForm: kind === opened };
}

/** The message that was pressed, and where what is said of it belongs. */
export interface PressedAt {
  readonly team: string;
  readonly channel: string;
  readonly thread?: string | undefined;
  /** Its `ts`; absent where only one person sees it. */
  readonly message?: string | undefined;
  /** Of the press: it changes what only that person sees. */
  readonly responseUrl?: string | undefined;
}

/** Slack tells of a submitted form nothing but what it holds: so it holds `at`, too. `locale`: BCP 47. */
export function controlView(
  { title, fields, press }: PressForm,
  at: PressedAt,
  locale: string | undefined,
): types.ModalView {
  return {
    ...frame(title, cardWords(locale)),
    callback_id: forms.control,
    private_metadata: JSON.stringify({ press, at }),
    blocks: fields.map(({ name, label, value, maxChars, isLong }) => {
      const element: types.PlainTextInput = {
        type: 'plain_text_input',
        action_id: 'value',
        multiline: isLong === true,
        max_length: Math.min(maxChars, max.input),
        ...(value !== '' && { initial_value: value }),
      };
      return input(name, label, element, true);
    }),
  };
}

const kept = z.object({
  press: z.string(),
  at: z.object({
    team: z.string(),
    channel: z.string(),
    thread: z.string().optional(),
    message: z.string().optional(),
    responseUrl: z.string().optional(),
  }),
});

/** What was filled in, by the name of each field; undefined: another form. */
export function readControlForm({
  callback_id: callback,
  private_metadata: text,
  state,
}: ViewSubmission['view']):
  | { readonly press: Press; readonly at: PressedAt; readonly form: ReadonlyMap<string, string> }
  | undefined {
  if (callback !== forms.control) return undefined;
  const form = new Map<string, string>();
  for (const [name, value] of viewFields(state?.values)) if (typeof value === 'string') form.set(name, value);
  return { ...kept.parse(JSON.parse(text)), form };
}
