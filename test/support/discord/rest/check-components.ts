/** Buttons, selects, layouts and modals: what Discord takes and what it refuses. */
import { ComponentType } from 'discord-api-types/v10';
import { rules } from '../rules.ts';
import type { Form } from './refusal.ts';

export type Json = Readonly<Record<string, unknown>>;

const selects: readonly unknown[] = [3, 5, 6, 7, 8];
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Each custom id once in a message. */
class CustomIds {
  private readonly seen = new Set<unknown>();
  constructor(private readonly form: Form) {}
  take(value: unknown, path: string): void {
    this.form.requiredText(value, path, 'custom_id');
    this.form.expect(!this.seen.has(value), path, 'custom_id_twice');
    this.seen.add(value);
  }
}

/** The components of an ordinary message: up to five rows of up to five buttons or one select. */
export function checkRows(value: unknown, form: Form): void {
  if (value === undefined || value === null) return;
  if (!form.expect(Array.isArray(value), 'components', 'wrong_type')) return;
  const rows = listOf(value);
  form.expect(rows.length <= rules.rows.max, 'components', 'rows');
  const ids = new CustomIds(form);
  rows.forEach((row, position) => checkRow(row, `components.${position}`, form, ids));
}

function checkRow(row: unknown, path: string, form: Form, ids: CustomIds): void {
  if (!form.expect(isObject(row) && row['type'] === ComponentType.ActionRow, path, 'component_type')) return;
  const parts = listOf((row as Json)['components']);
  const width = parts.some((part) => isObject(part) && selects.includes(part['type']))
    ? 1
    : rules.row_width.max;
  form.expect(parts.length >= 1 && parts.length <= width, `${path}.components`, 'row_width');
  parts.forEach((part, position) => {
    const own = `${path}.components.${position}`;
    if (!isObject(part)) return form.wrong(own, 'component_type');
    if (part['type'] === ComponentType.Button) checkButton(part, own, form, ids);
    else if (selects.includes(part['type'])) checkSelect(part, own, form, ids);
    else form.wrong(own, 'component_type');
  });
}

function checkButton(button: Json, path: string, form: Form, ids: CustomIds): void {
  const { style, label, custom_id: customId, url, emoji } = button;
  form.text(label, `${path}.label`, 'button_label');
  if (
    !form.expect(
      Number.isInteger(style) && Number(style) >= 1 && Number(style) <= 6,
      `${path}.style`,
      'button_style',
    )
  )
    return;
  if (style === 6) {
    form.expect(button['sku_id'] !== undefined, path, 'button_style');
    return;
  }
  form.expect((typeof label === 'string' && label !== '') || isObject(emoji), path, 'button_empty');
  if (style === 5) {
    form.requiredText(url, `${path}.url`, 'button_url');
    form.expect(/^(?:https?|discord):\/\//.test(String(url)), `${path}.url`, 'url_scheme');
    form.expect(customId === undefined, path, 'button_style');
    return;
  }
  form.expect(url === undefined, path, 'button_style');
  ids.take(customId, `${path}.custom_id`);
}

function checkSelect(select: Json, path: string, form: Form, ids: CustomIds): void {
  ids.take(select['custom_id'], `${path}.custom_id`);
  form.text(select['placeholder'], `${path}.placeholder`, 'select_placeholder');
  const isString = select['type'] === ComponentType.StringSelect;
  const options = listOf(select['options']);
  const room = isString ? options.length : rules.select_range.max;
  const least = Number(select['min_values'] ?? 1);
  const most = Number(select['max_values'] ?? 1);
  form.expect(least >= 0 && least <= room && least <= 25, `${path}.min_values`, 'select_range');
  form.expect(most >= 1 && most <= room && most <= 25 && least <= most, `${path}.max_values`, 'select_range');
  if (!isString) return;
  form.expect(
    options.length >= 1 && options.length <= rules.select_options.max,
    `${path}.options`,
    'select_options',
  );
  const values = new Set<unknown>();
  options.forEach((option, position) => {
    const own = `${path}.options.${position}`;
    if (!isObject(option)) return form.wrong(own, 'wrong_type');
    form.requiredText(option['label'], `${own}.label`, 'select_option_text');
    form.requiredText(option['value'], `${own}.value`, 'select_option_text');
    form.text(option['description'], `${own}.description`, 'select_option_description');
    form.expect(!values.has(option['value']), `${own}.value`, 'select_value_twice');
    values.add(option['value']);
  });
}

/** Which components may stand in which in a V2 message; the key 0 is the message itself. */
const v2Children: Readonly<Record<number, readonly unknown[]>> = {
  0: [1, 9, 10, 12, 13, 14, 17],
  17: [1, 9, 10, 12, 13, 14],
  9: [10],
};

/** A message with the flag IS_COMPONENTS_V2. */
export function checkLayout(value: unknown, form: Form): void {
  const ids = new CustomIds(form);
  let count = 0;
  let textLength = 0;
  const walk = (parts: readonly unknown[], allowed: readonly unknown[], path: string): void => {
    parts.forEach((part, position) => {
      const own = `${path}.${position}`;
      if (!isObject(part) || !allowed.includes(part['type'])) return form.wrong(own, 'component_type');
      count += 1;
      if (part['type'] === ComponentType.TextDisplay) {
        form.requiredText(part['content'], `${own}.content`, 'v2_text');
        textLength += [...String(part['content'])].length;
      } else if (part['type'] === ComponentType.ActionRow) {
        count += listOf(part['components']).length;
        checkRow(part, own, form, ids);
      } else {
        if (part['accessory'] !== undefined) count += 1;
        const inside = v2Children[Number(part['type'])];
        if (inside !== undefined) walk(listOf(part['components']), inside, `${own}.components`);
      }
    });
  };
  walk(listOf(value), v2Children[0] ?? [], 'components');
  form.expect(listOf(value).length > 0, 'components', 'required');
  form.expect(count <= rules.v2_count.max, 'components', 'v2_count');
  form.expect(textLength <= rules.v2_text.max, 'components', 'v2_text');
}

/** The data of a modal response. */
export function checkModal(modal: Json, form: Form): void {
  form.requiredText(modal['custom_id'], 'data.custom_id', 'custom_id');
  form.requiredText(modal['title'], 'data.title', 'modal_title');
  const parts = listOf(modal['components']);
  form.expect(parts.length >= 1 && parts.length <= rules.modal_parts.max, 'data.components', 'modal_parts');
  const ids = new CustomIds(form);
  parts.forEach((part, position) => {
    const own = `data.components.${position}`;
    if (!isObject(part)) return form.wrong(own, 'component_type');
    if (part['type'] === ComponentType.TextDisplay) return;
    const [input, inputPath] =
      part['type'] === ComponentType.Label
        ? [part['component'], `${own}.component`]
        : part['type'] === ComponentType.ActionRow
          ? [listOf(part['components'])[0], `${own}.components.0`]
          : [undefined, own];
    if (part['type'] === ComponentType.Label) {
      form.requiredText(part['label'], `${own}.label`, 'modal_label');
      form.text(part['description'], `${own}.description`, 'modal_description');
    }
    if (!isObject(input)) return form.wrong(own, 'component_type');
    if (input['type'] === ComponentType.TextInput)
      checkInput(input, inputPath, form, ids, part['type'] === 1);
    else if (part['type'] === ComponentType.Label && selects.includes(input['type']))
      checkSelect(input, inputPath, form, ids);
    else if (part['type'] === ComponentType.Label && [19, 21, 22, 23].includes(Number(input['type'])))
      ids.take(input['custom_id'], `${inputPath}.custom_id`);
    else form.wrong(inputPath, 'component_type');
  });
}

function checkInput(input: Json, path: string, form: Form, ids: CustomIds, needsLabel: boolean): void {
  ids.take(input['custom_id'], `${path}.custom_id`);
  form.expect(input['style'] === 1 || input['style'] === 2, `${path}.style`, 'choices');
  if (needsLabel) form.requiredText(input['label'], `${path}.label`, 'modal_label');
  const { min_length: least = 0, max_length: most = rules.input_range.max } = input;
  const isRange = Number(least) >= 0 && Number(most) >= 1 && Number(least) <= Number(most);
  form.expect(isRange && Number(most) <= rules.input_range.max, `${path}.max_length`, 'input_range');
  form.text(input['value'], `${path}.value`, 'input_value');
  form.text(input['placeholder'], `${path}.placeholder`, 'input_placeholder');
}

/** Numbers each component that has no id, as Discord does before it sends them back. */
export function withIds<Part>(parts: readonly Part[]): Part[] {
  let last = 0;
  const number = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(number);
    if (!isObject(part)) return part;
    const id = part['id'] ?? (last += 1);
    const { components, accessory, component } = part;
    return {
      ...part,
      id,
      ...(components !== undefined && { components: number(components) }),
      ...(accessory !== undefined && { accessory: number(accessory) }),
      ...(component !== undefined && { component: number(component) }),
    };
  };
  return parts.map((part) => number(part) as Part);
}
