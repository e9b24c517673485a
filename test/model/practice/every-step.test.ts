// Every line of 5,000 worked tasks, worked out again by an evaluator that shares nothing with the product's.
import { Fraction } from 'fraction.js';
import { expect, test } from 'vitest';
import { chance } from '../../support/chance.ts';
import { talk } from './talk.ts';

/** The value of `2 × (3 + 4)^2 - 1/3`, with `letter` standing for `at`. Throws for what it cannot read. */
function valueOf(text: string, letter = '', at = new Fraction(0)): Fraction {
  const tokens = text.match(/\d+(?:\.\d+)?|[a-z]|\S/gi) ?? [];
  let place = 0;
  const sum = (): Fraction => {
    let value = product();
    for (let sign = tokens[place]; sign === '+' || sign === '-' || sign === '−'; sign = tokens[place]) {
      place += 1;
      value = sign === '+' ? value.add(product()) : value.sub(product());
    }
    return value;
  };
  const product = (): Fraction => {
    let value = signed();
    for (;;) {
      const sign = tokens[place];
      if (sign === '×' || sign === '*') {
        place += 1;
        value = value.mul(signed());
      } else if (sign === '/') {
        place += 1;
        value = value.div(signed());
      } else if (sign === '(' || (sign !== undefined && /^[a-z\d]/i.test(sign))) value = value.mul(power());
      else return value;
    }
  };
  const signed = (): Fraction => {
    if (tokens[place] !== '-' && tokens[place] !== '−') return power();
    place += 1;
    return signed().neg();
  };
  const power = (): Fraction => {
    const base = atom();
    if (tokens[place] !== '^') return base;
    place += 1;
    const exponent = signed();
    return base.pow(exponent) ?? fail();
  };
  const atom = (): Fraction => {
    const token = tokens[place++];
    if (token === '(') {
      const value = sum();
      if (tokens[place++] !== ')') fail();
      return value;
    }
    if (token === letter && letter !== '') return at;
    if (token === undefined || !/^\d/.test(token)) return fail();
    return new Fraction(token);
  };
  const fail = (): never => {
    throw new Error(`cannot read ${text}`);
  };
  const value = sum();
  return place === tokens.length ? value : fail();
}

const random = chance(20_261_130);
const pick = (from: number, to: number) => from + random.upTo(to - from);
const number = () => (pick(0, 5) === 0 ? `${pick(1, 9)}/${pick(2, 12)}` : String(pick(1, 60)));

function sumTask(depth = pick(1, 3)): string {
  if (depth === 0) return number();
  const sign = ['+', '-', '*', '/'][pick(0, 3)] ?? '+';
  const [left, right] = [sumTask(depth - 1), sumTask(pick(0, depth - 1))];
  return `(${left}) ${sign} (${right})`.replaceAll(/\((\d+)\)/g, '$1');
}

function side(): string {
  const terms = Array.from({ length: pick(1, 3) }, () =>
    pick(0, 1) === 0
      ? `${pick(2, 12)}x`
      : pick(0, 3) === 0
        ? `${pick(2, 5)}(x + ${pick(1, 9)})`
        : String(pick(1, 40)),
  );
  return terms.join(pick(0, 1) === 0 ? ' + ' : ' - ');
}

const equals = (line: string, letter: string, at: Fraction) => {
  const values = line.split('=').map((part) => valueOf(part, letter, at));
  return values.every((value) => value.equals(values[0] ?? new Fraction(0)));
};

/** Lines that claim something, without their numbering, what is said of them and what they lead to. */
function claimsIn(answer: string): string[] {
  return answer
    .split('\n')
    .filter((line) => line.includes('=') && !line.startsWith('>') && !line.includes('≈'))
    .flatMap((line) =>
      line
        .replace(/^\d+\. /, '')
        .replaceAll('**', '')
        .split(' → ')
        .slice(0, 1),
    )
    .map((line) => line.replace(/^(?:Check: |.*?: (?=[^:]*=))/, '').replace(/ ✓$/, ''));
}

test('every line of 2,500 sums is true', () => {
  let checked = 0;
  for (let at = 0; at < 2_500; at++) {
    const task = sumTask();
    const lesson = talk();
    lesson.says(task);
    const { answer } = lesson;
    if (/divide by zero|too many|too large|more than one way/.test(answer)) continue;
    const claims = claimsIn(answer);
    for (const claim of claims)
      expect([task, claim, equals(claim, '', new Fraction(0))]).toEqual([task, claim, true]);
    // The first line is the task itself, or it reads the same.
    const value = /\*\*.*= (\S+)\*\*/.exec(answer)?.[1];
    if (value !== undefined)
      expect([task, valueOf(value).toFraction()]).toEqual([task, valueOf(task).toFraction()]);
    checked += claims.length;
  }
  expect(checked).toBeGreaterThan(2_500);
}, 120_000);

test('every step of 2,500 equations keeps the solution', () => {
  let checked = 0;
  for (let at = 0; at < 2_500; at++) {
    const task = `${side()} = ${side()}`;
    if (!task.includes('x')) continue;
    const lesson = talk();
    lesson.says(task);
    const { answer } = lesson;
    const solution = /\*\*x = (\S+)\*\*/.exec(answer)?.[1];
    if (solution === undefined) {
      const [left = '', right = ''] = task.split('=');
      const difference = (x: number) =>
        valueOf(left, 'x', new Fraction(x)).sub(valueOf(right, 'x', new Fraction(x)));
      // No solution, or every number is one: then both sides differ by the same everywhere.
      expect([task, difference(1).equals(difference(7))]).toEqual([task, true]);
      expect(answer).toContain(difference(1).equals(0) ? 'Every number is a solution' : 'No solution');
      continue;
    }
    const x = valueOf(solution);
    expect([task, equals(task, 'x', x)]).toEqual([task, true]);
    const steps = [...answer.matchAll(/^\d+\. .*: (.*=.*)$/gm)].map(([, step]) => step ?? '');
    for (const step of steps) expect([task, step, equals(step, 'x', x)]).toEqual([task, step, true]);
    const check = /left side (.*), right side (.*) ✓/.exec(answer);
    expect([task, check?.slice(1).every((each) => equals(each, '', x))]).toEqual([task, true]);
    checked += steps.length;
  }
  expect(checked).toBeGreaterThan(5_000);
}, 120_000);
