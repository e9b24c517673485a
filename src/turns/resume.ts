/** What a claim has to do: its items set against the turn that may be open and the question that may wait. Pure. */
import { type EventId, UserId } from '../domain/ids.ts';
import type { InboxItem, SaidItem } from '../domain/inbound.ts';
import type { JournalRecord } from '../domain/journal.ts';
import { textOf } from '../domain/message.ts';
import { answererOf, type OpenPause } from '../domain/pause.ts';
import { type Answer, type Answers, isQuestionCard, readAnswer } from '../domain/question.ts';
import type { Recovery } from '../loop/recover.ts';
import { resultText } from '../loop/result-texts.ts';
import type { ArrivedItem } from '../ports/journal.ts';
import { answersIn, answersText } from '../tools/ask-user.ts';

export type Decision =
  /** Only notes, or nothing at all: they wait for the next message. */
  | { readonly do: 'nothing' }
  /** Another process left a turn open; what waits here joins it at its next step. */
  | { readonly do: 'recover' }
  | { readonly do: 'open'; readonly items: readonly InboxItem[] }
  /** The newest turn is to be answered anew, if it may be. */
  | { readonly do: 'again'; readonly item: AgainItem; readonly items: readonly InboxItem[] }
  /** What was said before counts no more. */
  | { readonly do: 'begin_anew'; readonly item: EventId; readonly items: readonly InboxItem[] }
  /** The question has an end, and the turn goes on with it. */
  | {
      readonly do: 'close';
      readonly status: 'answered' | 'no_reply' | 'superseded' | 'aborted';
      readonly card: 'answered' | 'expired' | 'closed';
      readonly text: string;
      readonly answers: readonly Answer[];
      readonly items: readonly EventId[];
    }
  /** The question stays open: what was said is kept for the model, or answers one of several questions. */
  | {
      readonly do: 'keep_open';
      readonly answers: readonly Answer[];
      readonly used: readonly EventId[];
      /** Said by others, or no answer: notes for the model. */
      readonly notes: readonly InboxItem[];
      /** The asker's own words that cannot be an answer: they are told to choose. */
      readonly misfits: readonly InboxItem[];
      /** People who addressed the bot while it waits for somebody else. */
      readonly waiting: readonly InboxItem[];
    };

/** `at` is ISO 8601. */
export function decide(
  recovery: Recovery,
  pause: OpenPause | undefined,
  items: readonly InboxItem[],
  stopRequested: boolean,
  at: string,
): Decision {
  if (recovery.action === 'continue' || recovery.action === 'deliver') return { do: 'recover' };
  if (recovery.action === 'wait' && pause !== undefined) {
    const about = items.filter(({ kind }) => kind !== 'again');
    return aboutQuestion(pause, about, stopRequested, at);
  }
  const messages = items.filter(hasText);
  const asks = messages.some((item) => item.kind !== 'note');
  // What closes a question finds none any more; it is dealt with by being taken out.
  const strays = items.filter((item) => !hasText(item));
  const again = items.find((item) => item.kind === 'again');
  const anew = items.find((item) => item.kind === 'new');
  if (!asks && anew !== undefined) return { do: 'begin_anew', item: anew.id, items };
  if (!asks && again !== undefined) return { do: 'again', item: again, items: strays };
  if (!asks) return strays.length > 0 ? { do: 'open', items: strays } : { do: 'nothing' };
  return { do: 'open', items };
}

function aboutQuestion(
  pause: OpenPause,
  items: readonly InboxItem[],
  stopRequested: boolean,
  at: string,
): Decision {
  const closing = items.find((item) => !hasText(item));
  const isPressed = closing?.kind === 'answer' && !stopRequested;
  if ((closing !== undefined && !isPressed) || stopRequested) return closedBy(closing, pause);
  const state = { answers: [...pause.answers], used: [...pause.used] };
  const notes: InboxItem[] = [];
  const misfits: InboxItem[] = [];
  const waiting: InboxItem[] = [];
  // Words that came before a button was pressed may have been the answer already.
  for (const item of isPressed ? items.slice(0, items.indexOf(closing)) : items) {
    // A `next` has time until the question has an end.
    if (pause.used.includes(item.id) || !hasText(item) || item.kind === 'next') continue;
    if (item.kind === 'note' || !mayAnswer(pause, item)) {
      notes.push(item);
      if (item.kind !== 'note' && item.mentioned === true) waiting.push(item);
      continue;
    }
    // A file on its own answers nothing.
    if (item.files !== undefined && textOf(item.content).trim() === '') {
      notes.push(item);
      continue;
    }
    const answer = nextAnswer(pause, state.answers, textOf(item.content));
    if (answer === undefined) misfits.push(item);
    else {
      state.answers.push(answer);
      state.used.push(item.id);
    }
  }
  const questions = isQuestionCard(pause.question) ? pause.question.questions : [];
  if (questions.length > 0 && state.answers.length >= questions.length) {
    const by = items.find((item) => state.used.includes(item.id))?.author ?? pause.asker ?? UserId('');
    return answered(pause, { answers: state.answers, by, at }, state.used);
  }
  if (isPressed) return closedBy(closing, pause);
  return { do: 'keep_open', ...state, notes, misfits, waiting };
}

function closedBy(item: InboxItem | undefined, pause: OpenPause): Decision {
  const items = item === undefined ? [] : [item.id];
  const { answers } = pause;
  if (item?.kind === 'answer') return answered(pause, item.answers, items);
  if (item?.kind === 'timeout') {
    return { do: 'close', status: 'no_reply', card: 'expired', text: resultText('no_reply'), answers, items };
  }
  if (item?.kind === 'supersede') {
    return {
      do: 'close',
      status: 'superseded',
      card: 'closed',
      text: resultText('superseded'),
      answers,
      items,
    };
  }
  return { do: 'close', status: 'aborted', card: 'closed', text: resultText('aborted'), answers, items };
}

function answered(pause: OpenPause, given: Answers, items: readonly EventId[]): Decision {
  const text = isQuestionCard(pause.question) ? answersText(pause.question, given) : JSON.stringify(given);
  return { do: 'close', status: 'answered', card: 'answered', text, answers: given.answers, items };
}

/** How plain text answers the first question that has no answer yet. */
function nextAnswer(pause: OpenPause, given: readonly Answer[], text: string): Answer | undefined {
  if (!isQuestionCard(pause.question)) return undefined;
  const open = pause.question.questions.find(
    (question) => !given.some((answer) => answer.id === question.id),
  );
  return open && readAnswer(open, text);
}

function mayAnswer(pause: OpenPause, item: InboxItem): boolean {
  const answerer = answererOf(pause);
  return answerer === undefined || item.author === answerer;
}

/** The question of an open turn as the journal tells it, for a process that died before it was stored. */
export function pauseFrom(records: readonly JournalRecord[]): OpenPause | undefined {
  const start = records.findLast((record) => record.type === 'turn/start');
  const paused = records.findLast((record) => record.type === 'turn/paused');
  if (start?.type !== 'turn/start' || paused?.type !== 'turn/paused' || start.address === undefined)
    return undefined;
  const { callId, question, at } = paused;
  return {
    turn: start.turn,
    callId,
    question,
    address: start.address,
    asker: start.asker,
    askedAt: at,
    expiresAt: at + expiresInS(question) * 1_000,
    answers: [],
    used: [],
    told: [],
  };
}

/** The last question of a turn as it was closed, for a process that died before its card showed it. */
export function closedQuestion(
  records: readonly JournalRecord[],
):
  | (Pick<Extract<Decision, { do: 'close' }>, 'card' | 'answers'> & { readonly pause: OpenPause })
  | undefined {
  const pause = pauseFrom(records);
  const result = records.findLast(
    (record) => record.type === 'tool/result' && record.callId === pause?.callId,
  );
  if (pause === undefined || result?.type !== 'tool/result') return undefined;
  if (result.status === 'answered') return { pause, card: 'answered', answers: answersIn(result.content) };
  return { pause, card: result.status === 'no_reply' ? 'expired' : 'closed', answers: [] };
}

const defaultExpiryS = 14 * 24 * 3600;

function expiresInS(question: unknown): number {
  return isQuestionCard(question) ? question.expiresInS : defaultExpiryS;
}

export type AgainItem = Extract<InboxItem, { kind: 'again' }>;

/**
 * The start of the turn that is to be answered anew. Undefined when it is not the newest any more, when somebody else
 * asked for it, or when something was done in it that must not be done twice.
 */
export function repeatable(
  records: readonly JournalRecord[],
  { turn, author, isManager }: AgainItem,
  isHarmless: (tool: string) => boolean,
): Extract<JournalRecord, { type: 'turn/start' }> | undefined {
  const newest = records.findLast(({ type }) => type === 'turn/start' || type === 'conversation/new');
  if (newest?.type !== 'turn/start' || newest.turn !== turn) return undefined;
  if (newest.asker !== author && isManager !== true) return undefined;
  const from = records.findIndex((record) => record.type === 'turn/start' && record.turn === turn);
  const hasDone = records
    .slice(from)
    .some((record) => record.type === 'tool/call' && !isHarmless(record.call.name));
  return hasDone ? undefined : newest;
}

/** What opens a turn, as its first step takes it. */
export function arrivedOf(item: SaidItem): ArrivedItem {
  return item.kind === 'note' ? noteOf(item) : { kind: 'message', ...saidBy(item, 'person') };
}

/** What is only told to the model. */
export function noteOf(item: SaidItem): ArrivedItem {
  return { kind: 'note', ...saidBy(item, 'inject') };
}

function saidBy(item: SaidItem, source: 'person' | 'inject'): Omit<ArrivedItem, 'kind'> {
  const { content, id, author, name, files } = item;
  const record = {
    type: 'user/message',
    source,
    content,
    item: id,
    ...(author !== undefined && { author }),
    ...(name !== undefined && { name }),
  } as const;
  return { record, ...(files !== undefined && { withFiles: item }) };
}

export function hasText(item: InboxItem): item is SaidItem {
  return 'content' in item;
}
