/** What questions, controls and their forms are built of. */
import type { types } from '@slack/bolt';
import type { CardWords } from '../../gateway/card-words.ts';
import { cut } from './cut.ts';

/** Slack's limits. Unit: characters. */
export const max = { button: 75, option: 75, title: 24, placeholder: 150, label: 2_000, input: 3_000 };

/** A form, but for what is filled in and who reads it. */
export function frame(title: string, words: CardWords) {
  return {
    type: 'modal',
    title: plain(title, max.title),
    submit: plain(words.send, max.title),
    close: plain(words.cancel, max.title),
  } as const;
}

export function input(
  id: string,
  label: string,
  element: types.InputBlock['element'],
  isRequired: boolean,
): types.InputBlock {
  return { type: 'input', block_id: id, label: plain(label, max.label), optional: !isRequired, element };
}

export function row(elements: types.ActionsBlock['elements']): types.ActionsBlock {
  return { type: 'actions', elements };
}

export function plain(text: string, maxChars: number): types.PlainTextElement {
  return { type: 'plain_text', text: cut(text, maxChars), emoji: true };
}
