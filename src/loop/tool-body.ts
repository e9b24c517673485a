/** One tool body under its time-out and the turn's stop. Whatever happens inside, the loop gets a result. */

import { TurnParkedError } from '../domain/errors.ts';
import type { UserId } from '../domain/ids.ts';
import type { ToolCall } from '../domain/message.ts';
import type { Clock } from '../ports/runtime.ts';
import type { Tool, ToolResult, ToolTurn } from '../ports/tool.ts';
import { type Hooks, runHook } from './hooks.ts';

/** What a tool is told about the turn it runs in. */
export interface ToolRun {
  /** `conversation:turn`; the call id is appended for the idempotency key. */
  readonly key: string;
  readonly user: UserId | undefined;
  readonly turn?: ToolTurn;
}

/** A body that goes on after the stop gets this long to end; then its result is dropped. */
const stopGraceMs = 2_000;
/** A result longer than this is cut: one tool must not fill the model's window. Unit: characters. */
const maxResultChars = 100_000;

export async function runBody(body: {
  readonly call: ToolCall;
  readonly tool: Tool;
  readonly args: Readonly<Record<string, unknown>>;
  readonly run: ToolRun;
  readonly hooks: Hooks;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<ToolResult> {
  const { call, tool, args, run, hooks, clock, signal } = body;
  const controller = new AbortController();
  const cancels: (() => void)[] = [];
  const ended = new Promise<ToolResult>((resolve) => {
    cancels.push(
      clock.after(tool.timeoutMs, () => {
        controller.abort(new Error('timed out'));
        resolve({ kind: 'failed', text: `${call.name} did not answer within ${tool.timeoutMs / 1000} s.` });
      }),
    );
    const onStop = () => {
      controller.abort(signal.reason);
      // When only this process ends, the call has no result yet; another one tells the model so.
      const kind = signal.reason instanceof TurnParkedError ? 'failed' : 'text';
      cancels.push(clock.after(stopGraceMs, () => resolve({ kind, text: '' })));
    };
    if (signal.aborted) onStop();
    else signal.addEventListener('abort', onStop, { once: true });
    cancels.push(() => signal.removeEventListener('abort', onStop));
  });
  const context = {
    callId: call.id,
    idempotencyKey: `${run.key}:${call.id}`,
    user: run.user,
    ...(run.turn === undefined ? {} : { turn: run.turn }),
    signal: controller.signal,
  };
  try {
    const execute = { call, signal: controller.signal };
    const running = runHook(hooks.execute, execute, () => tool.run(args, context));
    return shortened(await Promise.race([running, ended]));
  } catch (error) {
    return {
      kind: 'failed',
      text: `${call.name} failed: ${error instanceof Error ? error.message : String(error)}`,
    };
  } finally {
    for (const cancel of cancels) cancel();
  }
}

function shortened(result: ToolResult): ToolResult {
  if (result.kind === 'pause') return result;
  const text = result.text === '' ? '(no output)' : result.text;
  if (text.length <= maxResultChars) return { ...result, text };
  const kept = text.slice(0, maxResultChars).toWellFormed();
  return { ...result, text: `${kept}\n[cut: ${text.length - maxResultChars} more characters]` };
}
