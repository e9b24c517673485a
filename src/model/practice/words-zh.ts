/** Chinese (simplified). */
import type { CannotReason } from '../../maths/cannot.ts';
import type { Words } from './words.ts';

const reasons: Readonly<Record<CannotReason, (detail: string) => string>> = {
  empty: () => '还没有要算的内容。',
  too_long: () => '太长了，我最多读 500 个字符。',
  too_deep: (limit) => `括号嵌套太多，我最多看 ${limit} 层。`,
  unknown_sign: (sign) => `这里的符号“${sign}”我不认识。`,
  unknown_word: (word) => `算式里的“${word}”我不认识。`,
  unclear_number: (number) => `“${number}”是哪个数我看不出来，请写成 1234.56 这样。`,
  adjacent_numbers: (number) => `“${number}”前面少了一个符号。`,
  unclear_percent: () => '% 我读作“百分之”，它后面少了 × 之类的符号。',
  unfinished: (text) => `“${text}”里少了东西：数、符号或括号。`,
  has_letters: () => '我只算数字。带字母的我会解方程，比如 2x + 3 = 11。',
  division_by_zero: () => '这里要除以零，没有结果。',
  undefined_power: (power) => `${power} 没有公认的值。`,
  irrational: (root) => `${root} 不是分数，我写不出精确值。`,
  fractional_power: (power) => `${power}：分数指数我只会二分之一，也就是平方根。`,
  negative_root: (value) => `${value} 没有实数平方根。`,
  too_large: () => '数太大了：我最多算到 2000 位，指数最多 1000。',
  too_many_steps: (limit) => `超过 ${limit} 步了。`,
  no_equation: () => '我没看到方程。要有左右两边，比如 2x + 3 = 11。',
  no_letter: () => '没有可以求的字母。',
  several_equals: () => '里面不止一个“=”。请一次发一个方程。',
  inequality: () => '我不会解不等式，只会解方程。',
  system: () => '我不会解方程组。请发一个只有一个字母的方程。',
  quadratic: () => '这是二次方程。我只会解一次方程：没有 x²，没有字母乘字母。',
  not_linear: () => '这不是一次方程：字母在乘积、幂、根号或分母里。',
  which_letter: (letters) => `要求哪个字母：${letters}？`,
  letter_cancels: (letter) => `${letter} 消掉了，方程对它没有说什么。`,
  check_failed: (line) => `我自己的检验在“${line}”处不一致，所以不给结果。请报告这个问题。`,
};

export const chinese: Words = {
  introduction:
    '我不是人工智能，而是 Docent 自带的小练习程序，让你不用密钥也能试用。要用真正的模型，请设置 `OPENAI_API_KEY`，或者为本机服务器设置 `OPENAI_BASE_URL=http://127.0.0.1:11434/v1`，然后重新启动。',
  abilities: [
    '我会的不多，但都算得准确：',
    '- 一步一步计算：`3/4 + 1/6`、`80 的 15%`、`(2 + 3) × 4^2`',
    '- 解一次方程并检验：`3(x - 2) = 2(x + 1)`',
    '- 出练习题：说“考考我”、“出一道方程题”或者“类似的题”',
    '- 提醒、记住、引用文件：“10分钟后提醒我……”、“记住……”。',
  ].join('\n'),
  switched: '下面用中文。',

  readAs: (readings) => `${readings.map(({ written, plain }) => `${written} 我读作 ${plain}`).join('，')}。`,
  roundedTo: (decimal) => `写成小数：${decimal}`,
  linesChecked: '检验：每一行都重新算过，值完全相同。✓',
  inverseCheck: (line) => `检验：${line} ✓`,
  claimRight: (line) => `对，**${line}** 是正确的。`,
  claimWrong: (line, claimed) => `不对：**${line}**，不是 ${claimed}。`,
  onlyAbout: (expression, approximation) => `${expression} 约等于 ${approximation}。`,
  cannot: (reason, detail) => reasons[reason](detail),
  part: (step) => `先算 ${step.part}`,

  plan: (equation, letter) =>
    `${equation} 是关于 ${letter} 的方程。我先化简两边，再把 ${letter} 单独移到左边，最后代回去检验。`,
  equationStep: ({ action, amount }) => {
    switch (action) {
      case 'simplify':
        return '化简两边';
      case 'swap':
        return '左右互换';
      case 'multiply':
        return `两边同乘 ${amount}`;
      case 'divide':
        return `两边同除以 ${amount}`;
      case 'add':
        return `两边同加 ${amount}`;
      case 'subtract':
        return `两边同减 ${amount}`;
      default:
        return action satisfies never;
    }
  },
  putBack: (solution, left, right) => `把 ${solution} 代回检验：左边 ${left}，右边 ${right} ✓`,
  noSolution: (letter) => `**无解**：无论 ${letter} 是多少都不成立。`,
  everySolution: (letter) => `**任何数都是解**：无论 ${letter} 是多少都成立。`,

  ask: {
    lead: '这可以有不同的理解，我先问一下。',
    reading: (expression) => `${expression} 是哪个意思？`,
    percent: (expression) => `${expression} 里的百分数是对什么说的？`,
    letter: (equation) => `${equation} 有不止一个字母，要求哪一个？`,
    practise: '你想练什么？',
    task: '要解什么？请写出方程或算式。',
    leftToRight: '从左到右',
    productTogether: '乘积是一个整体',
    shareOf: '前面那个数的一部分',
    plainNumber: '一个单独的数',
    equations: '方程',
    sums: '计算',
    fractions: '分数',
    percents: '百分数',
    example: (task) => `看一个例子：${task}`,
    byText: '请回答编号，或者用自己的话说。',
    chosenFor: (choice) => `你让我来选，我选 ${choice}。`,
    noTask: '那现在还没有要解的。随时可以发给我一个方程或算式。',
  },

  errand: {
    doing: '好的。',
    when: '请告诉我时间，例如“10分钟后提醒我喝水”。',
    what: '请告诉我提醒什么，例如“10分钟后提醒我喝水”。',
    reminderSet: (local) => `⏰ 我会提醒您：${local}。`,
    remembered: '我记住了。问“你知道我什么”就能看到。',
    knows: '我知道这些：',
    knowsNothing: '我还不了解您。请说“记住……”。',
    refused: (why) => `没有成功：${why}`,
    read: (names, lines) => `我读了 ${names}（${lines} 行）。最相关的是：`,
    from: (name, line) => `（${name}，第 ${line} 行）`,
    nothingIn: (names) => `${names} 里没有文字。`,
  },

  quiz: {
    nothingYet: '我们还没有算过题。请先给我一道算式或方程。',
    solve: '解方程',
    compute: '计算',
    how: '请写出你的答案。说“提示”有提示，说“答案”看解法。',
    right: (answer) => `对了！**${answer}**`,
    next: '说“下一题”再来一道。',
    wrong: (answer) => `${answer} 还不对。`,
    wrongSides: (solution, left, right) => `还不对：${solution} 时左边是 ${left}，右边是 ${right}。`,
    close: (answer) => `${answer} 很接近了。能用分数写出精确值吗？`,
    goodStep: (equation) => `对，${equation} 这一步是正确的，接着往下做。`,
    firstStep: (what) => `提示：${what}。得到什么？`,
    thenLine: (line) => `提示：这时得到 ${line}。然后呢？`,
    solution: '解法如下：',
    stillOpen: (task) => `你的练习题还没做完：${task}`,
  },
};
