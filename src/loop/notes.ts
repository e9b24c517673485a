/** What the loop itself says to the model, in user-role messages. Wording may change; the sources may not. */
import type { UserSource } from '../domain/message.ts';

type FixedNote = 'settle' | 'final' | 'stuck' | 'continue' | 'nudge' | 'resume';

const fixed: Record<FixedNote, string> = {
  settle:
    'You have used most of your steps. Finish only what you have already begun; start nothing new. Tools are still available for a few steps.',
  final: 'No more tool calls are possible. Answer now, from what you have. Say plainly what is missing.',
  stuck:
    'You are repeating yourself and tools are switched off. Say what you found out so far, what did not work, and what could be tried instead.',
  continue:
    'Your last reply was cut off. Go on exactly where it stopped: repeat nothing, add no introduction. If nothing is missing, send nothing more.',
  nudge: 'Your last reply had no text that could be shown. Act with a tool or answer the person.',
  resume:
    'The work was interrupted by a restart and goes on now. Results marked as unknown or not started were made up for this reason: check before you repeat such a call.',
};

const repairs: Readonly<Record<string, string>> = {
  missing_label:
    'Your reply did not begin with one of the labels. Send it again with exactly one label, alone on the first line.',
  multiple_labels:
    'Your reply held more than one label. Send one reply with one label, on the first line only.',
  tool_without_calls: 'You announced a tool but called none. Call the tool now, or choose another label.',
  unknown_action: 'That label cannot be used here. Choose one of the labels you were given.',
  no_name:
    'You called a tool without a name. Nothing was run. Call one of the tools you were given, by its name.',
};

/** The text of a loop note. `detail` is appended where a note has one. */
export function noteText(
  source: Exclude<UserSource, 'person' | 'steer' | 'inject' | 'scene' | 'feedback'>,
  detail?: string,
): string {
  const text = isFixed(source) ? fixed[source] : repairText(source.slice('repair:'.length));
  return detail === undefined ? text : `${text}\n${detail}`;
}

function isFixed(source: string): source is FixedNote {
  return Object.hasOwn(fixed, source);
}

function repairText(problem: string): string {
  const known = repairs[problem];
  if (known !== undefined) return known;
  if (!problem.endsWith('_with_tools'))
    return `Your reply could not be accepted (${problem}). Send it again, corrected.`;
  const label = problem.slice(0, -'_with_tools'.length).toUpperCase();
  return `A reply labelled ${label} must not call tools; nothing was run. Either call the tool under the tool label, or send ${label} without calls.`;
}
