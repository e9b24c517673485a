/** The question of a paused turn: stored, shown, kept open while people talk, and closed. */

import type { EventId, UserId } from '../domain/ids.ts';
import type { JournalRecord } from '../domain/journal.ts';
import type { OpenPause } from '../domain/pause.ts';
import type { UserRecord } from '../loop/hooks.ts';
import type { Recovered } from '../loop/recover.ts';
import type { TurnScreen } from '../ports/screen.ts';
import { wordsFor } from '../render/notices.ts';
import type { ClaimedTurn } from './claimed-turn.ts';
import { type Decision, hasText, noteOf, pauseFrom } from './resume.ts';

/** The stored question; what a process that died between journal and store left undone is done here. */
export async function storedQuestion(
  { claim }: ClaimedTurn,
  { recovery }: Recovered,
): Promise<OpenPause | undefined> {
  if (recovery.action !== 'wait') {
    if (claim.pause !== undefined) await claim.closePause(claim.pause.callId);
    return undefined;
  }
  if (claim.pause?.callId === recovery.callId) return claim.pause;
  return storeQuestion({ claim }, claim.records);
}

/** Stores the question that the journal tells of: before anybody sees its card. */
export async function storeQuestion(
  { claim }: Pick<ClaimedTurn, 'claim'>,
  records: readonly JournalRecord[],
): Promise<OpenPause | undefined> {
  const pause = pauseFrom(records);
  if (pause !== undefined) await claim.openPause(pause);
  return pause;
}

/** Shows the card of a stored question, and sets its time. Doing it again changes nothing. */
export async function showQuestion(
  { claim, services, conversation }: ClaimedTurn,
  pause: OpenPause,
  screen: TurnScreen,
): Promise<void> {
  await services.timers.set(conversation, pause.callId, pause.expiresAt);
  const card = await screen.ask(pause);
  if (card !== undefined && pause.card === undefined) await claim.updatePause({ card });
}

/** The question stays open. Everything said meanwhile is kept for the model, and nobody is left wondering. */
export async function keepQuestionOpen(
  claimed: ClaimedTurn,
  pause: OpenPause,
  decision: Extract<Decision, { do: 'keep_open' }>,
  { state, work }: Recovered,
): Promise<void> {
  const { claim } = claimed;
  const screen = claimed.screen(claimed.openTurn());
  // Nobody said anything: the process that paused the turn died before it was done.
  const isLeftUndone = claim.opening.length === 0;
  if (isLeftUndone) {
    screen.show({ type: 'turn.resumed', by: 'crash', closedAnswers: state.closedAnswers, work });
    if (state.shown !== '') screen.show({ type: 'answer.delta', text: state.shown });
  }
  const words = wordsFor(pause.address.locale);
  const { answers, used } = decision;
  const notes = [...decision.notes, ...decision.misfits].filter(hasText);
  const arrived = await claimed.withFiles(notes.map(noteOf));
  if (arrived.length > 0) await claim.append(arrived.map(({ record }) => record));
  const isNew = (id: EventId) => !pause.used.includes(id);
  await keepFilesOfAnswers(claimed, used.filter(isNew));
  const untold = decision.waiting.filter(
    ({ author }) => author !== undefined && !pause.told.includes(author),
  );
  const told = untold.flatMap((item) => item.author ?? []);
  await claim.updatePause({ answers, used, told: [...pause.told, ...told] });
  for (const item of decision.misfits) await screen.tell(`hint:${item.id}`, words.chooseOption);
  for (const item of untold) {
    const { asker, callId } = pause;
    const more = asker === undefined ? {} : { waitsFor: { asker, callId } };
    await screen.tell(`waiting:${item.id}`, words.onlyAsker(nameOf(asker)), more);
  }
  claim.accept(claim.opening.filter((item) => used.includes(item.id)));
  // A card that stands as it should is left alone.
  const hasChanged = pause.card === undefined || answers.length !== pause.answers.length;
  if (hasChanged || isLeftUndone) await showQuestion(claimed, { ...pause, answers }, screen);
  if (isLeftUndone) await screen.finish({ kind: 'paused', callId: pause.callId, question: pause.question });
}

/**
 * Words that answer a question become the result of its call; what came with them is kept as a note before. Its record
 * takes nothing out of the inbox, so a process that dies behind it may be followed by one that keeps it twice.
 */
export async function keepFilesOfAnswers(
  claimed: ClaimedTurn,
  items: readonly EventId[],
): Promise<readonly UserRecord[]> {
  const { claim } = claimed;
  const answers = claim.opening.filter(hasText).filter(({ id, files }) => files && items.includes(id));
  if (answers.length === 0) return [];
  const arrived = await claimed.withFiles(answers.map((item) => noteOf({ ...item, content: '' })));
  const records = arrived.map(
    ({ record: { type, source, content, files = [], author } }): UserRecord => ({
      type,
      source,
      content,
      files,
      ...(author !== undefined && { author }),
    }),
  );
  await claim.append(records);
  return records;
}

/** Ids of people read `surface:name`; the name is enough for a line to people. */
function nameOf(user: UserId | undefined): string {
  return user === undefined ? '?' : user.slice(user.indexOf(':') + 1);
}
