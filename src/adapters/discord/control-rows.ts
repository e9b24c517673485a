/** What can be pressed below a message, as Discord's buttons, menus and forms. */
import {
  type APIComponentInMessageActionRow,
  type APIModalInteractionResponseCallbackData,
  ButtonStyle,
  ComponentType,
  TextInputStyle,
} from 'discord.js';
import type { Controls, Press, PressForm } from '../../domain/controls.ts';
import { cutText } from '../../domain/cut-text.ts';
import { type CardRow, readForm } from './card.ts';
import type { Click } from './interaction.ts';

/** Discord's limits. Unit: code points. */
const max = { button: 80, option: 100, placeholder: 150, title: 45, label: 45 };

const pressed = 'press:';
const opened = 'form:';
const chosen = 'press';

export function controlRows({ buttons, menu }: Controls): CardRow[] {
  const drawn = buttons.map(
    ({ label, press, opensForm }): APIComponentInMessageActionRow => ({
      type: ComponentType.Button,
      style: ButtonStyle.Secondary,
      label: cutText(label, max.button),
      custom_id: (opensForm === true ? opened : pressed) + press,
    }),
  );
  return [
    ...(drawn.length === 0 ? [] : [{ type: ComponentType.ActionRow as const, components: drawn }]),
    ...(menu === undefined
      ? []
      : [
          {
            type: ComponentType.ActionRow as const,
            components: [
              {
                type: ComponentType.StringSelect as const,
                custom_id: chosen,
                placeholder: cutText(menu.placeholder, max.placeholder),
                options: menu.options.map(({ label, description, press }) => ({
                  label: cutText(label, max.option),
                  value: press,
                  ...(description !== undefined && { description: cutText(description, max.option) }),
                })),
              },
            ],
          },
        ]),
  ];
}

export function controlForm({ title, fields, press }: PressForm): APIModalInteractionResponseCallbackData {
  return {
    custom_id: pressed + press,
    title: cutText(title, max.title),
    components: fields.map(({ name, label, value, maxChars, isLong }) => ({
      type: ComponentType.Label as const,
      label: cutText(label, max.label),
      component: {
        type: ComponentType.TextInput as const,
        custom_id: name,
        style: isLong === true ? TextInputStyle.Paragraph : TextInputStyle.Short,
        max_length: maxChars,
        value,
        required: true,
      },
    })),
  };
}

/** What was pressed; undefined: something else. */
export function readPressed({
  data,
}: Click):
  | { readonly press: Press; readonly opensForm: boolean; readonly form: ReadonlyMap<string, string> }
  | undefined {
  const { custom_id: id } = data;
  const form = new Map<string, string>();
  if (id === chosen && 'values' in data) return { press: data.values[0] ?? '', opensForm: false, form };
  if (id.startsWith(opened)) return { press: id.slice(opened.length), opensForm: true, form };
  if (!id.startsWith(pressed)) return undefined;
  for (const [name, value] of 'components' in data ? readForm(data.components) : [])
    if (typeof value === 'string') form.set(name, value);
  return { press: id.slice(pressed.length), opensForm: false, form };
}
