/** Blocks in messages and views: what Block Kit takes and what it refuses. */
import { type BlockRule, rules } from '../rules.ts';
import type { Json } from '../world/world.ts';
import { isObject, listOf, textOf } from './method.ts';
import { blockRefusal, refusal } from './refusal.ts';

const fail = (rule: BlockRule, at: string): never => {
  throw blockRefusal(rule, at);
};
const expect = (isRight: boolean, rule: BlockRule, at: string): void => {
  if (!isRight) fail(rule, at);
};

type Where = 'message' | 'modal' | 'home';

/** Returns the blocks with the ids that Slack gives to those without one. `at`: where the list stands in the call. */
export function checkBlocks(value: unknown, where: Where, at = '/blocks'): readonly Json[] {
  if (!Array.isArray(value)) throw refusal('invalid_blocks', 'not a list');
  const blocks = value as readonly unknown[];
  const most = where === 'message' ? rules.block_count : rules.view_block_count;
  expect(blocks.length <= most.max, where === 'message' ? 'block_count' : 'view_block_count', at);
  const ids = new Set<string>();
  blocks.forEach((block, position) => {
    const own = `${at}/${position}`;
    if (!isObject(block)) return fail('block_type', own);
    checkId(block['block_id'], `${own}/block_id`);
    const id = textOf(block['block_id']);
    expect(id === '' || !ids.has(id), 'block_id_twice', `${own}/block_id`);
    ids.add(id);
    checkBlock(block, own, where);
  });
  const markdown = blocks.filter((block) => isObject(block) && block['type'] === 'markdown') as Json[];
  const total = markdown.reduce((sum, { text }) => sum + textOf(text).length, 0);
  if (total > rules.markdown_total.max) throw refusal('markdown_total', `${total} characters of Markdown`);
  const tables = blocks.filter((block) => isObject(block) && block['type'] === 'table').length;
  if (tables > rules.one_table.max) throw refusal('one_table', 'only_one_table_allowed');
  return blocks.map((block, position) => ({ block_id: `b${position}`, ...(block as Json) }));
}

function checkBlock(block: Json, at: string, where: Where): void {
  const elements = listOf(block['elements']);
  switch (block['type']) {
    case 'divider':
    case 'rich_text':
    case 'data_table':
      return;
    case 'section':
      return checkSection(block, at);
    case 'header':
      return checkText(block['text'], `${at}/text`, 'header_text', 'plain');
    case 'context':
      count(elements, 'context_elements', `${at}/elements`);
      return elements.forEach((each, position) => {
        if (isObject(each) && each['type'] === 'image') checkImage(each, `${at}/elements/${position}`);
        else checkText(each, `${at}/elements/${position}`, 'section_text');
      });
    case 'actions':
      count(elements, 'actions_elements', `${at}/elements`);
      return checkElements(elements, `${at}/elements`);
    case 'context_actions':
      count(elements, 'context_actions_elements', `${at}/elements`);
      return checkElements(elements, `${at}/elements`);
    case 'image':
      return checkImage(block, at);
    case 'markdown':
      return expect(textOf(block['text']) !== '', 'required', `${at}/text`);
    case 'input':
      checkText(block['label'], `${at}/label`, 'input_label', 'plain');
      if (block['hint'] !== undefined) checkText(block['hint'], `${at}/hint`, 'input_hint', 'plain');
      return checkElements([block['element']], `${at}/element`);
    case 'table':
      return checkTable(block, at);
    case 'task_card':
    case 'plan':
      return expect(where === 'message' && textOf(block['title']) !== '', 'required', `${at}/title`);
    default:
      return fail('block_type', `${at}/type`);
  }
}

function checkSection(block: Json, at: string): void {
  const fields = listOf(block['fields']);
  expect(block['text'] !== undefined || fields.length > 0, 'section_empty', at);
  if (block['text'] !== undefined) checkText(block['text'], `${at}/text`, 'section_text');
  expect(fields.length <= rules.section_fields.max, 'section_fields', `${at}/fields`);
  fields.forEach((field, position) => checkText(field, `${at}/fields/${position}`, 'section_field'));
  if (block['accessory'] === undefined) return;
  if (isObject(block['accessory']) && block['accessory']['type'] === 'image')
    checkImage(block['accessory'], `${at}/accessory`);
  else checkElements([block['accessory']], `${at}/accessory`);
}

function checkTable(block: Json, at: string): void {
  const rows = listOf(block['rows']);
  expect(rows.length > 0, 'required', `${at}/rows`);
  expect(rows.length <= rules.table_rows.max, 'table_rows', `${at}/rows`);
  rows.forEach((row, position) => {
    const own = `${at}/rows/${position}`;
    expect(listOf(row).length <= rules.table_cells.max, 'table_cells', own);
    listOf(row).forEach((cell, column) =>
      expect(
        isObject(cell) && ['raw_text', 'raw_number', 'rich_text'].includes(textOf(cell['type'])),
        'block_type',
        `${own}/${column}`,
      ),
    );
  });
}

function checkImage(image: Json, at: string): void {
  const url = textOf(image['image_url']);
  expect(url !== '' || isObject(image['slack_file']), 'required', `${at}/image_url`);
  expect(url.length <= rules.image_url.max, 'image_url', `${at}/image_url`);
  expect(textOf(image['alt_text']) !== '', 'required', `${at}/alt_text`);
  expect(textOf(image['alt_text']).length <= rules.image_alt.max, 'image_alt', `${at}/alt_text`);
  if (image['title'] !== undefined) checkText(image['title'], `${at}/title`, 'image_title', 'plain');
}

const selects = ['static_select', 'multi_static_select'];
const pickers = [
  'external_select',
  'multi_external_select',
  'users_select',
  'multi_users_select',
  'conversations_select',
  'multi_conversations_select',
  'channels_select',
  'multi_channels_select',
  'datepicker',
  'timepicker',
  'datetimepicker',
  'number_input',
  'email_text_input',
  'url_text_input',
  'rich_text_input',
  'file_input',
];

function checkElements(elements: readonly unknown[], at: string): void {
  const ids = new Set<string>();
  elements.forEach((element, position) => {
    const own = `${at}/${position}`;
    if (!isObject(element)) return fail('block_type', own);
    checkId(element['action_id'], `${own}/action_id`);
    const id = textOf(element['action_id']);
    expect(id === '' || !ids.has(id), 'action_id_twice', `${own}/action_id`);
    ids.add(id);
    if (element['placeholder'] !== undefined)
      checkText(element['placeholder'], `${own}/placeholder`, 'placeholder', 'plain');
    if (element['confirm'] !== undefined) checkConfirm(element['confirm'], `${own}/confirm`);
    checkElement(element, own);
  });
}

function checkElement(element: Json, at: string): void {
  const type = textOf(element['type']);
  const options = listOf(element['options']);
  if (type === 'button' || type === 'workflow_button') return checkButton(element, at);
  if (selects.includes(type)) {
    const groups = listOf(element['option_groups']);
    if (groups.length === 0) count(options, 'select_options', `${at}/options`);
    else count(groups, 'select_options', `${at}/option_groups`);
    for (const group of groups) checkOptions(listOf((group as Json)['options']), `${at}/option_groups`);
    return checkOptions(options, `${at}/options`);
  }
  if (type === 'radio_buttons' || type === 'checkboxes') {
    count(options, 'choices', `${at}/options`);
    return checkOptions(options, `${at}/options`);
  }
  if (type === 'overflow') {
    count(options, 'overflow_options', `${at}/options`);
    return checkOptions(options, `${at}/options`);
  }
  if (type === 'plain_text_input') {
    const most = element['max_length'];
    const isWhole = Number.isInteger(most) && Number(most) >= 1 && Number(most) <= rules.input_max.max;
    return expect(most === undefined || isWhole, 'input_max', `${at}/max_length`);
  }
  if (type === 'feedback_buttons') {
    checkFeedback(element['positive_button'], `${at}/positive_button`);
    return checkFeedback(element['negative_button'], `${at}/negative_button`);
  }
  if (type === 'icon_button') return checkText(element['text'], `${at}/text`, 'button_text', 'plain');
  expect(pickers.includes(type), 'block_type', `${at}/type`);
}

function checkButton(button: Json, at: string): void {
  checkText(button['text'], `${at}/text`, 'button_text', 'plain');
  expect(textOf(button['value']).length <= rules.button_value.max, 'button_value', `${at}/value`);
  expect(textOf(button['url']).length <= rules.button_url.max, 'button_url', `${at}/url`);
  expect(
    textOf(button['accessibility_label']).length <= rules.button_label.max,
    'button_label',
    `${at}/accessibility_label`,
  );
  expect(
    button['style'] === undefined || button['style'] === 'primary' || button['style'] === 'danger',
    'button_style',
    `${at}/style`,
  );
}

function checkFeedback(button: unknown, at: string): void {
  if (!isObject(button)) return fail('required', at);
  checkText(button['text'], `${at}/text`, 'button_text', 'plain');
  expect(textOf(button['value']) !== '', 'required', `${at}/value`);
  expect(textOf(button['value']).length <= rules.button_value.max, 'button_value', `${at}/value`);
}

function checkOptions(options: readonly unknown[], at: string): void {
  const values = new Set<string>();
  options.forEach((option, position) => {
    const own = `${at}/${position}`;
    if (!isObject(option)) return fail('required', own);
    checkText(option['text'], `${own}/text`, 'option_text');
    const value = textOf(option['value']);
    expect(value !== '', 'required', `${own}/value`);
    expect(value.length <= rules.option_value.max, 'option_value', `${own}/value`);
    expect(!values.has(value), 'option_value_twice', `${own}/value`);
    values.add(value);
    if (option['description'] !== undefined)
      checkText(option['description'], `${own}/description`, 'option_description');
  });
}

function checkConfirm(confirm: unknown, at: string): void {
  if (!isObject(confirm)) return fail('required', at);
  checkText(confirm['title'], `${at}/title`, 'confirm_title', 'plain');
  checkText(confirm['text'], `${at}/text`, 'confirm_text');
  for (const name of ['confirm', 'deny'])
    if (confirm[name] !== undefined) checkText(confirm[name], `${at}/${name}`, 'confirm_button', 'plain');
}

/** A text object that is not empty. */
export function checkText(value: unknown, at: string, most: BlockRule, kind?: 'plain'): void {
  if (!isObject(value)) return fail('required', at);
  if (kind === 'plain') expect(value['type'] === 'plain_text', 'plain_text', `${at}/type`);
  else expect(value['type'] === 'plain_text' || value['type'] === 'mrkdwn', 'block_type', `${at}/type`);
  expect(textOf(value['text']) !== '', 'required', `${at}/text`);
  expect(textOf(value['text']).length <= rules[most].max, most, `${at}/text`);
}

const checkId = (id: unknown, at: string): void =>
  expect(id === undefined || (typeof id === 'string' && id.length <= rules.id_length.max), 'id_length', at);

const count = (list: readonly unknown[], rule: BlockRule, at: string): void =>
  expect(list.length >= 1 && list.length <= rules[rule].max, rule, at);
