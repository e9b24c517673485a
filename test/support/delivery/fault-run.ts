/**
 * One answer on a platform and in processes where everything that can go wrong does, by a seed: writes are refused, lost
 * after they happened, answered late; the ledger fails; streams end; messages refuse to be edited; workers die at any
 * call, or are taken over while they still run. Virtual time; whoever goes on does what a worker of the product does.
 */
import { LiveMessage } from '../../../src/delivery/live-message.ts';
import { localRateBudgets } from '../../../src/delivery/local-rate-budgets.ts';
import { ConversationId, TurnId } from '../../../src/domain/ids.ts';
import type { SurfaceMessage } from '../../../src/domain/surface-message.ts';
import type { RateBudgets } from '../../../src/ports/rate-budget.ts';
import { memoryConversations } from '../../../src/store/memory.ts';
import { type Chance, chance } from '../chance.ts';
import { type ManualClock, manualClock } from '../clock.ts';
import { quietLog } from '../quiet-log.ts';
import { inProcessSurface } from '../surface/in-process.ts';
import { FakePlatform } from '../surface/platform.ts';
import type { Fault, PlatformLimit, PlatformRules } from '../surface/platform-calls.ts';

export interface FaultRun {
  /** What the answer was to be, page by page. */
  readonly wanted: readonly string[];
  /** What can be read in the end, message by message. */
  readonly shown: readonly string[];
  readonly violations: readonly string[];
  /** A message refused to be edited: what followed it stands below the others. */
  readonly wasClosed: boolean;
  /** Messages that still grow. */
  readonly growing: number;
  /** Refusals that no fault made: the bot asked too much. */
  readonly provoked: number;
  readonly faults: number;
  /** Workers that died or were taken over. */
  readonly workers: number;
}

const place = 'room';
const conversation = ConversationId('fake:room');
const turn = TurnId('t');
const wordsPerPage = 20;
const maxPages = 4;

export async function faultRun(seed: number): Promise<FaultRun> {
  const random = chance(seed);
  const world = new World(random);
  const wanted = await world.answer();
  const { messages, calls, violations } = world.platform.state();
  const visible = messages.filter(({ isDeleted }) => !isDeleted);
  return {
    wanted,
    shown: visible.map(({ versions }) => versions.at(-1)?.text ?? ''),
    violations,
    wasClosed: world.wasClosed,
    growing: visible.filter(({ growsSince }) => growsSince !== undefined).length,
    provoked: calls.filter(({ status }) => status === 429).length - world.limited,
    faults: world.faults,
    workers: world.workers,
  };
}

class World {
  readonly clock: ManualClock = manualClock();
  readonly platform: FakePlatform;
  readonly budgets: RateBudgets;
  readonly store = memoryConversations(this.clock);
  faults = 0;
  limited = 0;
  workers = 0;
  /** What the model has said so far; a worker that goes on says it again. */
  private text: readonly string[] = [];
  private readonly texts: (readonly string[])[] = [];
  private readonly deaths: number;
  private closings = 2;
  wasClosed = false;

  constructor(readonly random: Chance) {
    this.platform = new FakePlatform(() => this.clock.now(), rules(random));
    this.budgets = localRateBudgets(this.clock);
    this.deaths = random.upTo(4);
  }

  /** Gives back the pages of the whole answer, when the last worker has called them settled. */
  async answer(): Promise<readonly string[]> {
    const steps = 4 + this.random.upTo(12);
    let stalled: Worker | undefined;
    for (let step = 0; ; ) {
      const worker = await this.startWorker();
      for (; step < steps && !worker.isOver; step++) {
        this.text = this.spoken(step);
        worker.show(pagesOf(this.text), 'live');
        // One that was taken over and does not know goes on with a text of its own.
        stalled?.show(pagesOf([...this.text, 'stale']), 'live');
        await this.clock.advance(this.random.upTo(2_500));
        if (this.random.percent(4)) break;
      }
      stalled = worker;
      if (step < steps) continue;
      const pages = pagesOf(this.text);
      if (await worker.finish(pages)) return pages;
    }
  }

  async startWorker(): Promise<Worker> {
    this.workers += 1;
    const mayDie = this.workers <= this.deaths;
    const claim = await this.store.claim(conversation);
    return new Worker(this, claim.ledger(turn), mayDie ? 1 + this.random.upTo(60) : Number.POSITIVE_INFINITY);
  }

  /** Text grows, is sometimes taken back, and sometimes reads as it did before. */
  private spoken(step: number): readonly string[] {
    this.texts.push(this.text);
    if (this.random.percent(8)) return this.random.of(this.texts.slice(-2));
    const kept = this.random.percent(12) ? this.text.slice(0, this.random.upTo(this.text.length)) : this.text;
    const more = Array.from({ length: 1 + this.random.upTo(9) }, (_, index) => `w${step}.${index}`);
    return [...kept, ...more].slice(0, wordsPerPage * maxPages);
  }

  /** Before a call to the platform. */
  disturb(on: Fault['on']): void {
    const { random } = this;
    if (on !== 'find' && random.percent(3)) this.endStream();
    if (on === 'edit' && this.closings > 0 && random.percent(3)) this.closeOne();
    if (!random.percent(25)) return;
    const how = random.of(['refused', 'unclear', 'lost', 'slow', 'limited'] as const);
    const wait = random.of([
      {},
      { retryAfterMs: 300 },
      { retryAfterMs: 20_000 },
      { retryAfterMs: 3_600_000 },
    ]);
    this.faults += 1;
    if (how === 'limited') this.limited += 1;
    this.platform.control({ control: 'fault', fault: { on, how, times: 1, ...(how === 'limited' && wait) } });
  }

  private closeOne(): void {
    this.closings -= 1;
    this.wasClosed = true;
    const { id } = this.random.of(this.platform.state().messages);
    this.platform.control({ control: 'close_message', id });
  }

  private endStream(): void {
    const growing = this.platform.state().messages.find(({ growsSince }) => growsSince !== undefined);
    if (growing !== undefined) this.platform.control({ control: 'end_stream', id: growing.id });
  }
}

type Ledger = ConstructorParameters<typeof LiveMessage>[0]['ledger'];

class Worker {
  private readonly pages = new Map<number, LiveMessage>();
  private readonly stopper = new AbortController();
  private calls = 0;

  /** It dies at the `diesAt`th call that leaves it, before that has an effect or after. */
  constructor(
    private readonly world: World,
    private readonly ledger: Ledger,
    private readonly diesAt: number,
  ) {}

  get isOver(): boolean {
    return this.calls >= this.diesAt;
  }

  show(pages: readonly string[], state: SurfaceMessage['state']): void {
    if (this.isOver) return;
    for (let index = 0; index < maxPages; index++) {
      const text = pages[index];
      const isLast = index === pages.length - 1;
      if (text === undefined) this.page(index).remove();
      else this.page(index).set({ kind: 'answer', state: isLast ? state : 'final', text });
    }
  }

  /** Whether people see it all. */
  async finish(pages: readonly string[]): Promise<boolean> {
    this.show(pages, 'final');
    const outcomes: boolean[] = [];
    void Promise.all([...this.pages.values()].map((page) => page.settle())).then(
      () => outcomes.push(true),
      () => outcomes.push(false),
    );
    while (outcomes.length === 0 && !this.isOver) await this.world.clock.advance(5_000);
    const isShown = outcomes[0] === true;
    if (!isShown && !this.isOver) this.stopper.abort(new Error('this process ends'));
    return isShown;
  }

  private page(index: number): LiveMessage {
    const { clock, budgets, platform } = this.world;
    const slot = `answer:1.${index + 1}`;
    const surface = this.mortal(inProcessSurface(platform, clock)(place), (method) => {
      this.world.disturb(method as Fault['on']);
    });
    const known =
      this.pages.get(index) ??
      new LiveMessage({
        surface: {
          ...surface,
          ...(surface.stream !== undefined && {
            stream: this.mortal(surface.stream, (method) => this.world.disturb(method as Fault['on'])),
          }),
        },
        budgets: { budget: (named) => this.mortal(budgets.budget(named), () => {}) },
        ledger: this.mortal(this.ledger, (method) => this.failLedger(method)),
        slot,
        key: `fake:room:t:${slot}`,
        ...(index > 0 && { after: this.page(index - 1) }),
        clock,
        log: quietLog,
        signal: this.stopper.signal,
      });
    this.pages.set(index, known);
    return known;
  }

  private failLedger(method: string): void {
    if (method === 'get' || !this.world.random.percent(3)) return;
    this.world.faults += 1;
    throw new Error('the store is away');
  }

  /** The same port; from its death on nothing of a worker happens any more. */
  private mortal<Port extends object>(port: Port, disturb: (method: string) => void): Port {
    const { random } = this.world;
    const wrapped = Object.entries(port).map(([method, value]: [string, unknown]) => {
      if (typeof value !== 'function') return [method, value];
      const call = async (...args: readonly unknown[]): Promise<unknown> => {
        this.calls += 1;
        const isNow = this.calls === this.diesAt;
        if (this.calls > this.diesAt || (isNow && random.percent(50))) return new Promise(() => {});
        disturb(method);
        const isLate = random.percent(50);
        const result: unknown = isLate
          ? await Reflect.apply(value, port, args)
          : Reflect.apply(value, port, args);
        const settled: unknown = await result;
        return this.calls >= this.diesAt ? new Promise(() => {}) : settled;
      };
      return [method, call];
    });
    return Object.fromEntries(wrapped) as Port;
  }
}

function rules(random: Chance): Partial<PlatformRules> {
  const counted = random.of(['window', 'bucket'] as const);
  const limit = (calls: number, perMs: number, tells: PlatformLimit['tells']): PlatformLimit => ({
    calls,
    perMs,
    counted,
    per: random.of(['place', 'workspace'] as const),
    tells,
  });
  const latencyMs = random.of([1, 40, 150, 400]);
  if (random.percent(50)) {
    const tells = random.of(['headers', 'headers', 'wait'] as const);
    const limits = {
      post: limit(5, 5_000, tells),
      edit: limit(5, 5_000, tells),
      remove: limit(5, 5_000, tells),
    };
    return { keys: 'refused', latencyMs, limits };
  }
  const limits = {
    post: limit(60, 60_000, 'wait'),
    edit: limit(50, 60_000, 'wait'),
    start: limit(20, 60_000, 'wait'),
    append: limit(100, 60_000, 'wait'),
    stop: limit(20, 60_000, 'wait'),
  };
  const stream = { livesMs: 20_000, maxMs: 16_000 };
  return {
    keys: random.of(['found', 'refused'] as const),
    latencyMs,
    limits,
    ...(random.percent(75) && { stream }),
  };
}

function pagesOf(words: readonly string[]): readonly string[] {
  const count = Math.ceil(words.length / wordsPerPage);
  return Array.from({ length: count }, (_, index) =>
    words.slice(index * wordsPerPage, (index + 1) * wordsPerPage).join(' '),
  );
}
