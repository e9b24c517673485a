/** Stuck detection: the same call, one tool's failures, a whole response, again and again. */
import type { ResultStatus, ToolCall } from '../domain/message.ts';
import type { LoopSettings } from './settings.ts';

type StuckSettings = Pick<
  LoopSettings,
  'maxSameCalls' | 'maxSameErrors' | 'signatureChars' | 'exempt' | 'batchStreak'
>;

/** Counts of one turn. A person's message starts them anew (`reset`); a note does not. */
export class StuckGuard {
  private last: string | undefined;
  private sameCalls = 0;
  private readonly failures = new Map<string, number>();
  private lastBatch: string | undefined;
  private sameBatches = 0;

  constructor(private readonly settings: StuckSettings) {}

  /** Counts a call that is about to run. Returns the reason when it is the one too many: it still runs, no later one does. */
  countCall(call: ToolCall): string | undefined {
    const { maxSameCalls, exempt } = this.settings;
    if (exempt.includes(call.name)) return undefined;
    const signature = this.signature(call);
    this.sameCalls = signature === this.last ? this.sameCalls + 1 : 1;
    this.last = signature;
    if (maxSameCalls === 0 || this.sameCalls < maxSameCalls) return undefined;
    return `${call.name} was called ${this.sameCalls} times in a row with the same arguments`;
  }

  /** Counts how a call ended. Returns the reason when its tool has now failed too often. */
  countResult(name: string, status: ResultStatus): string | undefined {
    if (status === 'ok' || status === 'answered') this.failures.delete(name);
    if (status !== 'error' && status !== 'unknown_tool' && status !== 'bad_args') return undefined;
    const failed = (this.failures.get(name) ?? 0) + 1;
    this.failures.set(name, failed);
    const { maxSameErrors } = this.settings;
    if (maxSameErrors === 0 || failed < maxSameErrors) return undefined;
    return `${name} failed ${failed} times in a row`;
  }

  /** Counts a finished response by the calls of it that ran. Returns the reason when it repeats too often. */
  countBatch(ran: readonly ToolCall[]): string | undefined {
    const { batchStreak, maxSameCalls } = this.settings;
    if (!batchStreak || maxSameCalls === 0) return undefined;
    const batch = ran.length < 2 ? undefined : ran.map((call) => this.signature(call)).join('\n');
    this.sameBatches = batch !== undefined && batch === this.lastBatch ? this.sameBatches + 1 : 1;
    this.lastBatch = batch;
    if (batch === undefined || this.sameBatches < maxSameCalls) return undefined;
    return `the same ${ran.length} calls came ${this.sameBatches} times in a row`;
  }

  reset(): void {
    this.last = undefined;
    this.sameCalls = 0;
    this.failures.clear();
    this.lastBatch = undefined;
    this.sameBatches = 0;
  }

  /** Whole characters: a cut inside a surrogate pair would make two different emoji equal. */
  private signature(call: ToolCall): string {
    const { signatureChars } = this.settings;
    let head = '';
    let count = 0;
    for (const character of call.args) {
      if (count === signatureChars) break;
      head += character;
      count += 1;
    }
    return `${call.name}:${head}`;
  }
}
