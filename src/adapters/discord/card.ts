/**
 * A question as Discord's buttons, menus and forms. One question with one choice: a button for each option, or a menu, and
 * "Other…". Everything else is one form: several options, several questions, free text.
 */
import {
  type APIActionRowComponent,
  type APIComponentInMessageActionRow,
  type APILabelComponent,
  type APIModalInteractionResponseCallbackData,
  type APISelectMenuOption,
  ButtonStyle,
  ComponentType,
  TextInputStyle,
} from 'discord.js';
import { cutText } from '../../domain/cut-text.ts';
import type { ConversationId } from '../../domain/ids.ts';
import type { Question, QuestionCard } from '../../domain/question.ts';
import type { MessageState, ShownCard } from '../../domain/surface-message.ts';
import { type FormFields, onlyChoice, openQuestions } from '../../gateway/card-answers.ts';
import { type CardWords, cardWords } from '../../gateway/card-words.ts';
import { cardHandle } from './card-handle.ts';

export type CardRow = APIActionRowComponent<APIComponentInMessageActionRow>;

export interface CardPlace {
  readonly conversation: ConversationId;
  /** BCP 47. */
  readonly locale: string | undefined;
}

/** Discord's limits. Unit: code points. */
const max = { button: 80, option: 100, label: 45, title: 45, placeholder: 100, select: 150, input: 4_000 };
const maxButtons = 5;
/** Top-level parts of a form. */
const maxParts = 5;

/** What stands below the text of a question; nothing once it is closed. */
export function cardRows(shown: ShownCard, state: MessageState, place: CardPlace): CardRow[] {
  if (state !== 'open') return [];
  const words = cardWords(place.locale);
  const single = onlyChoice(shown.card);
  if (single === undefined) return [row([formButton(shown, place, formLabel(shown.card, words), true)])];
  const { options } = single;
  const handle = (option?: number) => cardHandle('choose', place.conversation, shown.callId, option);
  const free = single.allowFreeText ? [formButton(shown, place, words.other, false)] : [];
  if (options.length > maxButtons) {
    const menu: APIComponentInMessageActionRow = {
      type: ComponentType.StringSelect,
      custom_id: handle(),
      placeholder: cutText(single.placeholder ?? words.chooseOne, max.select),
      options: menuOptions(single),
    };
    return [row([menu]), ...(free.length > 0 ? [row(free)] : [])];
  }
  const buttons = options.map(
    ({ label }, at): APIComponentInMessageActionRow => ({
      type: ComponentType.Button,
      style: ButtonStyle.Primary,
      // Long ones stand in the text, with this number.
      label: Array.from(label).length > max.button ? cutText(`${at + 1}. ${label}`, max.button) : label,
      custom_id: handle(at),
    }),
  );
  const isOneRow = buttons.length + free.length <= maxButtons;
  return isOneRow ? [row([...buttons, ...free])] : [row(buttons), row(free)];
}

/** The form behind "Other…", "Choose…" and "Answer…": what is not answered yet. At most five parts. */
export function cardForm(shown: ShownCard, place: CardPlace): APIModalInteractionResponseCallbackData {
  const words = cardWords(place.locale);
  const open = openQuestions(shown.card, shown.answers);
  const single = onlyChoice(shown.card);
  const asked = open.map(
    ({ question, at }): APILabelComponent =>
      single !== undefined || question.options.length === 0
        ? textPart(question, at, question.prompt, words, open.length === 1)
        : menuPart(question, at, words, open.length === 1 && !question.allowFreeText),
  );
  const own = open
    .filter(({ question }) => single === undefined && question.options.length > 0 && question.allowFreeText)
    .map(({ question, at }) =>
      textPart(
        question,
        at,
        open.length === 1 ? words.ownWords : `${question.prompt} · ${words.ownWords}`,
        words,
        false,
      ),
    );
  const [first] = open;
  const title = (open.length === 1 ? first?.question.header : undefined) ?? formLabel(shown.card, words);
  return {
    custom_id: cardHandle('submit_form', place.conversation, shown.callId),
    title: cutText(title, max.title),
    components: [...asked, ...own].slice(0, maxParts),
  };
}

/** `components` of a submitted form, as they arrive. What is not understood is left out. */
export function readForm(components: unknown): FormFields {
  const fields = new Map<string, string | readonly string[]>();
  for (const part of Array.isArray(components) ? components : []) {
    const { component } = fieldsOf(part);
    const { custom_id: id, value, values } = fieldsOf(component);
    if (typeof id !== 'string') continue;
    if (typeof value === 'string') fields.set(id, value);
    if (Array.isArray(values))
      fields.set(
        id,
        values.filter((each) => typeof each === 'string'),
      );
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
): APIComponentInMessageActionRow {
  return {
    type: ComponentType.Button,
    style: isMain ? ButtonStyle.Primary : ButtonStyle.Secondary,
    label,
    custom_id: cardHandle('open_form', conversation, callId),
  };
}

function menuPart(question: Question, at: number, words: CardWords, isRequired: boolean): APILabelComponent {
  return {
    type: ComponentType.Label,
    label: cutText(question.header ?? question.prompt, max.label),
    component: {
      type: ComponentType.StringSelect,
      custom_id: `m${at}`,
      placeholder: cutText(
        question.placeholder ?? (question.multiSelect ? words.chooseSeveral : words.chooseOne),
        max.select,
      ),
      options: menuOptions(question),
      min_values: isRequired ? 1 : 0,
      max_values: question.multiSelect ? question.options.length : 1,
      required: isRequired,
    },
  };
}

function textPart(
  { placeholder, header, options }: Question,
  at: number,
  label: string,
  words: CardWords,
  isRequired: boolean,
): APILabelComponent {
  return {
    type: ComponentType.Label,
    label: cutText(options.length > 0 ? label : (header ?? label), max.label),
    component: {
      type: ComponentType.TextInput,
      custom_id: `t${at}`,
      style: TextInputStyle.Paragraph,
      placeholder: cutText(placeholder ?? words.ownWords, max.placeholder),
      max_length: max.input,
      required: isRequired,
    },
  };
}

function menuOptions({ options }: Question): APISelectMenuOption[] {
  return options.map(({ label, description }, at) => ({
    label: cutText(label, max.option),
    value: String(at),
    ...(description !== undefined && { description: cutText(description, max.option) }),
  }));
}

function row(components: readonly APIComponentInMessageActionRow[]): CardRow {
  return { type: ComponentType.ActionRow, components: [...components] };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
