/** An open question: where one press can be the whole answer there are buttons, else a form. */
import type { Answer, Question } from '../../../domain/question.ts';
import type { ShownCard } from '../../../domain/surface-message.ts';
import type { GivenAnswer } from './api.ts';
import { button, element } from './element.ts';
import { MarkdownView } from './markdown/markdown-view.ts';

/** Resolves when the server has said what became of it; true: it counts. */
export type SendAnswers = (answers: readonly GivenAnswer[]) => Promise<boolean>;

export function cardView({ card, answers: given, callId }: ShownCard, send: SendAnswers): HTMLElement {
  const open = card.questions.filter(({ id }) => !given.some((answer) => answer.id === id));
  const parts: Node[] = [];
  if (card.intro !== undefined) parts.push(markdown(card.intro, 'card-intro'));
  parts.push(...given.map((answer) => answeredLine(card.questions, answer)));
  const [only] = open;
  if (only !== undefined && open.length === 1 && !only.multiSelect && only.options.length > 0)
    parts.push(choice(only, String(callId), send));
  else if (open.length > 0) parts.push(form(open, String(callId), send));
  return element('div', { class: 'card' }, ...parts);
}

/** One question, one choice: each option is a button, and words go behind them. */
function choice(question: Question, callId: string, send: SendAnswers): HTMLElement {
  const frame = element('fieldset', {}, prompt(question));
  const options = question.options.map(({ label, description }) => {
    const made = button(label, { class: 'option' }, () => answer([label], ''));
    if (description !== undefined) made.append(element('small', { text: description }));
    return made;
  });
  frame.append(element('div', { class: 'options' }, ...options));
  const words = question.allowFreeText ? freeText(question, callId) : undefined;
  if (words !== undefined) {
    const own = element('form', { class: 'own-words' }, words.label, words.field, submit('Answer'));
    own.addEventListener('submit', (event) => {
      event.preventDefault();
      if (words.field.value.trim() === '') words.field.focus();
      else answer([], words.field.value);
    });
    frame.append(own);
  }
  return frame;

  function answer(selected: readonly string[], text: string): void {
    // Sent first: what is disabled has no focus any more.
    const sent = send([{ id: question.id, selected, text }]);
    frame.disabled = true;
    void sent.then((counts) => (frame.disabled = counts));
  }
}

function form(questions: readonly Question[], callId: string, send: SendAnswers): HTMLElement {
  const fields = questions.map((question) => field(question, callId));
  const all = element('fieldset', { class: 'all' }, ...fields.map(({ frame }) => frame), submit('Submit'));
  const frame = element('form', {}, all);
  frame.addEventListener('submit', (event) => {
    event.preventDefault();
    const answers = fields.map(({ read }) => read());
    if (answers.every(({ selected, text }) => selected.length === 0 && text.trim() === '')) {
      frame.querySelector<HTMLElement>('input, textarea')?.focus();
      return;
    }
    const sent = send(answers);
    all.disabled = true;
    void sent.then((counts) => (all.disabled = counts));
  });
  return frame;
}

function field(question: Question, callId: string): { frame: HTMLElement; read: () => GivenAnswer } {
  const type = question.multiSelect ? 'checkbox' : 'radio';
  const boxes = question.options.map(({ label }) =>
    element('input', { type, name: `${callId}:${question.id}`, value: label }),
  );
  const rows = question.options.map(({ label, description }, at) =>
    element(
      'label',
      { class: 'row' },
      boxes[at],
      element('span', { text: label }),
      description === undefined ? undefined : element('small', { text: description }),
    ),
  );
  const words =
    question.allowFreeText || question.options.length === 0 ? freeText(question, callId) : undefined;
  const frame = element('fieldset', {}, prompt(question), ...rows, words?.label, words?.field);
  return {
    frame,
    read: () => ({
      id: question.id,
      selected: boxes.filter(({ checked }) => checked).map(({ value }) => value),
      text: words?.field.value ?? '',
    }),
  };
}

function freeText(question: Question, callId: string) {
  const id = `words:${callId}:${question.id}`;
  const label = element('label', {
    for: id,
    text: question.options.length === 0 ? 'Your answer' : 'Or in your own words',
  });
  const input = element('input', {
    id,
    type: 'text',
    autocomplete: 'off',
    maxlength: '4000',
    placeholder: question.placeholder,
  });
  return { label, field: input };
}

function prompt({ header, prompt: text }: Question): HTMLElement {
  const legend = element('legend');
  if (header !== undefined) legend.append(element('span', { class: 'header', text: header }));
  legend.append(markdown(text, 'prompt'));
  return legend;
}

function answeredLine(questions: readonly Question[], { id, selected, text }: Answer): HTMLElement {
  const question = questions.find((each) => each.id === id);
  const answer = [...selected, ...(text === '' ? [] : [text])].join(', ');
  return element('p', { class: 'given', text: `${question?.prompt ?? ''} ✓ ${answer}` });
}

function markdown(text: string, name: string): HTMLElement {
  const frame = element('div', { class: `markdown ${name}` });
  new MarkdownView(frame).show(text);
  return frame;
}

function submit(label: string): HTMLButtonElement {
  return element('button', { type: 'submit', text: label, class: 'primary' });
}
