/** A chat platform in memory: strict about what it takes, forgetful about nothing. */
import type { SurfaceMessage } from '../../../src/domain/surface-message.ts';
import type {
  Effect,
  Fault,
  PlatformAnswer,
  PlatformCall,
  PlatformControl,
  PlatformRules,
  PlatformState,
  PutFile,
  RecordedCall,
  ShownMessage,
} from './platform-calls.ts';

const defaultRules: PlatformRules = { maxChars: 2_000, minEditGapMs: 100, keys: 'refused', latencyMs: 1 };

/** Places whose name begins with this do not exist. */
export const missingPlace = 'nowhere';

/** What became of a call: an answer after a while, or none. */
export interface Handled {
  readonly answer: PlatformAnswer | 'cut';
  readonly afterMs: number;
}

interface Stored {
  readonly id: string;
  readonly place: string;
  readonly key: string;
  isDeleted: boolean;
  readonly versions: (SurfaceMessage & { readonly by: string })[];
}

export class FakePlatform {
  private rules: PlatformRules;
  private readonly messages = new Map<string, Stored>();
  private readonly calls: RecordedCall[] = [];
  private readonly effects: Effect[] = [];
  private readonly violations: string[] = [];
  private readonly fetched: string[] = [];
  private readonly files = new Map<string, PutFile>();
  private readonly gonePlaces = new Set<string>();
  private readonly windows = new Map<string, { readonly since: number; count: number }>();
  private faults: { readonly fault: Fault; left: number }[] = [];

  /** `now` in milliseconds: what the windows of the rate limit are measured with. */
  constructor(
    private readonly now: () => number,
    rules: Partial<PlatformRules> = {},
  ) {
    this.rules = { ...defaultRules, ...rules };
  }

  get limits() {
    return this.rules;
  }

  handle(call: PlatformCall): Handled {
    const fault = this.faultFor(call);
    const answer = fault === 'refused' ? ({ status: 503 } as const) : this.answer(call);
    const isLost = fault === 'lost' && answer.status === 200;
    const isUnclear = fault === 'unclear' && answer.status === 200;
    const told = isLost ? 'cut' : isUnclear ? ({ status: 503 } as const) : answer;
    const kind = call.do === 'find' ? undefined : call.message.kind;
    const status = told === 'cut' ? 0 : told.status;
    this.calls.push({ by: call.by, do: call.do, place: call.place, kind, status });
    if (told !== 'cut' && told.status === 400) this.violations.push(`${call.do}: ${told.why ?? ''}`);
    return { answer: told, afterMs: this.rules.latencyMs + (fault === 'slow' ? 1_500 : 0) };
  }

  control(order: PlatformControl): void {
    switch (order.control) {
      case 'rules':
        this.rules = { ...this.rules, ...order.rules };
        return;
      case 'fault':
        this.faults.push({ fault: order.fault, left: order.fault.times });
        return;
      case 'delete_message': {
        const message = this.messages.get(order.id);
        if (message !== undefined) message.isDeleted = true;
        return;
      }
      case 'delete_place':
        this.gonePlaces.add(order.place);
        return;
      case 'put_file':
        this.files.set(order.file.id, order.file);
        return;
      case 'effect':
        this.effects.push(order.effect);
    }
  }

  state(): PlatformState {
    const { calls, effects, violations, fetched } = this;
    const messages: ShownMessage[] = [...this.messages.values()];
    return { messages, calls, effects, violations, fetched };
  }

  /** A file that is asked for, and what goes wrong with it this time. */
  file(id: string): { readonly file: PutFile | undefined; readonly how: PutFile['how'] } {
    const file = this.files.get(id);
    this.fetched.push(id);
    const times = this.fetched.filter((each) => each === id).length;
    return { file, how: times <= (file?.times ?? Number.POSITIVE_INFINITY) ? file?.how : undefined };
  }

  private answer(call: PlatformCall): PlatformAnswer {
    if (call.place.startsWith(missingPlace) || this.gonePlaces.has(call.place)) return { status: 404 };
    if (call.do === 'find') return this.found(call.key);
    const why = wrongWith(call.message, this.rules.maxChars);
    if (why !== undefined) return { status: 400, why };
    const retryAfterMs = this.wait(call.place);
    if (retryAfterMs > 0) return { status: 429, retryAfterMs };
    return call.do === 'post' ? this.post(call) : this.edit(call);
  }

  private post({ place, key, message, by }: Extract<PlatformCall, { do: 'post' }>): PlatformAnswer {
    if (key === '') return { status: 400, why: 'a post without a key' };
    const known = this.byKey(key);
    if (known !== undefined && this.rules.keys === 'refused') return { status: 200, id: known.id };
    const id = `m${this.messages.size + 1}`;
    this.messages.set(id, { id, place, key, isDeleted: false, versions: [{ ...message, by }] });
    return { status: 200, id };
  }

  private edit({ place, id, message, by }: Extract<PlatformCall, { do: 'edit' }>): PlatformAnswer {
    const known = this.messages.get(id);
    if (known === undefined || known.isDeleted || known.place !== place) return { status: 404 };
    known.versions.push({ ...message, by });
    return { status: 200, id };
  }

  private found(key: string): PlatformAnswer {
    const known = this.rules.keys === 'found' ? this.byKey(key) : undefined;
    return known === undefined || known.isDeleted ? { status: 200 } : { status: 200, id: known.id };
  }

  private byKey(key: string): Stored | undefined {
    return [...this.messages.values()].find((message) => message.key === key);
  }

  /** Counts a write; the wait until the next window when this one is full. */
  private wait(place: string): number {
    const { limit } = this.rules;
    if (limit === undefined) return 0;
    const now = this.now();
    const known = this.windows.get(place);
    const isOver = known === undefined || now >= known.since + limit.perMs;
    const window = isOver ? { since: now, count: 0 } : known;
    this.windows.set(place, window);
    if (window.count >= limit.calls) return window.since + limit.perMs - now;
    window.count += 1;
    return 0;
  }

  private faultFor(call: PlatformCall): Fault['how'] | undefined {
    const kind = call.do === 'find' ? undefined : call.message.kind;
    const armed = this.faults.find(
      ({ fault, left }) =>
        left > 0 && fault.on === call.do && (fault.kind === undefined || fault.kind === kind),
    );
    if (armed === undefined) return undefined;
    armed.left -= 1;
    return armed.fault.how;
  }
}

function wrongWith(message: SurfaceMessage, maxChars: number): string | undefined {
  if (message.text.trim() === '') return 'an empty text';
  if (message.text.length > maxChars)
    return `a text of ${message.text.length} characters where ${maxChars} fit`;
  if (!message.text.isWellFormed()) return 'half a character';
  if (message.card !== undefined && message.kind !== 'question')
    return 'buttons on a message that asks nothing';
  return undefined;
}
