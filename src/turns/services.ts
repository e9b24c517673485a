/** What turns work with: everything outside of them, handed in. */
import type { Capability } from '../capabilities/capability.ts';
import type { ConversationId } from '../domain/ids.ts';
import type { ArrivedFiles } from '../files/arrived-files.ts';
import type { Hooks } from '../loop/hooks.ts';
import type { LoopSettings } from '../loop/settings.ts';
import type { Conversations } from '../ports/conversations.ts';
import type { ReadEarlier } from '../ports/earlier.ts';
import type { Meter } from '../ports/meter.ts';
import type { Model } from '../ports/model.ts';
import type { PauseTimers } from '../ports/pause-timers.ts';
import type { People } from '../ports/people.ts';
import type { Quotas } from '../ports/quotas.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import type { Screens } from '../ports/screen.ts';
import type { MarkUsed } from '../ports/surface.ts';
import type { Tool } from '../ports/tool.ts';
import type { ProtocolChoice } from './protocol-choice.ts';

export interface TurnServices {
  readonly conversations: Conversations;
  readonly screens: Screens;
  readonly timers: PauseTimers;
  readonly quotas: Quotas;
  readonly people: Pick<People, 'preferences'>;
  readonly files: ArrivedFiles;
  readonly readEarlier: ReadEarlier;
  /** An answer of this surface waits until it can be shown to its end. */
  readonly noteLeft: (surface: string, conversation: ConversationId) => Promise<void>;
  readonly markUsed: MarkUsed;
  readonly model: Model;
  readonly protocol: ProtocolChoice;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly capability: Capability;
  /** Laid over the loop's defaults; the capability's budget comes last. */
  readonly settings: Partial<LoopSettings>;
  readonly hooks: Hooks;
  readonly meter: Meter;
  readonly clock: Clock;
  /** A log whose lines carry these fields. */
  readonly logFor: (fields: Readonly<Record<string, unknown>>) => Logger;
  readonly newId: () => string;
  readonly estimateTokens: (text: string) => number;
  /** A time with its day, as the model is told it, in an IANA zone; undefined: that of the deployment. */
  readonly spokenTime: (at: number, zone: string | undefined) => string;
}
