/** The system prompt of a turn: named blocks in a fixed order, byte-identical from its first step to its last. */
import type { Capability } from '../capabilities/capability.ts';
import { writeLabel } from '../loop/label-protocol.ts';
import { labelStrategy } from '../loop/label-strategy.ts';
import { nativeStrategy } from '../loop/native-strategy.ts';
import type { Strategy } from '../loop/strategy.ts';

export function strategyFor(capability: Capability, protocol: 'label' | 'native'): Strategy {
  if (protocol === 'native') return nativeStrategy;
  return labelStrategy(capability.protocol, labelPrompt(capability));
}

/** `wishes`: what the learner has set, or nothing. */
export function systemPrompt(capability: Capability, strategy: Strategy, wishes = ''): string {
  return [capability.prompt, wishes, strategy.prompt()].filter((block) => block !== '').join('\n\n---\n\n');
}

function labelPrompt({ protocol, labels }: Capability): string {
  const example = protocol.terminal[0] ?? '';
  const meanings = protocol.allowed.map((label) => `- ${writeLabel(label)}: ${labels[label] ?? ''}`);
  return `How every reply begins: one label, in double backticks, alone on the first line. Then the text. Nothing before the label, and no second label in the same reply.

${meanings.join('\n')}

Only ${writeLabel(protocol.tool ?? example)} goes with tool calls. For example:

${writeLabel(example)}
The slope of y = 3x + 1 is 3.`;
}
