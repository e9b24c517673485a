/** What is to happen to each call of one response, decided before anything runs. Pure. */
import { missingArguments, parseArguments } from '../domain/arguments.ts';
import { CallId } from '../domain/ids.ts';
import type { ResultStatus, ToolCall } from '../domain/message.ts';
import type { Tool } from '../ports/tool.ts';
import { badJsonText, missingArgumentsText, resultText, unknownToolText } from './result-texts.ts';
import type { RawCall } from './strategy.ts';

export type PlannedCall =
  | {
      readonly kind: 'run';
      readonly call: ToolCall;
      readonly tool: Tool;
      readonly args: Readonly<Record<string, unknown>>;
    }
  /** Takes its turn like one that runs (it counts, it is a barrier) but is answered without running. */
  | {
      readonly kind: 'refuse';
      readonly call: ToolCall;
      readonly status: 'unknown_tool' | 'bad_args';
      readonly text: string;
    }
  /** Answered outside of the order. */
  | {
      readonly kind: 'answer';
      readonly call: ToolCall;
      readonly status: ResultStatus;
      readonly text: string;
    };

export interface PlanInput {
  readonly calls: readonly ToolCall[];
  readonly tools: ReadonlyMap<string, Tool>;
  readonly maxCallsPerRound: number;
  /** The response was cut off: none of its calls may run. */
  readonly truncated: boolean;
}

/** One entry per call, in the order of the model. Checks in this order: truncated, overflow, duplicate, unknown, arguments. */
export function planCalls({ calls, tools, maxCallsPerRound, truncated }: PlanInput): PlannedCall[] {
  const first = new Map<string, CallId>();
  return calls.map((call, index): PlannedCall => {
    const answer = (status: 'truncated' | 'overflow' | 'duplicate', detail?: string): PlannedCall => ({
      kind: 'answer',
      call,
      status,
      text: resultText(status, detail),
    });
    if (truncated) return answer('truncated');
    if (index >= maxCallsPerRound) return answer('overflow');
    const tool = tools.get(call.name);
    const args = parseArguments(call.args);
    const key =
      tool?.isQuestion === true
        ? call.name
        : `${call.name}:${args === undefined ? call.args : canonical(args)}`;
    const earlier = first.get(key);
    if (earlier !== undefined) return answer('duplicate', `It repeats ${earlier}.`);
    first.set(key, call.id);
    if (tool === undefined) {
      return {
        kind: 'refuse',
        call,
        status: 'unknown_tool',
        text: unknownToolText(call.name, [...tools.keys()]),
      };
    }
    if (args === undefined) return { kind: 'refuse', call, status: 'bad_args', text: badJsonText(call.name) };
    const missing = missingArguments(args, tool.required);
    if (missing.length > 0) {
      return { kind: 'refuse', call, status: 'bad_args', text: missingArgumentsText(call.name, missing) };
    }
    return { kind: 'run', call, tool, args };
  });
}

/**
 * Calls in the order they are started: the model's, with questions after all others. `answer` entries are not among
 * them. Calls that stand in one group may overlap; groups follow one another.
 */
export function groupCalls(plan: readonly PlannedCall[]): PlannedCall[][] {
  const inOrder = plan.filter((each) => each.kind !== 'answer');
  const groups: PlannedCall[][] = [];
  let open: PlannedCall[] | undefined;
  for (const each of [...inOrder.filter((one) => !isQuestion(one)), ...inOrder.filter(isQuestion)]) {
    const overlaps = each.kind === 'run' && each.tool.mode === 'parallel' && !isQuestion(each);
    if (overlaps && open !== undefined) open.push(each);
    else {
      groups.push([each]);
      open = overlaps ? groups.at(-1) : undefined;
    }
  }
  return groups;
}

export function isQuestion(planned: PlannedCall): boolean {
  return planned.kind === 'run' && planned.tool.isQuestion === true;
}

/** Fresh ids where the provider sent none, or one that this conversation has used. */
export function withFreshIds(
  calls: readonly RawCall[],
  used: ReadonlySet<string>,
  newId: () => string,
): ToolCall[] {
  const taken = new Set(used);
  return calls.map(({ id, name, args }) => {
    let fresh = id;
    while (fresh === '' || taken.has(fresh)) fresh = newId();
    taken.add(fresh);
    return { id: CallId(fresh), name, args };
  });
}

/**
 * A response cut by the output limit. Some providers report `tool_calls` all the same: then the last arguments do not
 * parse and the usage stands at the limit.
 */
export function isTruncated(reply: {
  readonly stop: string;
  readonly calls: readonly RawCall[];
  readonly completionTokens: number;
  readonly maxTokens: number | null;
}): boolean {
  if (reply.stop === 'length' || reply.stop === 'cut') return true;
  const last = reply.calls.at(-1);
  const atLimit = reply.maxTokens !== null && reply.completionTokens >= reply.maxTokens;
  return atLimit && last !== undefined && parseArguments(last.args) === undefined;
}

/** JSON text with sorted keys: equal for equal arguments whatever their order and spacing. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
