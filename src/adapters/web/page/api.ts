/** What the page asks of the server. A problem is a sentence for the person. */
import type { PressForm } from '../../../domain/controls.ts';
import type { FileText, WireTalk } from '../wire.ts';
import type { FilledForm } from './control-view.ts';
import { newId } from './new-id.ts';

export type Reply =
  /** `text`: what is told to whoever asked alone. */
  | { readonly kind: 'ok'; readonly result: string; readonly text: string }
  | { readonly kind: 'problem'; readonly problem: string; readonly status: number };

export interface GivenAnswer {
  readonly id: string;
  readonly selected: readonly string[];
  readonly text: string;
}

/** How long a request may take: the server answers at once or not at all. Unit: milliseconds. */
const patienceMs = 20_000;
const away = 'The server does not answer. Is Docent still running?';

export interface Talks {
  /** Undefined: the server has not seen the cookie that it gave just now. */
  readonly person?: string;
  readonly talks: readonly WireTalk[];
}

/** Undefined: the page asks for its token. Rejects when the server is away. */
export async function getTalks(): Promise<Talks | undefined> {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const response = await fetch(`/api/talks?zone=${encodeURIComponent(zone)}`, {
    signal: AbortSignal.timeout(patienceMs),
  });
  if (response.status === 401) return undefined;
  if (!response.ok) throw new Error(`status ${response.status}`);
  return (await response.json()) as Talks;
}

export const openDoor = (token: string) => post('/api/open', { token });

/** `id` names the message: when the reply is lost it may be sent again. */
export const sendMessage = (talk: string, id: string, text: string, files: readonly FileText[]) =>
  post(`/api/talks/${talk}/messages`, { id, text, files });

export const sendStop = (talk: string) => post(`/api/talks/${talk}/stop`, { id: newId() });

/** The newest answer anew. */
export const sendAgain = (talk: string, turn: string) =>
  post(`/api/talks/${talk}/again`, { id: newId(), turn });

export type Vote = 'up' | 'down';

export const sendVote = (talk: string, answer: string, vote: Vote | null, reason?: string) =>
  post(`/api/talks/${talk}/votes`, { answer, vote, ...(reason === undefined ? {} : { reason }) });

/** One's own votes, by answer. Rejects when the server is away. */
export async function getVotes(talk: string): Promise<Readonly<Record<string, Vote>>> {
  const response = await fetch(`/api/talks/${talk}/votes`, { signal: AbortSignal.timeout(patienceMs) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return (await response.json()) as Record<string, Vote>;
}

export const sendAnswers = (talk: string, callId: string, answers: readonly GivenAnswer[]) =>
  post(`/api/talks/${talk}/answers`, { id: newId(), callId, answers });

export const sendPress = (talk: string, message: string, press: string, form?: FilledForm) =>
  post(`/api/talks/${talk}/presses`, { id: newId(), message, press, ...(form && { form }) });

/** The form that a button opens, or a sentence for the person. */
export async function getForm(talk: string, message: string, press: string): Promise<PressForm | string> {
  const reply = await fetch(`/api/talks/${talk}/forms`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ id: newId(), message, press }),
    signal: AbortSignal.timeout(patienceMs),
  }).then((response) => response.json() as Promise<{ form?: PressForm; text?: string; problem?: string }>);
  return reply.form ?? reply.text ?? reply.problem ?? away;
}

export type PdfReply =
  | { readonly text: string; readonly isCut: boolean }
  /** `isUnreadable`: it is none, or damaged; otherwise nothing is known of it. */
  | { readonly problem: string; readonly isUnreadable: boolean };

/** The beginning of a PDF's text. `onProgress` is told how much of it has arrived, from 0 to 1. */
export function sendPdf(
  file: Blob,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<PdfReply> {
  return new Promise((resolve) => {
    // fetch does not tell how much has been sent.
    const request = new XMLHttpRequest();
    request.open('POST', '/api/files');
    request.setRequestHeader('Content-Type', 'application/pdf');
    request.responseType = 'json';
    request.timeout = 120_000;
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total));
    request.addEventListener('loadend', () => {
      const reply = request.response as {
        text?: string;
        isCut?: boolean;
        problem?: string;
        why?: string;
      } | null;
      if (request.status === 200 && reply?.text !== undefined)
        resolve({ text: reply.text, isCut: reply.isCut === true });
      else
        resolve({
          problem: reply?.problem ?? (request.status === 0 ? away : tooLarge(request.status)),
          isUnreadable: reply?.why === 'unreadable',
        });
    });
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

async function post(path: string, body: unknown): Promise<Reply> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
    });
    const reply = (await response.json().catch(() => ({}))) as {
      problem?: string;
      result?: string;
      text?: string;
    };
    if (response.ok) return { kind: 'ok', result: reply.result ?? '', text: reply.text ?? '' };
    return { kind: 'problem', problem: reply.problem ?? tooLarge(response.status), status: response.status };
  } catch {
    return { kind: 'problem', problem: away, status: 0 };
  }
}

function tooLarge(status: number): string {
  return status === 413
    ? 'This is too large to send. Send less of it.'
    : `The server answered with ${status}.`;
}
