/** What the model reads as the result of a call that did not simply run. Each text names the true reason. */
import type { ResultStatus } from '../domain/message.ts';

type MadeUp = Exclude<ResultStatus, 'ok' | 'answered' | 'error' | 'denied' | 'bad_args' | 'unknown_tool'>;

const texts: Record<MadeUp, string> = {
  duplicate: 'Not run: this repeats an earlier call of the same reply. Use that result.',
  overflow: 'Not run: too many calls in one reply. Ask again in the next step if it is still needed.',
  skipped: 'Not run: an earlier call of this reply was repeating itself without progress.',
  truncated:
    'Not run: the reply was cut off while the calls were written. Ask again, with less in one reply.',
  aborted: 'Stopped by the person before it was complete.',
  no_reply: 'The person did not answer in time.',
  superseded: 'The question was closed because somebody else wrote; go on with their message.',
  not_started: 'The work was interrupted before this call was started.',
  outcome_unknown:
    'The work was interrupted while this call was running: whether it took effect is unknown. Find out before repeating it.',
};

export function resultText(status: MadeUp, detail?: string): string {
  return detail === undefined ? texts[status] : `${texts[status]} ${detail}`;
}

export function unknownToolText(name: string, available: readonly string[]): string {
  const list =
    available.length === 0
      ? 'There are no tools in this conversation.'
      : `The tools are: ${available.join(', ')}.`;
  return `There is no tool named "${name}". ${list}`;
}

export function missingArgumentsText(name: string, missing: readonly string[]): string {
  return `Not run: ${name} needs ${missing.map((each) => `"${each}"`).join(', ')}. The same call will fail again; send it with ${missing.length === 1 ? 'this argument' : 'these arguments'}.`;
}

export function badJsonText(name: string): string {
  return `Not run: the arguments of ${name} are not a JSON object. Send one complete JSON object.`;
}
