/** A chat platform in memory: strict about what it takes, forgetful about nothing. */
import type { SurfaceMessage } from '../../../src/domain/surface-message.ts';
import { bucket, fixedWindow, type LimitedPlace } from '../pace/platforms.ts';
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

const defaultRules: PlatformRules = { maxChars: 2_000, keys: 'refused', limits: {}, latencyMs: 1 };

/** Places whose name begins with this do not exist. */
export const missingPlace = 'nowhere';

/** What became of a call: an answer after a while, or none. */
export interface Handled {
  readonly answer: PlatformAnswer | 'cut';
  readonly afterMs: number;
}

type Version = SurfaceMessage & { readonly by: string };
type On<Do extends PlatformCall['do']> = Extract<PlatformCall, { readonly do: Do }>;

interface Stored {
  readonly id: string;
  readonly place: string;
  readonly key: string;
  isDeleted: boolean;
  isClosed: boolean;
  growsSince?: number;
  readonly versions: Version[];
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
  private readonly limited = new Map<string, LimitedPlace>();
  private faults: { readonly fault: Fault; left: number }[] = [];

  /** `now` in milliseconds: what limits and streams are measured with. */
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
    const told = this.told(call, fault);
    const status = told === 'cut' ? 0 : told.status;
    this.calls.push({ by: call.by, do: call.do, place: call.place, kind: this.kindOf(call), status });
    if (told !== 'cut' && told.status === 400) this.violations.push(`${call.do}: ${told.why ?? ''}`);
    return { answer: told, afterMs: this.rules.latencyMs + (fault?.how === 'slow' ? 1_500 : 0) };
  }

  control(order: PlatformControl): void {
    switch (order.control) {
      case 'rules':
        this.rules = { ...this.rules, ...order.rules };
        this.limited.clear();
        return;
      case 'fault':
        this.faults.push({ fault: order.fault, left: order.fault.times });
        return;
      case 'delete_message':
        this.change(order.id, (message) => {
          message.isDeleted = true;
        });
        return;
      case 'close_message':
        this.change(order.id, (message) => {
          message.isClosed = true;
          delete message.growsSince;
        });
        return;
      case 'end_stream':
        this.change(order.id, (message) => {
          delete message.growsSince;
        });
        return;
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

  private told(call: PlatformCall, fault: Fault | undefined): PlatformAnswer | 'cut' {
    if (fault?.how === 'refused') return { status: 503 };
    if (fault?.how === 'limited') {
      const { retryAfterMs } = fault;
      return { status: 429, ...(retryAfterMs !== undefined && { retryAfterMs }) };
    }
    const answer = this.answer(call);
    if (answer.status !== 200) return answer;
    if (fault?.how === 'lost') return 'cut';
    return fault?.how === 'unclear' ? { status: 503 } : answer;
  }

  private answer(call: PlatformCall): PlatformAnswer {
    if (call.place.startsWith(missingPlace) || this.gonePlaces.has(call.place)) return { status: 404 };
    if (call.do === 'find') return this.found(call.key);
    const why = 'message' in call ? wrongWith(call.message, this.rules) : undefined;
    if (why !== undefined) return { status: 400, why };
    const counted = this.count(call);
    if (counted.status === 429) return counted;
    const { rate } = counted;
    return { ...this.write(call), ...(rate !== undefined && { rate }) };
  }

  private write(call: Exclude<PlatformCall, { do: 'find' }>): PlatformAnswer {
    switch (call.do) {
      case 'post':
      case 'start':
        return this.post(call);
      case 'edit':
        return this.edit(call);
      case 'append':
      case 'stop':
        return this.grow(call);
      case 'remove':
        return this.remove(call);
    }
  }

  private post({ do: how, place, key, message, by }: On<'post' | 'start'>): PlatformAnswer {
    if (key === '') return { status: 400, why: 'a post without a key' };
    if (how === 'start' && this.rules.stream === undefined) return { status: 400, why: 'nothing grows here' };
    const known = this.byKey(key);
    if (known !== undefined && this.rules.keys === 'refused') return { status: 200, id: known.id };
    const id = `m${this.messages.size + 1}`;
    const stored: Stored = {
      id,
      place,
      key,
      isDeleted: false,
      isClosed: false,
      versions: [{ ...message, by }],
      ...(how === 'start' && { growsSince: this.now() }),
    };
    this.messages.set(id, stored);
    return { status: 200, id };
  }

  private edit({ place, id, message, by }: On<'edit'>): PlatformAnswer {
    const known = this.at(place, id);
    if (known === undefined) return { status: 404 };
    if (known.isClosed) return { status: 403 };
    if (this.grows(known)) return { status: 400, why: 'an edit of a message that grows' };
    delete known.growsSince;
    known.versions.push({ ...message, by });
    return { status: 200, id };
  }

  private grow(call: On<'append' | 'stop'>): PlatformAnswer {
    const { place, id, text, by } = call;
    const known = this.at(place, id);
    const last = known?.versions.at(-1);
    if (known === undefined || last === undefined) return { status: 404 };
    if (!this.grows(known)) return { status: 410 };
    if (call.do === 'append' && text === '') return { status: 400, why: 'nothing to append' };
    const grown = last.text + text;
    if (charsOf(grown, this.rules) > this.rules.maxChars) return { status: 400, why: 'it grew too long' };
    if (call.do === 'append') known.versions.push({ ...last, text: grown, by });
    else {
      known.versions.push({ ...call.message, text: grown, by });
      delete known.growsSince;
    }
    return { status: 200, id };
  }

  private remove({ place, id }: On<'remove'>): PlatformAnswer {
    const known = this.at(place, id);
    if (known === undefined) return { status: 404 };
    known.isDeleted = true;
    return { status: 200, id };
  }

  private found(key: string): PlatformAnswer {
    const known = this.rules.keys === 'found' ? this.byKey(key) : undefined;
    return known === undefined || known.isDeleted ? { status: 200 } : { status: 200, id: known.id };
  }

  private byKey(key: string): Stored | undefined {
    return [...this.messages.values()].find((message) => message.key === key);
  }

  private at(place: string, id: string): Stored | undefined {
    const known = this.messages.get(id);
    return known === undefined || known.isDeleted || known.place !== place ? undefined : known;
  }

  private grows({ growsSince }: Stored): boolean {
    const { livesMs = 0 } = this.rules.stream ?? {};
    return growsSince !== undefined && this.now() < growsSince + livesMs;
  }

  private count({ do: route, place }: Exclude<PlatformCall, { do: 'find' }>): PlatformAnswer {
    const limit = this.rules.limits[route];
    if (limit === undefined) return { status: 200 };
    const { calls, perMs, counted, per, tells } = limit;
    const name = JSON.stringify([route, per === 'place' ? place : '']);
    const known = this.limited.get(name) ?? (counted === 'window' ? fixedWindow : bucket)(calls, perMs);
    this.limited.set(name, known);
    const { isTaken, headers } = known.call(this.now());
    if (isTaken) return { status: 200, ...(tells === 'headers' && { rate: headers }) };
    const wait = counted === 'window' ? headers.resetAfterMs : Math.ceil(perMs / calls);
    return { status: 429, ...(tells !== 'nothing' && { retryAfterMs: wait }) };
  }

  private faultFor(call: PlatformCall): Fault | undefined {
    const kind = this.kindOf(call);
    const armed = this.faults.find(
      ({ fault, left }) =>
        left > 0 && fault.on === call.do && (fault.kind === undefined || fault.kind === kind),
    );
    if (armed === undefined) return undefined;
    armed.left -= 1;
    return armed.fault;
  }

  private kindOf(call: PlatformCall): SurfaceMessage['kind'] | undefined {
    if ('message' in call) return call.message.kind;
    return call.do === 'find' ? undefined : this.messages.get(call.id)?.versions.at(-1)?.kind;
  }

  private change(id: string, by: (message: Stored) => void): void {
    const message = this.messages.get(id);
    if (message !== undefined) by(message);
  }
}

function wrongWith(message: SurfaceMessage, rules: PlatformRules): string | undefined {
  if (message.text.trim() === '') return 'an empty text';
  const chars = charsOf(message.text, rules);
  if (chars > rules.maxChars) return `a text of ${chars} characters where ${rules.maxChars} fit`;
  if (!message.text.isWellFormed()) return 'half a character';
  if (message.card !== undefined && message.kind !== 'question')
    return 'buttons on a message that asks nothing';
  return undefined;
}

function charsOf(text: string, { unit }: PlatformRules): number {
  return unit === 'code points' ? [...text].length : text.length;
}
