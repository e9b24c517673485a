/** What the page sends → inbox items, and nothing else gets in. */
import { z } from 'zod';
import { cleanFileName, maxFiles } from '../../domain/file.ts';
import { CallId, EventId, type UserId } from '../../domain/ids.ts';
import type { InboxItem } from '../../domain/inbound.ts';
import type { Answer, QuestionCard } from '../../domain/question.ts';
import { quotedFile } from '../../files/file-words.ts';
import type { BoardFile, BoardPost } from '../../ports/board.ts';
import { isUuid, surfaceName } from './names.ts';

/** Longest message that is typed or pasted. Unit: characters. */
export const maxMessageChars = 100_000;
/** What the files of one message may bring along, all together. Unit: characters. */
export const maxFileChars = 20_000;
const maxAnswerChars = 4_000;

/** Made by the page, so that a message that is sent again after a lost reply counts once. */
const id = z.string().refine(isUuid);

const messageBody = z.object({
  id,
  text: z.string().max(maxMessageChars),
  files: z
    .array(z.object({ name: z.string().max(1_000), text: z.string().max(maxFileChars), isCut: z.boolean() }))
    .max(maxFiles)
    .refine((files) => files.reduce((sum, { text }) => sum + text.length, 0) <= maxFileChars)
    .default([]),
});
const stopBody = z.object({ id });
const againBody = z.object({ id, turn: z.string().min(1).max(500) });
const voteBody = z.object({
  answer: z.string().min(1).max(500),
  vote: z.enum(['up', 'down']).nullable(),
  reason: z.string().trim().min(1).max(1_000).exactOptional(),
});
const pressBody = z.object({
  id,
  /** The message whose button it is. */
  message: z.string().min(1).max(500),
  press: z.string().min(1).max(100),
  form: z
    .object({
      press: z.string().min(1).max(100),
      fields: z.record(z.string().max(50), z.string().max(4_000)),
    })
    .exactOptional(),
});
const answerBody = z.object({
  id,
  callId: z.string().min(1).max(500),
  answers: z
    .array(
      z.object({
        id: z.string().max(200),
        selected: z.array(z.string().max(500)).max(20),
        text: z.string().max(maxAnswerChars),
      }),
    )
    .max(10),
});

export type MessageBody = z.output<typeof messageBody>;
export type AnswerBody = z.output<typeof answerBody>;

export const readMessage = (body: unknown) => parsed(messageBody, body);
export const readStop = (body: unknown) => parsed(stopBody, body);
export const readAgain = (body: unknown) => parsed(againBody, body);
export const readVote = (body: unknown) => parsed(voteBody, body);
export const readPress = (body: unknown) => parsed(pressBody, body);
export const readAnswers = (body: unknown) => parsed(answerBody, body);

function parsed<T>(schema: z.ZodType<T>, body: unknown): T | undefined {
  const read = schema.safeParse(body);
  return read.success ? read.data : undefined;
}

/** Who sits at which page, and what their language is. */
export interface Seat {
  readonly person: UserId;
  readonly place: string;
  readonly locale: string | undefined;
}

/** The parts that every item has. */
export function said(eventId: string, { person, place, locale }: Seat) {
  const address = { surface: surfaceName, place, ...(locale === undefined ? {} : { locale }) };
  return { id: EventId(eventId), author: person, address };
}

export function messageItem(body: MessageBody, seat: Seat): InboxItem {
  return { ...said(body.id, seat), kind: 'message', content: contentOf(body) };
}

/** A message as its writer sees it. */
export function messagePost({ text, files }: MessageBody, author: UserId): BoardPost {
  const shown: BoardFile[] = files.map((file) => ({
    name: cleanFileName(file.name),
    chars: file.text.length,
    isCut: file.isCut,
  }));
  return {
    kind: 'user',
    state: 'live',
    text: text.trim(),
    author,
    ...(shown.length === 0 ? {} : { files: shown }),
  };
}

/** A message as the model reads it: the words, then each file. */
function contentOf({ text, files }: MessageBody): string {
  const parts = files.map(({ name, text: words, isCut }) =>
    quotedFile(cleanFileName(name), words, isCut ? 'this is only its beginning' : undefined),
  );
  return [text.trim(), ...parts].filter((part) => part !== '').join('\n\n');
}

/** The answers to a card as far as it asks for them: what it does not offer is left out. Undefined: nothing fits. */
export function answersTo(card: QuestionCard, { answers }: AnswerBody): Answer[] | undefined {
  const read = card.questions.map((question): Answer => {
    const given = answers.find((each) => each.id === question.id);
    const labels = question.options.map(({ label }) => label);
    const chosen = labels.filter((label) => given?.selected.includes(label));
    const selected = question.multiSelect ? chosen : chosen.slice(0, 1);
    const text = question.allowFreeText || labels.length === 0 ? (given?.text.trim() ?? '') : '';
    const status = selected.length > 0 || text !== '' ? 'answered' : 'skipped';
    return { id: question.id, selected, text, status };
  });
  return read.some(({ status }) => status === 'answered') ? read : undefined;
}

export function answerItem(
  { id: eventId, callId }: AnswerBody,
  answers: readonly Answer[],
  seat: Seat,
  at: number,
): InboxItem {
  const { person: by } = seat;
  return {
    ...said(eventId, seat),
    kind: 'answer',
    callId: CallId(callId),
    answers: { answers, by, at: new Date(at).toISOString() },
  };
}

/** The first language of `Accept-Language`, when it is one. */
export function localeOf({ headers }: Request): string | undefined {
  const first = (headers.get('accept-language') ?? '').split(/[,;]/)[0]?.trim() ?? '';
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(first) ? first : undefined;
}
