/** Buttons, menus and forms of a question: what a press says to its conversation, or what its author is told in place of that. */
import type { CallId, ConversationId, UserId } from '../domain/ids.ts';
import { answererOf, type OpenPause } from '../domain/pause.ts';
import { type Answer, isQuestionCard } from '../domain/question.ts';
import type { ShownCard } from '../domain/surface-message.ts';
import type { Clock } from '../ports/runtime.ts';
import { chosenAnswer, type FormFields, formAnswers } from './card-answers.ts';
import { clickWords, wordsAbout } from './click-words.ts';
import { type Press, saidIn, type Told } from './press.ts';
import type { Said } from './said.ts';

export interface CardPressMeans {
  readonly accept: (pressed: Said) => Promise<string>;
  readonly pauseOf: (conversation: ConversationId) => Promise<OpenPause | undefined>;
  readonly isAdmin: (person: UserId) => boolean;
  readonly clock: Clock;
}

/** A question, as a button of its card names it. */
export interface AskedHandle {
  readonly conversation: ConversationId;
  readonly isOf: (callId: CallId) => boolean;
}

/** An option, or what was filled into the form. */
export type Given = { readonly option: number | undefined } | { readonly fields: FormFields };

/** Of the three seconds that platforms wait for a form. Unit: milliseconds. */
const formLimitMs = 1_500;
/** Others leave the person who was asked so much time. Unit: milliseconds. */
const patienceMs = 10 * 60_000;

export class CardPress {
  constructor(private readonly means: CardPressMeans) {}

  /** May be done twice. Rejects while the store is away. */
  async answer(press: Press, asked: AskedHandle, given: Given): Promise<Told | undefined> {
    const words = clickWords(press.address.locale);
    const shown = shownOf(await this.means.pauseOf(asked.conversation), asked);
    if (shown === undefined) return { text: words.late };
    const answers = answersIn(given, shown);
    if (answers === undefined) return { text: words.nothingGiven };
    const at = new Date(this.means.clock.now()).toISOString();
    return this.send(press, {
      conversation: asked.conversation,
      wanted: 'always',
      from: press.from,
      item: {
        ...saidIn(press),
        kind: 'answer',
        callId: shown.callId,
        answers: { answers, by: press.author, at },
      },
    });
  }

  /** Who looks after the channel need not wait, nor whoever was asked. `timeMark` is an instant as the platform writes it. */
  async askAnyway(
    press: Press,
    asked: AskedHandle,
    timeMark: (at: number) => string,
  ): Promise<Told | undefined> {
    const words = clickWords(press.address.locale);
    const pause = await this.means.pauseOf(asked.conversation);
    if (pause === undefined || !asked.isOf(pause.callId)) return { text: words.late };
    const isFree = this.means.isAdmin(press.author) || press.author === pause.asker;
    const from = pause.askedAt + patienceMs;
    if (!isFree && this.means.clock.now() < from && !(await press.isManager()))
      return { text: words.notYet(timeMark(from)) };
    return this.send(press, {
      conversation: asked.conversation,
      wanted: 'always',
      from: press.from,
      item: { ...saidIn(press), kind: 'supersede', callId: pause.callId },
    });
  }

  /** The card as it stands, for its form, or what is told in place of it: within the time for a form. Never rejects. */
  async toFillIn(
    { author, address }: Pick<Press, 'author' | 'address'>,
    asked: AskedHandle,
  ): Promise<ShownCard | { readonly told: string }> {
    const words = clickWords(address.locale);
    const pause = await Promise.race([
      this.means.pauseOf(asked.conversation).catch(() => 'too_late' as const),
      this.means.clock.sleep(formLimitMs).then(() => 'too_late' as const),
    ]);
    if (pause === 'too_late') return { told: words.tryAgain };
    const shown = shownOf(pause, asked);
    if (pause === undefined || shown === undefined) return { told: words.late };
    const answerer = answererOf(pause);
    return answerer === undefined || answerer === author ? shown : { told: words.notYours };
  }

  private async send({ address }: Press, said: Said): Promise<Told | undefined> {
    const accepted = await this.means.accept(said);
    const text = wordsAbout(accepted, clickWords(address.locale));
    if (text === undefined) return undefined;
    return accepted === 'late' || accepted === 'idle' ? { text, byStore: true } : { text };
  }
}

/** Undefined for a button of an older card. */
function shownOf(pause: OpenPause | undefined, { isOf }: AskedHandle): ShownCard | undefined {
  if (pause === undefined) return undefined;
  const { callId, question, asker, answers } = pause;
  if (!isOf(callId) || !isQuestionCard(question)) return undefined;
  return { callId, card: question, asker, answers };
}

function answersIn(given: Given, shown: ShownCard): readonly Answer[] | undefined {
  if ('fields' in given) return formAnswers(shown, given.fields);
  const answer = given.option === undefined ? undefined : chosenAnswer(shown.card, given.option);
  return answer && [answer];
}
