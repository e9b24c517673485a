/** The meter behind `/metrics`: prom-client on a registry of its own, loaded only when a process is to be watched. */
import type { Counter, Gauge, Histogram } from 'prom-client';
import type { CountName, DurationName, LevelName, Meter } from '../ports/meter.ts';
import type { Clock } from '../ports/runtime.ts';

export interface Metrics extends Meter {
  readonly contentType: string;
  /** Everything, in the text form of Prometheus. Takes a second at most, whatever the readers of `watch` do. */
  text(): Promise<string>;
}

const READER_LIMIT_MS = 1_000;

export async function createMetrics(clock: Clock): Promise<Metrics> {
  // A CommonJS package: bundled, its names stand below `default`.
  const loaded = await import('prom-client');
  const prometheus = 'Registry' in loaded ? loaded : (loaded as { default: typeof loaded }).default;
  const registry = new prometheus.Registry();
  const registers = [registry];

  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new prometheus.Counter({ name: `docent_${name}_total`, help, labelNames, registers });
  const counters: Readonly<Record<CountName, Counter>> = {
    turns: counter('turns', 'Turns that ended, by outcome; paused ones wait for an answer.', 'outcome'),
    rounds: counter('rounds', 'Model calls with the calls of tools they asked for.'),
    tokens: counter('tokens', 'Tokens of the model, as it reports them.', 'kind'),
    edits: counter('edits', 'Messages changed on a surface.', 'surface'),
    votes: counter('votes', 'Votes on answers, changes of mind included.', 'vote'),
    rate_limited: counter('rate_limited', 'Times a surface asked to slow down (429).', 'surface'),
  };

  const histogram = (name: string, help: string, buckets: number[]) =>
    new prometheus.Histogram({ name: `docent_${name}_seconds`, help, buckets, registers });
  const durations: Readonly<Record<DurationName, Histogram>> = {
    ack: histogram(
      'ack',
      'From the arrival of a message until it is stored.',
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    ),
    first_text: histogram(
      'first_text',
      'From the claim of a turn to the first text of its answer on the surface.',
      [0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120],
    ),
    turn: histogram(
      'turn',
      'From the claim of a turn to its commit.',
      [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1200],
    ),
    model: histogram('model', 'One streamed model call.', [0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300]),
  };

  const level = (name: string, help: string) => {
    const gauge = new prometheus.Gauge({ name: `docent_${name}`, help, registers });
    gauge.remove(); // nothing is known before it is read: 0 would be a claim
    return gauge;
  };
  /** `scale`: one of the reader's units in the unit that is shown. */
  const levels: Readonly<Record<LevelName, { readonly gauge: Gauge; readonly scale: number }>> = {
    queue_depth: { gauge: level('queue_depth', 'Conversations with something to do.'), scale: 1 },
    queue_oldest_age: {
      gauge: level('queue_oldest_age_seconds', 'How long the first of them has waited.'),
      scale: 1e-3,
    },
    open_pauses: { gauge: level('open_pauses', 'Questions that wait for an answer.'), scale: 1 },
  };
  const readers = new Map<LevelName, () => Promise<number>>();

  return {
    contentType: registry.contentType,
    count: (name, labels, by = 1) => counters[name].inc(labels, by),
    time: (name, ms) => durations[name].observe(ms / 1000),
    watch: (name, read) => void readers.set(name, read),
    async text() {
      await Promise.all(
        [...readers].map(async ([name, read]) => {
          const { gauge, scale } = levels[name];
          const value = await valueOf(read, clock);
          if (value === undefined) gauge.remove();
          else gauge.set(value * scale);
        }),
      );
      return registry.metrics();
    },
  };
}

/** `undefined` when the reader fails or takes too long: what it reads is away, and `/readyz` says so. */
async function valueOf(read: () => Promise<number>, clock: Clock): Promise<number | undefined> {
  let cancel = () => {};
  const late = new Promise<undefined>((resolve) => {
    cancel = clock.after(READER_LIMIT_MS, () => resolve(undefined));
  });
  try {
    return await Promise.race([read(), late]);
  } catch {
    return undefined; // whoever owns what was read logs why it is away
  } finally {
    cancel();
  }
}
