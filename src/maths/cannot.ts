/** Why a piece of maths was not worked out. Always a value, never an exception: a learner's text is expected to be odd. */

export interface Cannot {
  readonly kind: 'cannot';
  readonly reason: CannotReason;
  /** The offending piece, or what a reader needs to act: a sign, a word, a limit, the letters to choose from. */
  readonly detail: string;
}

export type CannotReason =
  // reading
  | 'empty'
  | 'too_long'
  | 'too_deep'
  | 'unknown_sign'
  | 'unknown_word'
  | 'unclear_number'
  | 'adjacent_numbers'
  | 'unclear_percent'
  | 'unfinished'
  // evaluating
  | 'has_letters'
  | 'division_by_zero'
  | 'undefined_power'
  | 'irrational'
  /** An exponent that is neither whole nor a half. */
  | 'fractional_power'
  | 'negative_root'
  | 'too_large'
  | 'too_many_steps'
  // equations
  | 'no_equation'
  | 'no_letter'
  | 'several_equals'
  | 'inequality'
  | 'system'
  | 'quadratic'
  | 'not_linear'
  | 'which_letter'
  | 'letter_cancels'
  /** A stated line did not hold when it was read back. Always a bug of ours; nothing is shown then. */
  | 'check_failed';

export function cannot(reason: CannotReason, detail = ''): Cannot {
  return { kind: 'cannot', reason, detail };
}

export function isCannot(value: object): value is Cannot {
  return 'kind' in value && value.kind === 'cannot';
}
