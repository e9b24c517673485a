/** English. */
import type { CannotReason } from '../../maths/cannot.ts';
import type { Words } from './words.ts';

const reasons: Readonly<Record<CannotReason, (detail: string) => string>> = {
  empty: () => 'There is nothing to work out yet.',
  too_long: (limit) => `That is too long for me: I read up to ${limit}.`,
  too_deep: (limit) => `Those are too many brackets inside one another: I follow up to ${limit}.`,
  unknown_sign: (sign) => `I do not know the sign “${sign}” here.`,
  unknown_word: (word) => `I do not know “${word}” in a sum.`,
  unclear_number: (number) => `I cannot tell which number “${number}” is. Write it like 1234.56.`,
  adjacent_numbers: (number) => `A sign is missing before “${number}”.`,
  unclear_percent: () => 'I read % as “percent”, so a sign such as × is missing after it.',
  unfinished: (text) => `Something is missing in “${text}”: a number, a sign or a bracket.`,
  has_letters: () => 'I work with numbers. With letters I solve equations, such as 2x + 3 = 11.',
  division_by_zero: () => 'That would divide by zero, which has no result.',
  undefined_power: (power) => `${power} has no agreed value.`,
  irrational: (root) => `${root} is not a fraction, so I cannot write it exactly.`,
  fractional_power: (power) => `${power}: of broken exponents I know only one half, the square root.`,
  negative_root: (value) => `There is no real square root of ${value}.`,
  too_large: () => 'The numbers get too large for me: I stop at 2,000 digits and at exponents of 1,000.',
  too_many_steps: (limit) => `That is more than ${limit} steps.`,
  no_equation: () => 'I see no equation in it. I need two sides, such as 2x + 3 = 11.',
  no_letter: () => 'There is no letter to solve for.',
  several_equals: () => 'There is more than one “=” in it. Send me one equation at a time.',
  inequality: () => 'I cannot solve inequalities, only equations.',
  system: () => 'I cannot solve several equations together. Send me one equation in one letter.',
  quadratic: () =>
    'That is a quadratic equation. I can only solve linear ones: no x², no letter times itself.',
  not_linear: () =>
    'That is not a linear equation: the letter stands in a product, power, root or denominator.',
  which_letter: (letters) => `Which letter shall I solve for: ${letters}?`,
  letter_cancels: (letter) => `${letter} cancels out, so the equation says nothing about it.`,
  check_failed: (line) => `My own check did not agree in “${line}”, so I show no result. Please report this.`,
};

export const english: Words = {
  introduction:
    'I am not an AI. I am the small practice program inside Docent, here so that you can try it without a key. For a real tutor set `OPENAI_API_KEY`, or `OPENAI_BASE_URL=http://127.0.0.1:11434/v1` for a server on your own machine, and start again.',
  abilities: [
    'I can do a few things, and those exactly:',
    '- work out sums step by step: `3/4 + 1/6`, `15% of 80`, `(2 + 3) × 4^2`',
    '- solve linear equations and check the result: `3(x - 2) = 2(x + 1)`',
    '- set you exercises: say “quiz me”, “give me an equation”, or “quiz me on that”',
    '- remind you, remember things, quote a file: “remind me in 10 minutes to …”, “remember that …”.',
  ].join('\n'),
  switched: 'From here on in English.',

  readAs: (readings) =>
    `I read ${readings.map(({ written, plain }) => `${written} as ${plain}`).join(' and ')}.`,
  roundedTo: (decimal) => `As a decimal: ${decimal}`,
  linesChecked: 'Checked: every line was worked out again and has the same exact value. ✓',
  inverseCheck: (line) => `Check: ${line} ✓`,
  claimRight: (line) => `Yes, **${line}** is right.`,
  claimWrong: (line, claimed) => `Not quite: **${line}**, not ${claimed}.`,
  onlyAbout: (expression, approximation) => `${expression} is about ${approximation}.`,
  cannot: (reason, detail) => reasons[reason](detail),
  part: (step) => `Start with ${step.part}`,

  plan: (equation, letter) =>
    `${equation} is an equation in ${letter}. I tidy up both sides, bring ${letter} alone to the left, and put the result back in to check it.`,
  equationStep: ({ action, amount }) => {
    switch (action) {
      case 'simplify':
        return 'Tidy up both sides';
      case 'swap':
        return 'Exchange the sides';
      case 'multiply':
        return `Multiply both sides by ${amount}`;
      case 'divide':
        return `Divide both sides by ${amount}`;
      case 'add':
        return `Add ${amount} on both sides`;
      case 'subtract':
        return `Subtract ${amount} from both sides`;
      default:
        return action satisfies never;
    }
  },
  putBack: (solution, left, right) => `Check with ${solution}: left side ${left}, right side ${right} ✓`,
  noSolution: (letter) => `**No solution**: that is never true, whatever ${letter} is.`,
  everySolution: (letter) => `**Every number is a solution**: that is true whatever ${letter} is.`,

  ask: {
    lead: 'That can be understood in more than one way, so I ask first.',
    reading: (expression) => `How is ${expression} meant?`,
    percent: (expression) => `What does the percent belong to in ${expression}?`,
    letter: (equation) => `${equation} has more than one letter. Which one shall I solve for?`,
    practise: 'What would you like to practise?',
    task: 'What shall I solve? Write the equation or the sum.',
    leftToRight: 'from left to right',
    productTogether: 'the product belongs together',
    shareOf: 'a share of the number before it',
    plainNumber: 'a number of its own',
    equations: 'Equations',
    sums: 'Sums',
    fractions: 'Fractions',
    percents: 'Percents',
    example: (task) => `Show me an example: ${task}`,
    byText: 'Answer with the number or in your own words.',
    chosenFor: (choice) => `You left the choice to me, so I take ${choice}.`,
    noTask: 'Then I have nothing to solve yet. Send me an equation or a sum whenever you like.',
  },

  errand: {
    doing: 'I do that.',
    when: 'Tell me when, for example “remind me in 10 minutes to drink water” or “remind me tomorrow at 9:00 to practise”.',
    what: 'Tell me of what, for example “remind me in 10 minutes to drink water”.',
    reminderSet: (local) => `⏰ I will remind you: ${local}.`,
    remembered: 'I will remember that. Ask “what do you know about me?” to see it.',
    knows: 'This is what I know about you:',
    knowsNothing: 'I know nothing about you yet. Say “remember that …”.',
    refused: (why) => `That did not work: ${why}`,
    read: (names, lines) =>
      `I have read ${names} (${lines} ${lines === 1 ? 'line' : 'lines'}). What fits best is this:`,
    from: (name, line) => `(${name}, line ${line})`,
    nothingIn: (names) => `I find no words in ${names}.`,
  },

  quiz: {
    nothingYet: 'We have not worked anything yet. Send me a sum or an equation first.',
    solve: 'Solve',
    compute: 'Work out',
    how: 'Write your answer. “hint” gives a hint, “solution” shows the way.',
    right: (answer) => `Right! **${answer}**`,
    next: 'Say “next” for another one.',
    wrong: (answer) => `${answer} is not it yet.`,
    wrongSides: (solution, left, right) =>
      `Not yet: with ${solution} the left side is ${left} and the right side ${right}.`,
    close: (answer) => `${answer} is very close. Can you give it exactly, as a fraction?`,
    goodStep: (equation) => `Yes, ${equation} is a right step. Go on from there.`,
    firstStep: (what) => `Hint: ${what}. What do you get?`,
    thenLine: (line) => `Hint: then it says ${line}. And now?`,
    solution: 'This is the way:',
    stillOpen: (task) => `Your exercise is still open: ${task}`,
  },
};
