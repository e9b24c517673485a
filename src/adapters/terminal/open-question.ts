/** A question card while it is open: asks its questions one after the other and collects the answers. */
import { type Answer, type QuestionCard, readAnswer, skipped } from '../../domain/question.ts';
import { answeredLine, howToAnswer, questionLines } from './card-lines.ts';
import type { Page } from './page.ts';

export class OpenQuestion {
  private readonly answers: Answer[] = [];

  constructor(
    private readonly card: QuestionCard,
    private readonly page: Page,
  ) {
    this.askNext();
  }

  /** All answers once the last question has one, else `undefined`: the next question, or the same again, was asked. */
  accept(text: string): readonly Answer[] | undefined {
    const question = this.card.questions[this.answers.length];
    if (question === undefined) return this.answers;
    const answer = readAnswer(question, text);
    if (answer === undefined) {
      this.page.lines(['That is none of the choices:', howToAnswer(question)], 'dim');
      return undefined;
    }
    return this.note(answer);
  }

  skip(): readonly Answer[] | undefined {
    const question = this.card.questions[this.answers.length];
    return question === undefined ? this.answers : this.note(skipped(question));
  }

  private note(answer: Answer): readonly Answer[] | undefined {
    this.answers.push(answer);
    this.page.lines([answeredLine(answer)], 'dim');
    if (this.answers.length === this.card.questions.length) return this.answers;
    this.askNext();
    return undefined;
  }

  private askNext(): void {
    const at = this.answers.length;
    const question = this.card.questions[at];
    if (question === undefined) return;
    this.page.lines(questionLines(this.card, at));
    this.page.lines([howToAnswer(question)], 'dim');
  }
}
