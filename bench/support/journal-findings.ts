/** What the journal of a conversation says about messages that were numbered from 1 on. Pure. */
import type { JournalRecord } from '../../src/domain/journal.ts';
import { textOf } from '../../src/domain/message.ts';

export interface Findings {
  /** Messages recorded after a later one. */
  readonly broken: number;
  readonly lost: number;
  readonly doubled: number;
  /** Turns that began while another of a living process was under way. */
  readonly overlapping: number;
  /** Turns that ended with the process that was killed. */
  readonly cut: number;
}

/** `count` messages were sent. Turns are named after their process; `dead` is the one that was killed. */
export function findings(records: readonly JournalRecord[], count: number, dead: number): Findings {
  const found = { broken: 0, doubled: 0, overlapping: 0, cut: 0 };
  const seen = new Set<number>();
  let newest = 0;
  let running: string | undefined;
  for (const record of records) {
    if (record.type === 'turn/end') running = undefined;
    if (record.type === 'turn/start') {
      if (running?.startsWith(`${dead}-`)) found.cut += 1;
      else if (running !== undefined) found.overlapping += 1;
      running = record.turn;
    }
    if (record.type === 'user/message') {
      const number = Number(textOf(record.content));
      if (seen.has(number)) found.doubled += 1;
      else if (number < newest) found.broken += 1;
      seen.add(number);
      newest = Math.max(newest, number);
    }
  }
  return { ...found, lost: count - seen.size };
}

export function sumOf(all: readonly Findings[]): Findings {
  const sum = (kind: keyof Findings) => all.reduce((total, each) => total + each[kind], 0);
  return {
    broken: sum('broken'),
    lost: sum('lost'),
    doubled: sum('doubled'),
    overlapping: sum('overlapping'),
    cut: sum('cut'),
  };
}
