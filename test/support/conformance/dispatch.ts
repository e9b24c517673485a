/** Runs a case of dispatch.json on the product's plan and dispatch, with the stuck guards off. */
import { CallId } from '../../../src/domain/ids.ts';
import type { JournalRecord } from '../../../src/domain/journal.ts';
import { groupCalls, isQuestion, planCalls } from '../../../src/loop/call-plan.ts';
import { dispatch } from '../../../src/loop/dispatch.ts';
import { defaultLoopSettings } from '../../../src/loop/settings.ts';
import { StuckGuard } from '../../../src/loop/stuck.ts';
import { systemClock } from '../../../src/observe/clock.ts';
import type { Tool, ToolResult } from '../../../src/ports/tool.ts';
import { compare, type Problems } from './compare.ts';

type Does = 'ok' | 'fail' | 'throw' | 'pause' | 'terminate';

export interface DispatchCase {
  readonly name: string;
  readonly calls: readonly { id: string; name: string; arguments: string }[];
  readonly tools: Readonly<Record<string, { required?: string[]; does?: Does }>>;
  readonly expected: {
    readonly results: readonly { id: string; status: string; of?: string }[];
    readonly run_last: readonly string[];
    readonly pause: string | null;
    readonly terminate: string | null;
    readonly then: 'pause' | 'end' | 'continue';
  };
}

export async function checkDispatchCase({
  calls: raw,
  tools: given,
  expected,
}: DispatchCase): Promise<Problems> {
  const records: JournalRecord[] = [];
  const tools = new Map(Object.entries(given).map(([name, tool]) => [name, toolOf(name, tool)]));
  const calls = raw.map((call) => ({ id: CallId(call.id), name: call.name, args: call.arguments }));
  const plan = planCalls({ calls, tools, maxCallsPerRound: 8, truncated: false });
  const outcome = await dispatch({
    plan,
    stuck: new StuckGuard({ ...defaultLoopSettings, maxSameCalls: 0, maxSameErrors: 0, batchStreak: false }),
    parallel: 8,
    hooks: {},
    clock: systemClock,
    signal: new AbortController().signal,
    run: { key: 'c:t', user: undefined },
    record: async (...added) => void records.push(...added),
    emit: () => {},
  });

  const results = records.flatMap((record) => (record.type === 'tool/result' ? [record] : []));
  const pause = outcome.next === 'pause' ? outcome.callId : null;
  const seen = calls.map(({ id }) => {
    const result = results.find((each) => each.callId === id);
    const of = result?.status === 'duplicate' ? { of: /repeats (\S+)\.$/.exec(result.content)?.[1] } : {};
    return { id, status: id === pause ? 'ok' : result?.status, ...of };
  });
  const concluded = new Set(results.flatMap((each) => (each.concluded === true ? [each.callId] : [])));
  const then = { stop: 'end', conclude: 'end', pause: 'pause', step: 'continue', stuck: 'stuck' }[
    outcome.next
  ];
  return [
    ...compare('results', seen, expected.results),
    ...compare(
      'run_last',
      groupCalls(plan)
        .flat()
        .filter(isQuestion)
        .map(({ call }) => call.id),
      expected.run_last,
    ),
    ...compare('pause', pause, expected.pause),
    ...compare('terminate', calls.find((call) => concluded.has(call.id))?.id ?? null, expected.terminate),
    ...compare('then', then, expected.then),
  ];
}

function toolOf(name: string, { required = [], does = 'ok' }: { required?: string[]; does?: Does }): Tool {
  const results: Record<Exclude<Does, 'throw'>, ToolResult> = {
    ok: { kind: 'text', text: 'done' },
    fail: { kind: 'failed', text: 'did not work' },
    pause: { kind: 'pause', question: {} },
    terminate: { kind: 'conclude', text: 'done' },
  };
  return {
    schema: { name, description: name, parameters: { type: 'object' } },
    required,
    mode: 'parallel',
    isQuestion: name === 'ask_user',
    effect: 'none',
    timeoutMs: 1_000,
    run: async () => {
      if (does === 'throw') throw new Error('broken');
      return results[does];
    },
  };
}
