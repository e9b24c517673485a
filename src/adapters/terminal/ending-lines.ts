/** How a turn that did not simply end is explained to the person: what happened, and what to do. */
import { assertNever, type ModelFailure } from '../../domain/errors.ts';
import type { Failure, Outcome } from '../../domain/turn.ts';
import { harmless } from '../../render/harmless.ts';

const failures: Readonly<Record<`model.${ModelFailure}`, string>> = {
  'model.unreachable': 'I could not reach the model.',
  'model.unauthorized': 'The model service did not accept the key.',
  'model.unknown_model': 'The model service does not know this model.',
  'model.rate_limited':
    'The model service is asking for a break: too many requests, or the quota is used up.',
  'model.refused': 'The model service refused the request.',
  'model.server_error': 'The model service failed.',
  'model.not_a_stream': 'What answered there is no model service.',
  'model.cut': 'The connection to the model broke off.',
  'model.idle': 'The model fell silent.',
  'model.context_too_long': 'This conversation has grown too long for the model.',
};

/** Empty when the answer says it all. `logFile` is where the details of an error stand. */
export function endingLines(outcome: Outcome, logFile: string): string[] {
  switch (outcome.kind) {
    case 'finish':
    case 'concluded':
    case 'stuck':
    case 'budget':
    case 'paused':
      return [];
    case 'no_reply':
      return ['Not answered. Ask again any time.'];
    case 'blocked':
      return [harmless(`This was not let through: ${outcome.reason}`)];
    case 'aborted':
      return ['⏹ Stopped.'];
    case 'interrupted':
      return [
        outcome.answer === ''
          ? '✗ Interrupted at the same place again, so I stopped trying. Please ask again.'
          : '✗ Interrupted: the answer above is not complete. Ask again, or say "go on".',
      ];
    case 'error':
      return errorLines(outcome.failure, outcome.retryable, logFile);
    default:
      return assertNever(outcome, 'endingLines');
  }
}

function errorLines({ code, hint }: Failure, retryable: boolean, logFile: string): string[] {
  const details = `  Details: ${logFile}`;
  if (hint === '')
    return ['✗ Something went wrong on my side. Ask again; if it happens again, report it.', details];
  const what = isModelFailure(code) ? failures[code] : 'Something went wrong on my side.';
  const again = retryable && !/try again/i.test(hint) ? ' Then ask again.' : '';
  return [`✗ ${what}`, harmless(`  ${hint}${again}`), details];
}

function isModelFailure(code: string): code is keyof typeof failures {
  return Object.hasOwn(failures, code);
}
