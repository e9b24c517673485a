/** Where a conversation stands, read off its messages: what is still unanswered, and what was said about it so far. */
import { type DroppedFile, withoutFiles } from './file-text.ts';
import { isOnlyLanguageRequest, type Language, languageOf, requestedLanguage } from './language.ts';
import type { PracticeRequest } from './request.ts';

export interface Situation {
  /** Replies begin with a label on a line of its own. */
  readonly labels: boolean;
  /** A reply of thinking may come before the answer. */
  readonly mayThink: boolean;
  readonly mayAsk: boolean;
  readonly language: Language;
  /** The newest messages ask for this language. */
  readonly languageAsked: boolean;
  /** What the learner wrote since the last answer, and how questions about it were answered, in order. */
  readonly open: readonly Entry[];
  /** What the learner wrote before that, oldest first. */
  readonly earlier: readonly string[];
  /** The answers given so far, without labels, oldest first. */
  readonly said: readonly string[];
  /** Names of the tools that may be called. */
  readonly tools: ReadonlySet<string>;
  /** What came of a call other than a question, since the last answer. */
  readonly result: { readonly name: string; readonly text: string } | undefined;
  /** The wall clock of the turn, as if it were UTC; undefined when nobody said it. Unit: milliseconds since 1970. */
  readonly now: number | undefined;
  /** All files of the conversation, and those that came since the last answer. */
  readonly files: readonly DroppedFile[];
  readonly newFiles: readonly DroppedFile[];
}

export type Entry =
  | { readonly kind: 'message'; readonly text: string }
  /** The answer to a question we asked: a tool result, or the next message where there are no cards. */
  | { readonly kind: 'reply'; readonly text: string };

/** Questions asked in plain text begin with this mark; it is how they are known again. */
export const QUESTION_MARK = '❓';

export function readSituation(request: PracticeRequest): Situation {
  const system = request.messages.flatMap((message) => (message.role === 'system' ? [message.text] : []));
  const labels = system.some((text) => text.includes('``FINISH``'));
  const asked = new Set<string>();
  const called = new Map<string, string>();
  const files: DroppedFile[] = [];
  let newFiles: DroppedFile[] = [];
  let result: Situation['result'];
  const earlier: string[] = [];
  const said: string[] = [];
  let open: Entry[] = [];
  let thought = false;
  let askedInText = false;

  for (const message of request.messages) {
    if (message.role === 'user') {
      const own = withoutFiles(message.text);
      files.push(...own.files);
      newFiles.push(...own.files);
      const text = withoutProgramNote(own.text);
      if (isLoopNote(text) || (text.trim() === '' && own.files.length === 0)) continue;
      open.push({ kind: askedInText ? 'reply' : 'message', text });
      askedInText = false;
    } else if (message.role === 'tool') {
      const name = called.get(message.callId);
      if (name !== undefined) result = { name, text: message.text };
      if (asked.has(message.callId)) open.push({ kind: 'reply', text: message.text });
    } else if (message.role === 'assistant') {
      for (const call of message.calls) {
        if (call.name === 'ask_user') asked.add(call.id);
        else called.set(call.id, call.name);
      }
      const { label, body } = splitLabel(message.text);
      if (label === 'THINK') thought = true;
      if (label === 'THINK' || label === 'TOOL' || message.calls.length > 0 || body === '') continue;
      said.push(body);
      askedInText = body.split('\n').some((line) => line.startsWith(QUESTION_MARK));
      if (askedInText) continue;
      earlier.push(...open.map((entry) => entry.text));
      open = [];
      newFiles = [];
      result = undefined;
      thought = false;
    }
  }

  const texts = [...earlier, ...open.map((entry) => entry.text)];
  return {
    labels,
    // Without tools the request is a closing one: the answer is wanted now.
    mayThink:
      labels && request.tools.size > 0 && !thought && system.some((text) => text.includes('``THINK``')),
    mayAsk: request.tools.has('ask_user'),
    language: languageOf(texts.map(wordsOfPerson)),
    languageAsked: open.some((entry) => requestedLanguage(entry.text) !== undefined),
    open: open.filter((entry) => !isOnlyLanguageRequest(entry.text)),
    earlier: earlier.filter((text) => !isOnlyLanguageRequest(text)),
    said,
    tools: request.tools,
    result,
    now: timeToldIn(system),
    files,
    newFiles,
  };
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

function timeToldIn(system: readonly string[]): number | undefined {
  const told = /The time is \w+ (\d{1,2}) (\w{3}) (\d{4}), (\d\d):(\d\d)(?::(\d\d))?/.exec(system.join('\n'));
  if (told === null) return undefined;
  const [, day, month = '', year, hour, minute, second = '0'] = told;
  return Date.UTC(
    Number(year),
    months.indexOf(month),
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
}

/** Results are JSON: only what a person chose or wrote in them shows a language. */
function wordsOfPerson(text: string): string {
  return text.startsWith('{') ? '' : text;
}

/** A prepared message may end in a bracketed paragraph that the program added; the learner did not say it. */
function withoutProgramNote(text: string): string {
  return text.replace(/\n\s*\[[^\]]{40,}\]\s*$/, '');
}

/**
 * Notes of the loop come in the learner's role: repairs, "answer now", "go on". They change how we may answer, which
 * the request shows by its tools, and never what about.
 */
function isLoopNote(text: string): boolean {
  return /^(?:Your (?:last )?reply |You announced a tool|You called a tool|You are repeating yourself|You have used most|No more tool calls|That label cannot|A reply labelled |The work was interrupted)/.test(
    text,
  );
}

function splitLabel(text: string): { readonly label: string | undefined; readonly body: string } {
  const match = /^\s*`*(FINISH|TOOL|THINK|PAUSE)`*(?![\p{L}\d])[ \t]*[:：–—-]?\s*/u.exec(text);
  return { label: match?.[1], body: text.slice(match?.[0].length ?? 0).trim() };
}
