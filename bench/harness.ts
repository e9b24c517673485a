/**
 * Measures one row: product and anchor by turns, paired per round, so that whatever slows the machine slows both. What
 * is compared is the median of the paired ratios; figures of a single run mean nothing on their own.
 */

export type Mode = 'quick' | 'full';

export interface Row {
  readonly id: string;
  /** What is measured, of what against what, with the unit of `product` and `anchor`. */
  readonly metric: string;
  /** `cpu` moves little on a busy machine; `wall` moves much; `exact` is the same everywhere. Decides what is gated. */
  readonly kind: 'cpu' | 'wall' | 'exact';
  /** For the ratio product / anchor. */
  readonly goal: number;
  readonly bound: 'max' | 'min';
  /** Samples of either side that are thrown away first: until compiled code is in place, costs fall. */
  readonly warmUps: Readonly<Record<Mode, number>>;
  readonly rounds: Readonly<Record<Mode, number>>;
  /** Starts what the row needs. */
  open(mode: Mode): Promise<Pair | NotHere>;
}

/** The two things compared. Each call takes one sample, in the unit of the row. */
export interface Pair {
  product(): Promise<number>;
  anchor(): Promise<number>;
  /** What else was seen, for the reader. */
  readonly detail?: string;
  close(): Promise<void>;
}

/** Something the row needs is missing on this machine; the text says what and how to get it. */
export interface NotHere {
  readonly notHere: string;
}

export interface RowResult {
  readonly id: string;
  readonly metric: string;
  readonly product: number | null;
  readonly anchor: number | null;
  readonly ratio: number | null;
  readonly goal: number;
  readonly bound: 'max' | 'min';
  /** A missed goal makes the run fail. */
  readonly gated: boolean;
  readonly status: 'pass' | 'fail' | 'noisy' | 'skipped';
  readonly reason: string | null;
  /** What else was seen. */
  readonly detail: string | null;
  /** Rounds measured. */
  readonly n: number;
  readonly ratioMin: number | null;
  readonly ratioMax: number | null;
}

export interface RunOptions {
  readonly mode: Mode;
  /** CPU rows pass at goal × tolerance (goal / tolerance for a minimum). */
  readonly tolerance: number;
  /** A line for whoever waits. */
  readonly progress: (line: string) => void;
}

interface Samples {
  readonly product: readonly number[];
  readonly anchor: readonly number[];
}

/** An anchor that moves more than this over the rounds says that the machine was busy with something else. */
const maxAnchorDrift = 2.5;

/** Never throws: a measurement that breaks is a failed row, because nothing is known about its goal. */
export async function measureRow(row: Row, options: RunOptions): Promise<RowResult> {
  try {
    const pair = await row.open(options.mode);
    if ('notHere' in pair) return { ...blank(row, options), status: 'skipped', reason: pair.notHere };
    try {
      return { ...(await measurePair(row, pair, options)), detail: pair.detail ?? null };
    } finally {
      await pair.close();
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      ...blank(row, options),
      gated: true,
      status: 'fail',
      reason: `the measurement broke: ${why}`,
    };
  }
}

async function measurePair(row: Row, pair: Pair, options: RunOptions): Promise<RowResult> {
  for (let warmUp = 0; warmUp < row.warmUps[options.mode]; warmUp++) {
    await pair.product();
    await pair.anchor();
  }
  const first = await sample(row, pair, options);
  if (!isNoisy(first)) return judge(row, first, options);
  options.progress(`${row.id}: the anchor moved too much, measuring once more`);
  return judge(row, await sample(row, pair, options), options);
}

async function sample(row: Row, pair: Pair, { mode, progress }: RunOptions): Promise<Samples> {
  const product: number[] = [];
  const anchor: number[] = [];
  for (let round = 1; round <= row.rounds[mode]; round++) {
    // Taking turns at going first keeps a drift of the machine out of the ratio.
    if (round % 2 === 1) product.push(await pair.product());
    anchor.push(await pair.anchor());
    if (round % 2 === 0) product.push(await pair.product());
    progress(
      `${row.id} ${round}/${row.rounds[mode]}: ${rounded(product.at(-1))} / ${rounded(anchor.at(-1))}`,
    );
  }
  return { product, anchor };
}

/** What the samples say about the goal. Pure. */
export function judge(row: Row, samples: Samples, options: Omit<RunOptions, 'progress'>): RowResult {
  const ratios = samples.product.map((value, round) => value / (samples.anchor[round] ?? Number.NaN));
  const ratio = median(ratios);
  const measured = {
    ...blank(row, options),
    product: rounded(median(samples.product)),
    anchor: rounded(median(samples.anchor)),
    ratio: rounded(ratio),
    n: ratios.length,
    ratioMin: rounded(Math.min(...ratios)),
    ratioMax: rounded(Math.max(...ratios)),
  };
  if (isNoisy(samples)) {
    return { ...measured, status: 'noisy', reason: 'the anchor moved too much, twice: the machine is busy' };
  }
  const tolerance = row.kind === 'cpu' ? options.tolerance : 1;
  const atMost = row.bound === 'max';
  const limit = atMost ? row.goal * tolerance : row.goal / tolerance;
  const meets = (bound: number) => (atMost ? ratio <= bound : ratio >= bound);
  if (meets(row.goal)) return { ...measured, status: 'pass', reason: null };
  const side = atMost ? 'above' : 'below';
  if (meets(limit)) {
    return { ...measured, status: 'pass', reason: `${side} the goal, within the tolerance of ${tolerance}` };
  }
  const ungated = measured.gated ? '' : '; wall time is not gated in this mode';
  return { ...measured, status: 'fail', reason: `${side} ${rounded(limit)}${ungated}` };
}

/** Half a dozen samples and their ratios need no better estimate. Throws for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new Error('no samples');
  return (lower + upper) / 2;
}

function isNoisy({ anchor }: Samples): boolean {
  return Math.max(...anchor) > Math.min(...anchor) * maxAnchorDrift;
}

function blank(row: Row, { mode }: Pick<RunOptions, 'mode'>) {
  const { id, metric, goal, bound, kind } = row;
  const gated = mode === 'full' || kind !== 'wall';
  const unknown = {
    product: null,
    anchor: null,
    ratio: null,
    detail: null,
    n: 0,
    ratioMin: null,
    ratioMax: null,
  };
  return { id, metric, goal, bound, gated, ...unknown };
}

/** Four digits are more than a measurement knows. */
function rounded(value = Number.NaN): number {
  return Number(value.toPrecision(4));
}
