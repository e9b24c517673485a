/** A capability is a way of running a turn: data plus prompt. A new one changes no line of the loop. */
import type { LabelProtocol } from '../loop/label-protocol.ts';
import type { Scene } from '../loop/scene.ts';
import type { LoopSettings } from '../loop/settings.ts';
import type { TurnRules } from '../loop/turn-io.ts';

export interface Capability {
  readonly name: string;
  readonly protocol: LabelProtocol;
  /** Who the tutor is and how it teaches; the same for both protocols. */
  readonly prompt: string;
  /** What each label means, for the label protocol. */
  readonly labels: Readonly<Record<string, string>>;
  /** Tools it brings along, by name. */
  readonly ownedTools: readonly string[];
  readonly budget: Partial<Pick<LoopSettings, 'exploration' | 'settlement' | 'maxIterations'>>;
  readonly scenes: readonly Scene[];
  readonly rules: TurnRules;
}
