/**
 * A question as Slack's buttons, menus and forms. One question with one choice: a button for each option, or a menu, and
 * "Other…". Everything else is one form: several options, several questions, free text.
 */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { ConversationId } from '../../domain/ids.ts';
import { optionKeys, type Question, type QuestionCard } from '../../domain/question.ts';
import type { MessageState, ShownCard } from '../../domain/surface-message.ts';
import type { AnswerHandle } from '../../gateway/answer-press.ts';
import { buttonWords } from '../../gateway/button-words.ts';
import { type FormFields, onlyChoice, openQuestions } from '../../gateway/card-answers.ts';
import { type CardWords, cardWords } from '../../gateway/card-words.ts';
import { buttonId, cardHandle, forms } from './custom-ids.ts';
import { frame, input, max, plain, row } from './elements.ts';

export interface CardPlace {
  readonly conversation: ConversationId;
  /** BCP 47. */
  readonly locale: string | undefined;
}

const maxButtons = 5;

/** What stands below the text of a question; nothing once it is closed. */
export function cardBlocks(shown: ShownCard, state: MessageState, place: CardPlace): types.ActionsBlock[] {
  if (state !== 'open') return [];
  const words = cardWords(place.locale);
  const single = onlyChoice(shown.card);
  if (single === undefined) return [row([formButton(shown, place, formLabel(shown.card, words), true)])];
  const { options } = single;
  const handle = (option?: number) => cardHandle('choose', place.conversation, shown.callId, option);
  const free = single.allowFreeText ? [formButton(shown, place, words.other, false)] : [];
  if (options.length > maxButtons) {
    const menu: types.StaticSelect = {
      type: 'static_select',
      action_id: 'choose',
      placeholder: plain(single.placeholder ?? words.chooseOne, max.placeholder),
      options: optionsOf(single),
    };
    // An option has no room for the handle.
    return [{ ...row([menu, ...free]), block_id: handle() }];
  }
  const buttons = options.map(
    ({ label }, at): types.Button => ({
      type: 'button',
      action_id: `choose:${at}`,
      text: optionText(single, label, at),
      value: handle(at),
    }),
  );
  return [row([...buttons, ...free])];
}

/** "Ask anyway", below the line that says whom a question waits for. */
export function askAnyway(
  callId: ShownCard['callId'],
  { conversation, locale }: CardPlace,
): types.ActionsBlock {
  return row([
    {
      type: 'button',
      action_id: 'ask_anyway',
      text: plain(buttonWords(locale).askAnyway, max.button),
      value: cardHandle('ask_anyway', conversation, callId),
    },
  ]);
}

/** The form behind "Other…", "Choose…" and "Answer…": what is not answered yet. */
export function cardView(shown: ShownCard, place: CardPlace): types.ModalView {
  const words = cardWords(place.locale);
  const open = openQuestions(shown.card, shown.answers);
  const single = onlyChoice(shown.card);
  const isAlone = open.length === 1;
  const blocks = open.flatMap(({ question, at }): types.InputBlock[] => {
    if (single !== undefined || question.options.length === 0)
      return [textInput(question, at, question.prompt, words, isAlone)];
    const choice = choiceInput(question, at, isAlone && !question.allowFreeText);
    if (!question.allowFreeText) return [choice];
    const label = isAlone ? words.ownWords : `${question.prompt} · ${words.ownWords}`;
    return [choice, textInput(question, at, label, words, false)];
  });
  const title = (isAlone ? open[0]?.question.header : undefined) ?? formLabel(shown.card, words);
  return {
    ...frame(title, words),
    callback_id: forms.card,
    private_metadata: cardHandle('submit_form', place.conversation, shown.callId),
    blocks,
  };
}

/** The form behind "Say why…", after a bad vote. Its field is `t0`. */
export function reasonView(
  handle: Omit<AnswerHandle, 'action'>,
  locale: string | undefined,
): types.ModalView {
  const { whyTitle } = buttonWords(locale);
  const words = cardWords(locale);
  return {
    ...frame(whyTitle, words),
    callback_id: forms.reason,
    private_metadata: buttonId({ ...handle, action: 'reason' }),
    blocks: [input('t0', whyTitle, { ...freeText, action_id: 'value' }, true)],
  };
}

const picked = z.object({ value: z.string() });
const filled = z.record(
  z.string(),
  z.record(
    z.string(),
    z.object({
      value: z.string().nullish(),
      selected_option: picked.nullish(),
      selected_options: z.array(picked).nullish(),
    }),
  ),
);

/** `view.state.values` of a submitted form, as they arrive: text below `t`, positions of options below `m`. */
export function viewFields(values: unknown): FormFields {
  const fields = new Map<string, string | readonly string[]>();
  for (const [block, elements] of Object.entries(filled.safeParse(values).data ?? {})) {
    for (const { value, selected_option: one, selected_options: several } of Object.values(elements)) {
      if (typeof value === 'string') fields.set(block, value);
      const chosen = several ?? (one ? [one] : undefined);
      if (chosen !== undefined)
        fields.set(
          block,
          chosen.map((each) => each.value),
        );
    }
  }
  return fields;
}

function formLabel({ questions }: QuestionCard, words: CardWords): string {
  return questions.length === 1 && questions[0]?.multiSelect ? words.chooseSeveral : words.answer;
}

function formButton(
  { callId }: ShownCard,
  { conversation }: CardPlace,
  label: string,
  isMain: boolean,
): types.Button {
  return {
    type: 'button',
    action_id: 'open_form',
    ...(isMain && { style: 'primary' }),
    text: plain(label, max.button),
    value: cardHandle('open_form', conversation, callId),
  };
}

function choiceInput(question: Question, at: number, isRequired: boolean): types.InputBlock {
  const options = optionsOf(question);
  const element = question.multiSelect
    ? ({ type: 'checkboxes', action_id: 'value', options } as const)
    : ({ type: 'radio_buttons', action_id: 'value', options } as const);
  return input(`m${at}`, question.prompt, element, isRequired);
}

const freeText = { type: 'plain_text_input', multiline: true, max_length: max.input } as const;

function textInput(
  { placeholder }: Question,
  at: number,
  label: string,
  words: CardWords,
  isRequired: boolean,
): types.InputBlock {
  const hint = plain(placeholder ?? words.ownWords, max.placeholder);
  return input(`t${at}`, label, { ...freeText, action_id: 'value', placeholder: hint }, isRequired);
}

function optionsOf(question: Question): types.PlainTextOption[] {
  return question.options.map(({ label, description }, at) => ({
    text: optionText(question, label, at),
    value: String(at),
    ...(description !== undefined && { description: plain(description, max.option) }),
  }));
}

/** Long ones stand in the text of the card, with this number. */
function optionText(question: Question, label: string, at: number): types.PlainTextElement {
  return plain(label.length > max.option ? `${optionKeys(question)[at]}. ${label}` : label, max.option);
}
