/** One message of the conversation as an article; each kind has its own inside. */

import type { Vote } from './api.ts';
import { cardView, type SendAnswers } from './card-view.ts';
import { type ControlActions, controlView } from './control-view.ts';
import { copyText } from './copy-text.ts';
import { button, element } from './element.ts';
import type { ShownMessage } from './follow.ts';
import { MarkdownView } from './markdown/markdown-view.ts';
import { voteView } from './vote-view.ts';

export interface MessageActions {
  readonly answer: (callId: string) => SendAnswers;
  /** Asks for the answer of a turn anew. */
  readonly again: (turn: string) => void;
  readonly vote: (answer: string, vote: Vote | null, reason?: string) => Promise<boolean>;
  /** How one has voted already. */
  readonly voted: (answer: string) => Promise<Vote | undefined>;
  /** What can be pressed below a message. */
  readonly controls: (message: string) => ControlActions;
  /** A sentence for the person, also read out. */
  readonly say: (line: string) => void;
}

export interface MessageView {
  readonly article: HTMLElement;
  show(message: ShownMessage): void;
}

const names = {
  user: 'You',
  answer: 'Docent',
  trace: 'How it was done',
  question: 'Question',
  notice: 'Note',
};

/** `me`: whose messages are one's own. */
export function messageView(first: ShownMessage, me: string, actions: MessageActions): MessageView {
  const { kind } = first;
  const name = kind === 'user' && first.author !== me ? 'Somebody else' : names[kind];
  const article = element('article', { 'data-kind': kind, 'aria-label': name });
  if (kind === 'user' && first.author === me) article.dataset['own'] = '';
  const inside = insides[kind](article, actions);
  return {
    article,
    show(message) {
      // A question that was closed without an answer has been stopped.
      article.dataset['state'] = message.state === 'closed' ? 'stopped' : message.state;
      // Read out when it is complete, not at every word.
      article.setAttribute('aria-busy', String(message.state === 'live'));
      inside(message);
    },
  };
}

type Inside = (article: HTMLElement, actions: MessageActions) => (message: ShownMessage) => void;

/** What people wrote is shown as they wrote it. */
const userInside: Inside = (article) => {
  const text = element('p', { class: 'said' });
  const files = element('ul', { class: 'files', 'aria-label': 'Files' });
  return (message) => {
    text.textContent = message.text;
    files.replaceChildren(
      ...(message.files ?? []).map(({ name, chars, isCut }) =>
        element('li', {
          text: `📄 ${name} · ${chars.toLocaleString('en')} characters${isCut ? ', cut' : ''}`,
        }),
      ),
    );
    article.replaceChildren(
      ...(message.text === '' ? [] : [text]),
      ...(files.childElementCount === 0 ? [] : [files]),
    );
  };
};

const answerInside: Inside = (article, { say, again, vote, voted }) => {
  const text = element('div', { class: 'markdown' });
  const view = new MarkdownView(text);
  let whole = '';
  const copy = button('Copy', { class: 'quiet', 'aria-label': 'Copy answer' }, () => {
    void copyText(whole).then((isCopied) =>
      say(isCopied ? 'Copied.' : 'The browser does not allow copying here.'),
    );
  });
  let turn = '';
  const anew = button('Regenerate', { class: 'quiet anew' }, () => again(turn));
  let id = '';
  const votes = voteView((given, reason) => vote(id, given, reason));
  const actions = element('div', { class: 'actions' }, copy, anew, votes.frame);
  article.append(text, actions);
  return (message) => {
    whole = message.text;
    if (id !== message.id) void voted(message.id).then((given) => votes.show(given));
    id = message.id;
    actions.hidden = message.state === 'live';
    turn = String(message.again ?? '');
    anew.hidden = turn === '';
    anew.textContent = message.state === 'final' ? 'Regenerate' : 'Retry';
    view.show(whole);
  };
};

const traceInside: Inside = (article) => {
  const summary = element('summary');
  const lines = element('div', { class: 'lines' });
  const details = element('details', {}, summary, lines);
  const line = element('p', { class: 'line' });
  return (message) => {
    // The mark in front is for surfaces that have nothing but text.
    const said = message.text.replace(/^\p{Extended_Pictographic}\uFE0F?\s*/u, '') || names.trace;
    summary.textContent = said;
    line.textContent = said;
    lines.textContent = message.details;
    const hasMore = message.details !== '';
    // Nothing was thought and nothing was used: then there is nothing to tell.
    article.hidden = !hasMore && message.state === 'final';
    const inside = hasMore ? details : line;
    if (article.firstChild !== inside) article.replaceChildren(inside);
  };
};

const questionInside: Inside = (article, actions) => {
  const text = element('div', { class: 'markdown' });
  const view = new MarkdownView(text);
  let shownCard = '';
  return (message) => {
    const { card } = message;
    if (message.state === 'open' && card !== undefined) {
      const key = JSON.stringify(card);
      if (key === shownCard) return;
      shownCard = key;
      article.replaceChildren(cardView(card, actions.answer(String(card.callId))));
      return;
    }
    shownCard = '';
    view.show(message.text);
    if (article.firstChild !== text) article.replaceChildren(text);
  };
};

const noticeInside: Inside = (article, actions) => {
  const text = element('div', { class: 'markdown' });
  const view = new MarkdownView(text);
  const below = element('div');
  article.append(text, below);
  let shownControls = '';
  return ({ id, text: words, controls }) => {
    view.show(words);
    const key = JSON.stringify(controls);
    if (key === shownControls) return;
    shownControls = key;
    below.replaceChildren(...(controls === undefined ? [] : [controlView(controls, actions.controls(id))]));
  };
};

const insides: Readonly<Record<ShownMessage['kind'], Inside>> = {
  user: userInside,
  answer: answerInside,
  trace: traceInside,
  question: questionInside,
  notice: noticeInside,
};
