/** What the practice model says, by language: one interface, so that no language can miss a sentence. */
import type { ArithmeticStep } from '../../maths/arithmetic.ts';
import type { CannotReason } from '../../maths/cannot.ts';
import type { EquationStep } from '../../maths/linear.ts';
import type { Reading } from '../../maths/parse.ts';

export interface Words {
  /** Said in the first answer of every conversation: that this is no AI, and how to set one. */
  readonly introduction: string;
  /** Two or three lines with examples, for whatever was not understood. */
  readonly abilities: string;
  /** After a request to use this language. */
  readonly switched: string;

  readonly readAs: (readings: readonly Reading[]) => string;
  readonly roundedTo: (decimal: string) => string;
  readonly linesChecked: string;
  readonly inverseCheck: (line: string) => string;
  readonly claimRight: (line: string) => string;
  readonly claimWrong: (line: string, claimed: string) => string;
  readonly onlyAbout: (expression: string, approximation: string) => string;
  readonly cannot: (reason: CannotReason, detail: string) => string;
  /** What a step of a sum is called when it is given as a hint. */
  readonly part: (step: ArithmeticStep) => string;

  readonly plan: (equation: string, letter: string) => string;
  readonly equationStep: (step: Pick<EquationStep, 'action' | 'amount'>) => string;
  readonly putBack: (solution: string, left: string, right: string) => string;
  readonly noSolution: (letter: string) => string;
  readonly everySolution: (letter: string) => string;

  readonly ask: {
    readonly lead: string;
    readonly reading: (expression: string) => string;
    readonly percent: (expression: string) => string;
    readonly letter: (equation: string) => string;
    readonly practise: string;
    readonly task: string;
    readonly leftToRight: string;
    readonly productTogether: string;
    readonly shareOf: string;
    readonly plainNumber: string;
    readonly equations: string;
    readonly sums: string;
    readonly fractions: string;
    readonly percents: string;
    readonly example: (task: string) => string;
    /** How to answer when there is no card to press. */
    readonly byText: string;
    readonly chosenFor: (choice: string) => string;
    readonly noTask: string;
  };

  readonly errand: {
    /** Beside a call. */
    readonly doing: string;
    /** A reminder without a time, without a text. */
    readonly when: string;
    readonly what: string;
    readonly reminderSet: (local: string) => string;
    readonly remembered: string;
    readonly knows: string;
    readonly knowsNothing: string;
    readonly refused: (why: string) => string;
    readonly read: (names: string, lines: number) => string;
    readonly from: (name: string, line: number) => string;
    readonly nothingIn: (names: string) => string;
  };

  readonly quiz: {
    /** Asked for an exercise like the one before, and there is none. */
    readonly nothingYet: string;
    readonly solve: string;
    readonly compute: string;
    readonly how: string;
    readonly right: (answer: string) => string;
    readonly next: string;
    readonly wrong: (answer: string) => string;
    readonly wrongSides: (solution: string, left: string, right: string) => string;
    readonly close: (answer: string) => string;
    readonly goodStep: (equation: string) => string;
    readonly firstStep: (what: string) => string;
    readonly thenLine: (line: string) => string;
    readonly solution: string;
    readonly stillOpen: (task: string) => string;
  };
}
