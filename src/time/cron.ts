/**
 * Cron expressions of five fields on the wall clock of a zone. The parser counts on an even calendar (UTC) and the zone
 * is applied afterwards: left to itself the parser leaves out a daily time that falls into a half-hour or midnight
 * jump of the clocks (Lord Howe, Chatham, Santiago).
 */
import { CronExpressionParser } from 'cron-parser';
import { instantOf, offsetMs, wallTime } from './zone.ts';

/** More than any zone's clocks jump by, but for those that once skipped a day. Unit: milliseconds. */
const reachMs = 3 * 3_600_000;
const dayMs = 24 * 3_600_000;

const names = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat|l)$/i;

/** Why an expression cannot be used; undefined when it can. */
export function cronProblem(expr: string): string | undefined {
  const fields = fieldsOf(expr);
  if (fields.length !== 5) return `it has ${fields.length} of the five fields minute hour day month weekday`;
  // The parser also knows `H`, a random number: the next time must be the same whoever asks.
  const unknown = expr.match(/[a-z]+/gi)?.find((word) => !names.test(word));
  if (unknown !== undefined) return `"${unknown}" is no name of a month or weekday`;
  try {
    nextWall(expr, 0);
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return why.includes('loop limit') ? 'no such day ever comes' : why;
  }
}

/** The first time after `after`. Units: milliseconds since 1970. Throws when the expression cannot be used. */
export function nextCronTime(expr: string, tz: string, after: number): number {
  const wall = nextWall(expr, wallTime(after, tz));
  const at = instantOf(wall, tz);
  if (isEven(after, tz) && wallTime(at, tz) === wall) return at;
  const near = instantsNear(expr, tz, wallTime(after, tz), wall);
  return Math.min(...near.filter((each) => each > after));
}

/** The last time not after `until`. Units: milliseconds since 1970. Throws when the expression cannot be used. */
export function lastCronTime(expr: string, tz: string, until: number): number {
  const wall = parse(expr, wallTime(until, tz) + 1_000)
    .prev()
    .getTime();
  const at = instantOf(wall, tz);
  if (isEven(until, tz) && isEven(at, tz) && at <= until) return at;
  const certain = parse(expr, wallTime(until, tz) - reachMs)
    .prev()
    .getTime();
  const near = instantsNear(expr, tz, certain, wallTime(until, tz));
  return Math.max(...near.filter((each) => each <= until));
}

/** Whether two firings are ever closer than `gapMs`, as far as the first 600 (two days of every 5 minutes) show it. */
export function firesWithin(expr: string, gapMs: number): boolean {
  let wall = nextWall(expr, 0);
  const until = wall + 62 * dayMs;
  for (let firings = 0; firings < 600 && wall < until; firings += 1) {
    const next = nextWall(expr, wall);
    if (next - wall < gapMs) return true;
    wall = next;
  }
  return false;
}

/** No jump of the clocks just before. */
function isEven(at: number, tz: string): boolean {
  return offsetMs(at - reachMs, tz) === offsetMs(at, tz);
}

/** Where the clocks jump, the order of wall times is not the order of instants: all that are near, to compare. */
function instantsNear(expr: string, tz: string, fromWall: number, toWall: number): number[] {
  const near: number[] = [];
  let wall = nextWall(expr, fromWall - reachMs);
  while (wall <= toWall + reachMs) {
    near.push(instantOf(wall, tz));
    wall = nextWall(expr, wall);
  }
  // Nothing else comes after an hour that is left out: the wall time behind it is the next.
  return [...near, instantOf(wall, tz)];
}

function nextWall(expr: string, after: number): number {
  return parse(expr, after).next().getTime();
}

function parse(expr: string, from: number) {
  return CronExpressionParser.parse(fieldsOf(expr).join(' '), { tz: 'UTC', currentDate: new Date(from) });
}

function fieldsOf(expr: string): string[] {
  return expr.split(/\s+/).filter((field) => field !== '');
}
