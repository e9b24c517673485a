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
  const wrong: string[] = [];
  let checked = 0;
  for (let at = 0; at < 2_500; at++) {
    const task = sumTask();
    const lesson = talk();
    lesson.says(task);
    const { answer } = lesson;
    if (/divide by zero|too many|too large|more than one way/.test(answer)) continue;
    const claims = claimsIn(answer);
    wrong.push(
      ...claims.filter((claim) => !equals(claim, '', new Fraction(0))).map((claim) => `${task}: ${claim}`),
    );
    // What stands in bold is the value of the task itself.
    const value = /\*\*.*= (\S+)\*\*/.exec(answer)?.[1];
    if (value !== undefined && !valueOf(value).equals(valueOf(task))) wrong.push(`${task} is not ${value}`);
    checked += claims.length;
  }
  expect(wrong).toEqual([]);
  expect(checked).toBeGreaterThan(2_500);
}, 120_000);

test('every step of 2,500 equations keeps the solution', () => {
  const wrong: string[] = [];
  let checked = 0;
  for (let at = 0; at < 2_500; at++) {
    const task = `${side()} = ${side()}`;
    if (!task.includes('x')) continue;
    const lesson = talk();
    lesson.says(task);
    const solution = /\*\*x = (\S+)\*\*/.exec(lesson.answer)?.[1];
    const found =
      solution === undefined ? withoutSolution(task, lesson.answer) : solved(task, solution, lesson.answer);
    wrong.push(...found.wrong.map((line) => `${task}: ${line}`));
    checked += found.checked;
  }
  expect(wrong).toEqual([]);
  expect(checked).toBeGreaterThan(5_000);
}, 120_000);

interface Found {
  readonly checked: number;
  readonly wrong: readonly string[];
}

function solved(task: string, solution: string, answer: string): Found {
  const x = valueOf(solution);
  const steps = [task, ...[...answer.matchAll(/^\d+\. .*: (.*=.*)$/gm)].map(([, step]) => step ?? '')];
  const check = /left side (.*), right side (.*) ✓/.exec(answer)?.slice(1) ?? ['no check = 1'];
  const wrong = [
    ...steps.filter((step) => !equals(step, 'x', x)),
    ...check.filter((each) => !equals(each, '', x)),
  ];
  return { checked: steps.length, wrong };
}

/** No number solves it, or every one does: then both sides differ by the same everywhere. */
function withoutSolution(task: string, answer: string): Found {
  const [left = '', right = ''] = task.split('=');
  const [one, seven] = [1, 7].map((x) => {
    const at = new Fraction(x);
    return valueOf(left, 'x', at).sub(valueOf(right, 'x', at));
  });
  const said = one?.equals(0) === true ? 'Every number is a solution' : 'No solution';
  const isRight = one !== undefined && seven !== undefined && one.equals(seven) && answer.includes(said);
  return { checked: 1, wrong: isRight ? [] : [`not "${said}"`] };
}
