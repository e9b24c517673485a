import type { SurfaceAddress } from './address.ts';
import type { RecordedFile } from './file.ts';
import type { CallId, EventId, TurnId, UserId } from './ids.ts';
import type { AssistantMessage, ResultStatus, ToolCall, UserContent, UserSource } from './message.ts';
import type { Source } from './source.ts';
import type { Outcome, Usage } from './turn.ts';

/**
 * The journal of a conversation: append-only, the only truth. What the model sees, where a turn stands and what a
 * crash left open are folds of it (`loop/messages.ts` and `loop/turn-state.ts`).
 */
export type JournalRecord =
  | {
      readonly type: 'turn/start';
      readonly turn: TurnId;
      readonly protocol: 'label' | 'native';
      /** Where it is answered, and whose turn it is: kept over a pause and a crash. */
      readonly address?: SurfaceAddress;
      readonly asker?: UserId;
      /** Opened by a due task, not by a person. */
      readonly scheduled?: true;
      /**
       * The same turn once more: what was said in it stands, what was answered is kept here and no longer seen by the model.
       * The inbox item that asked for it.
       */
      readonly again?: EventId;
      /** Said to the model behind the system prompt: the time, which must not change within a run. */
      readonly now?: string;
    }
  /** What stands before it is kept, and no longer seen by the model. The inbox item that asked for it. */
  | { readonly type: 'conversation/new'; readonly item: EventId }
  | {
      readonly type: 'scene/routed';
      readonly scene: string;
      readonly confidence: number;
      readonly words: readonly string[];
      /** Names of other scenes that were exactly as sure; the first declared won. */
      readonly ties: readonly string[];
    }
  | { readonly type: 'step/start'; readonly step: number; readonly model: string }
  | { readonly type: 'system/message'; readonly content: string }
  | {
      readonly type: 'user/message';
      readonly source: UserSource;
      readonly content: UserContent;
      /** What came with it; what the model reads of it stands in `content`. */
      readonly files?: readonly RecordedFile[];
      readonly author?: UserId;
      /** As the platform calls its author. */
      readonly name?: string;
      /** The inbox item it came from: recording it takes the item out of the inbox. */
      readonly item?: EventId;
    }
  | ({
      readonly type: 'assistant/message';
      /** The stream was stopped by a person or cut; what stands here is what had arrived. */
      readonly interrupted?: true;
      /** Left out for the two plain cases: an answer (no calls), narration (with calls). */
      readonly fate?: Fate;
    } & Omit<AssistantMessage, 'role'>)
  /** A response that does not count: given up and repeated, or a prepared scene that led nowhere. */
  | { readonly type: 'assistant/attempt'; readonly reason: string; readonly content: string }
  | { readonly type: 'tool/call'; readonly call: ToolCall }
  | {
      readonly type: 'tool/result';
      readonly callId: CallId;
      readonly name: string;
      readonly status: ResultStatus;
      readonly content: string;
      /** What the content was taken from. */
      readonly sources?: readonly Source[];
      /** The tool ended the turn; its text is the answer. */
      readonly concluded?: true;
      /** Inbox items that this result was made of: recording it takes them out of the inbox. */
      readonly items?: readonly EventId[];
    }
  | { readonly type: 'guard/tripped'; readonly guard: string; readonly detail: string }
  | {
      readonly type: 'turn/paused';
      readonly callId: CallId;
      readonly question: unknown;
      /** Unit: milliseconds since 1970. */
      readonly at: number;
    }
  | {
      readonly type: 'turn/resumed';
      readonly by: 'answer' | 'crash';
      readonly now?: string;
      /** Results were made up, and the model is told so. */
      readonly repaired?: true;
    }
  /** Its process was told to end and gave the turn back: taking it up again is no crash. */
  | { readonly type: 'turn/parked' }
  | { readonly type: 'step/end'; readonly usage?: Usage }
  | { readonly type: 'turn/end'; readonly outcome: Outcome['kind']; readonly detail?: string };

/**
 * What became of a response that is neither an answer nor narration:
 * `thought` kept, not shown · `shown` kept and shown, the turn goes on · `part` shown, the next response joins it
 * without a break · `empty` nothing to show · `repair:<kind>` broke the protocol.
 */
export type Fate = 'thought' | 'shown' | 'part' | 'empty' | `repair:${string}`;

/** The inbox items that a record was made of: they leave the inbox with it. */
export function itemsOf(record: JournalRecord): readonly EventId[] {
  if (record.type === 'turn/start') return record.again === undefined ? [] : [record.again];
  if (record.type === 'conversation/new') return [record.item];
  if (record.type === 'user/message') return record.item === undefined ? [] : [record.item];
  return record.type === 'tool/result' ? (record.items ?? []) : [];
}
