import { describe, expect, test } from 'vitest';
import { bareSum } from '../../../src/capabilities/scenes/bare-sum.ts';
import { noteText } from '../../../src/loop/notes.ts';
import { tutor } from '../../../src/model/practice/tutor.ts';
import { answered, labelPrompt, talk } from './talk.ts';

const user = (text: string) => ({ role: 'user', text }) as const;
const system = (text: string) => ({ role: 'system', text }) as const;

describe('honest from the first answer', () => {
  test('it says that it is no AI and how to set a real one, once', () => {
    const first = tutor({ messages: [system(labelPrompt), user('12*7')], tools: new Set() });
    expect(first.text).toMatch(
      /^> I am not an AI\..*OPENAI_API_KEY.*OPENAI_BASE_URL=http:\/\/127\.0\.0\.1:11434\/v1/,
    );
    expect(first.text).toContain('**12 × 7 = 84**');

    const assistant = { role: 'assistant', text: `\`\`FINISH\`\`\n${first.text}`, calls: [] } as const;
    const second = tutor({
      messages: [system(labelPrompt), user('12*7'), assistant, user('8*8')],
      tools: new Set(),
    });
    expect(second.text).not.toContain('not an AI');
  });

  test('in the language of the learner', () => {
    const german = tutor({ messages: [user('Was ist 17 · 23?')], tools: new Set() });
    expect(german.text).toMatch(/^> Ich bin keine KI.*OPENAI_API_KEY/);
    const chinese = tutor({ messages: [user('计算 12×(3+4)')], tools: new Set() });
    expect(chinese.text).toMatch(/^> 我不是人工智能.*OPENAI_API_KEY/);
  });

  test('what it cannot do it says in a few lines, with examples', () => {
    const { says } = talk();
    expect(says('who won the world cup?')).toEqual([
      [
        'FINISH I can do a few things, and those exactly:',
        '- work out sums step by step: `3/4 + 1/6`, `15% of 80`, `(2 + 3) × 4^2`',
        '- solve linear equations and check the result: `3(x - 2) = 2(x + 1)`',
        '- set you exercises: say “quiz me”, “give me an equation”, or “quiz me on that”',
        '- remind you, remember things, quote a file: “remind me in 10 minutes to …”, “remember that …”.',
      ].join('\n'),
    ]);
  });
});

describe('a lesson', () => {
  test('an equation: first a thought, then the steps and the check', () => {
    const { says } = talk();
    expect(says('solve 3(x-2)=2(x+1) please')).toEqual([
      'THINK 3(x - 2) = 2(x + 1) is an equation in x. I tidy up both sides, bring x alone to the left, and put the result back in to check it.',
      `FINISH **3(x - 2) = 2(x + 1)**

1. Tidy up both sides: 3x - 6 = 2x + 2
2. Subtract 2x from both sides: x - 6 = 2
3. Add 6 on both sides: x = 8

**x = 8**

Check with x = 8: left side 3(8 - 2) = 18, right side 2(8 + 1) = 18 ✓`,
    ]);
  });

  test('a sum: steps in order, and a check', () => {
    const { says } = talk();
    expect(says('what is 2 + 3*(4-1)?')).toEqual([
      `FINISH **2 + 3 × (4 - 1) = 11**

1. 4 - 1 = 3 → 2 + 3 × 3
2. 3 × 3 = 9 → 2 + 9
3. 2 + 9 = 11

Checked: every line was worked out again and has the same exact value. ✓`,
    ]);
    expect(says('3/4 + 1/6')).toEqual([
      `FINISH **3/4 + 1/6 = 11/12**

1. 3/4 + 1/6 = 9/12 + 2/12 = 11/12

As a decimal: ≈ 0.916667

Check: 11/12 - 1/6 = 3/4 ✓`,
    ]);
  });

  test.each([
    ['0.1+0.2', '**0.1 + 0.2 = 0.3**\n\nCheck: 0.3 - 0.2 = 0.1 ✓'],
    ['1,000/8', '**1000/8 = 125**\n\nI read 1,000 as 1000.\n\nCheck: 125 × 8 = 1000 ✓'],
    ['17*23', '**17 × 23 = 391**\n\n1. 17 × 23 = 17 × 20 + 17 × 3 = 340 + 51 = 391\n\nCheck: 391/23 = 17 ✓'],
    ['100/7', '**100/7 ≈ 14.285714**'],
    ['12*7=84', 'Yes, **12 × 7 = 84** is right.'],
    ['12*7=85', 'Not quite: **12 × 7 = 84**, not 85.\n\n1. 12 × 7 = 7 × 10 + 7 × 2 = 70 + 14 = 84'],
    ['what is √2 + 1', '√2 is not a fraction, so I cannot write it exactly. √2 + 1 is about 2.414213562.'],
    ['9^9^9^9', 'The numbers get too large for me: I stop at 2,000 digits and at exponents of 1,000.'],
    ['1/0', 'That would divide by zero, which has no result.'],
    ['x^2=4', 'That is a quadratic equation. I can only solve linear ones: no x², no letter times itself.'],
    ['x+y=3, x-y=1', 'I cannot solve several equations together. Send me one equation in one letter.'],
    ['3x < 5', 'I cannot solve inequalities, only equations.'],
    ['simplify 2x + 3x', 'I work with numbers. With letters I solve equations, such as 2x + 3 = 11.'],
  ])('%s', (text, expected) => {
    const lesson = talk();
    lesson.says(text);
    expect(lesson.answer).toBe(expected);
  });

  test.each([
    ['2x = 2x + 1', /0 = 1\n\n\*\*No solution\*\*/],
    ['2(x+1) = 2x + 2', /2 = 2\n\n\*\*Every number is a solution\*\*/],
    ['5x = 2', /\*\*x = 2\/5\*\* \(0\.4\)\n\nCheck with x = 2\/5: left side 5\(2\/5\) = 2, right side 2 ✓/],
  ])('%s', (text, expected) => {
    const lesson = talk();
    lesson.says(text);
    expect(lesson.answer).toMatch(expected);
  });
});

describe('asking back', () => {
  test('a sum with two readings gets a card, and the chosen reading is worked', () => {
    const lesson = talk();
    expect(lesson.says('6/2(1+2)')).toEqual([
      'TOOL That can be understood in more than one way, so I ask first.',
    ]);
    expect(lesson.card).toEqual({
      intro: 'That can be understood in more than one way, so I ask first.',
      questions: [
        {
          id: 'reading',
          prompt: 'How is 6/2(1+2) meant?',
          options: [
            { label: '6/2 × (1 + 2)', description: 'from left to right' },
            { label: '6 / (2(1 + 2))', description: 'the product belongs together' },
          ],
        },
      ],
    });
    lesson.answers(answered({ selected: ['6 / (2(1 + 2))'] }));
    expect(lesson.answer).toMatch(/^\*\*6 \/ \(2\(1 \+ 2\)\) = 1\*\*/);
  });

  test('left unanswered, the usual reading is taken and named', () => {
    const lesson = talk();
    lesson.says('6/2(1+2)');
    lesson.answers({
      answers: [{ id: 'reading', selected: [], text: '', status: 'skipped' }],
      by: 'me',
      at: '',
    });
    expect(lesson.answer).toMatch(
      /^You left the choice to me, so I take 6\/2 × \(1 \+ 2\)\.\n\n\*\*6\/2 × \(1 \+ 2\) = 9\*\*/,
    );
  });

  test.each([
    ['80+10%', 'percent', '80 + 10% × 80', '**80 + 10% × 80 = 88**'],
    ['80+10%', 'percent', '80 + 10%', '**80 + 10% = 80.1**'],
    ['x + y = 5', 'letter', 'y', '**y = -x + 5**'],
    ['help me practise', 'practise', 'Fractions', '✏️ **Work out:**'],
    ['solve it', 'task', 'Show me an example: 2x + 3 = 11', '**x = 4**'],
  ])('%s asks for %s; %s leads on', (text, id, label, expected) => {
    const lesson = talk();
    lesson.says(text);
    expect(lesson.card.questions.map((question) => question.id)).toEqual([id]);
    expect(lesson.card.questions[0]?.options.map((option) => option.label)).toContain(label);
    lesson.answers(answered({ selected: [label] }));
    expect(lesson.answer).toContain(expected);
  });

  test('an answer in free text counts, by place, by content, or as a new task', () => {
    const byPlace = talk();
    byPlace.says('6/2(1+2)');
    byPlace.answers(answered({ text: 'the second one' }));
    expect(byPlace.answer).toContain('= 1**');

    const byContent = talk();
    byContent.says('x + y = 5');
    byContent.answers(answered({ text: 'for y, please' }));
    expect(byContent.answer).toContain('**y = -x + 5**');

    const newTask = talk();
    newTask.says('solve it');
    newTask.answers(answered({ text: '2x = 9' }));
    expect(newTask.answer).toContain('**x = 9/2** (4.5)');

    const plainResult = talk();
    plainResult.says('x + y = 5');
    plainResult.answers('y');
    expect(plainResult.answer).toContain('**y = -x + 5**');
  });

  test('an answer that raises the next question is asked about again', () => {
    const lesson = talk();
    lesson.says('solve it');
    lesson.answers(answered({ text: '6/2(1+2)' }));
    expect(lesson.card.questions[0]?.id).toBe('reading');
    lesson.answers(answered({ selected: ['6/2 × (1 + 2)'] }));
    expect(lesson.answer).toContain('**6/2 × (1 + 2) = 9**');
  });

  test('no reply and no task: it waits for one', () => {
    const lesson = talk();
    lesson.says('solve it');
    lesson.answers('The person did not answer in time.');
    expect(lesson.answer).toBe(
      'Then I have nothing to solve yet. Send me an equation or a sum whenever you like.',
    );
  });

  test('a question closed by another message gives way to it', () => {
    const messages = [
      system(labelPrompt),
      user('help me practise'),
      { role: 'assistant', text: '``TOOL``\n', calls: [{ id: 'c1', name: 'ask_user' }] } as const,
      {
        role: 'tool',
        callId: 'c1',
        text: 'The question was closed because somebody else wrote; go on with their message.',
      } as const,
      user('12*7'),
    ];
    const reply = tutor({ messages, tools: new Set(['ask_user']) });
    expect(reply.text).toContain('**12 × 7 = 84**');
    expect(reply.text).not.toContain('✏️');
  });

  test('without the tool it asks in plain text, and reads the next message as the answer', () => {
    const lesson = talk({ tools: [] });
    expect(lesson.says('x + y = 5')).toEqual([
      'FINISH ❓ x + y = 5 has more than one letter. Which one shall I solve for?\n\n1. x\n2. y\n\nAnswer with the number or in your own words.',
    ]);
    lesson.says('2');
    expect(lesson.answer).toContain('**y = -x + 5**');

    lesson.says('80 + 10%');
    lesson.says('2x = 4');
    expect(lesson.answer).toContain('**x = 2**');
  });

  test('"solve it" means what was there before', () => {
    const lesson = talk();
    lesson.says('2x + 3 = 11');
    lesson.says('thanks');
    lesson.says('solve it again');
    expect(lesson.answer).toContain('**x = 4**');
  });
});

describe('several messages in a row', () => {
  test('a wish for a language is followed, named, and kept', () => {
    const lesson = talk();
    lesson.says('15% of 80', 'in German please');
    expect(lesson.answer).toMatch(/^Ab hier auf Deutsch\.\n\n\*\*15% × 80 = 12\*\*[^]*Geprüft/);
    lesson.says('what is 2+2+2');
    expect(lesson.answer).toMatch(/^\*\*2 \+ 2 \+ 2 = 6\*\*[^]*Geprüft/);
  });

  test('a wish for a language alone says the last thing again', () => {
    const lesson = talk();
    lesson.says('2x = 8');
    expect(lesson.says('auf Deutsch bitte').at(-1)).toMatch(/^FINISH Ab hier auf Deutsch\.[^]*\*\*x = 4\*\*/);
    lesson.says('用中文');
    expect(lesson.answer).toMatch(/^下面用中文。[^]*\*\*x = 4\*\*/);
  });

  test('two tasks are both answered; thanks add nothing', () => {
    const lesson = talk();
    lesson.says('12*7', 'and 8*8', 'thanks');
    expect(lesson.answer).toMatch(/^\*\*12 × 7 = 84\*\*[^]*\*\*8 × 8 = 64\*\*/);
    expect(lesson.answer).not.toContain('I can do a few things');
  });

  test('a steering message settles what would have been asked', () => {
    const lesson = talk();
    lesson.says('löse x + y = 5', 'nach y');
    expect(lesson.answer).toContain('**y = -x + 5**');
  });

  test('a message that steers in after the thought is answered with the task', () => {
    const messages = [
      system(labelPrompt),
      user('2x = 8'),
      { role: 'assistant', text: '``THINK``\nAn equation.', calls: [] } as const,
      user('in German please'),
    ];
    const reply = tutor({ messages, tools: new Set(['ask_user']) });
    expect([reply.label, reply.text]).toEqual(['FINISH', expect.stringContaining('Probe mit x = 4')]);
  });
});

describe('as a model in the loop', () => {
  test('without the label protocol it writes no labels and does not think first', () => {
    const reply = tutor({
      messages: [system('You are a tutor.'), user('2x = 8')],
      tools: new Set(['ask_user']),
    });
    expect([reply.label, reply.labelled]).toEqual(['FINISH', false]);
  });

  test('a request without tools wants the answer now', () => {
    const messages = [system(labelPrompt), user('2x = 8'), user(noteText('final'))];
    const reply = tutor({ messages, tools: new Set() });
    expect([reply.label, reply.text]).toEqual(['FINISH', expect.stringContaining('**x = 4**')]);
  });

  test.each([
    noteText('settle'),
    noteText('final'),
    noteText('stuck'),
    noteText('continue'),
    noteText('nudge'),
    noteText('resume'),
    noteText('repair:missing_label'),
    noteText('repair:multiple_labels'),
    noteText('repair:tool_without_calls'),
    noteText('repair:unknown_action'),
    noteText('repair:no_name'),
    noteText('repair:finish_with_tools'),
    noteText('repair:anything'),
  ])('a note of the loop is not taken for the learner: %s', (note) => {
    const messages = [
      system(labelPrompt),
      user('12*7'),
      { role: 'assistant', text: '', calls: [] } as const,
      user(note),
    ];
    const reply = tutor({ messages, tools: new Set(['ask_user']) });
    expect([reply.label, reply.text]).toEqual(['FINISH', expect.stringContaining('**12 × 7 = 84**')]);
  });

  test.each([
    'The learner asks: 12*7\n\nIt was computed exactly: 12 × 7 = 84. Explain the way in a few lines.',
    'Question: "what is 12*7?"\nComputed: {"expression":"12 × 7","value":"84"}',
    'Sum: 12 × 7\nResult: 84',
  ])('data prepared by the sum scene leads to that sum: %s', (text) => {
    const reply = tutor({ messages: [system(labelPrompt), user(text)], tools: new Set() });
    expect(reply.text.match(/\*\*[^*]+\*\*/g)).toEqual(['**12 × 7 = 84**']);
  });

  test('the scene that computes sums does not change the language, nor hide an answer to an exercise', async () => {
    const prepared = async (text: string) =>
      bareSum.template(text, (await bareSum.prepare(text, new AbortController().signal)) ?? 'nothing');
    const german = talk({ tools: [] });
    german.says('Löse 2x = 8');
    german.says(await prepared('12*7'));
    expect(german.answer).toMatch(/\*\*12 × 7 = 84\*\*[^]*Probe: 84\/7 = 12/);

    const quiz = talk({ tools: [] });
    quiz.says('give me an equation');
    quiz.says('solution');
    const solution = /\*\*x = (-?\d+)\*\*/.exec(quiz.answer)?.[1];
    const again = talk({ tools: [] });
    again.says('give me an equation');
    again.says(await prepared(`${Number(solution) * 2}/2`));
    expect(again.answer).toMatch(/^✅ Right!/);
  });

  test('a prepared sum with a fraction as its value is told once, in the learner’s language', () => {
    const text =
      'The learner asks: "Was ist 3/4 + 1/6?" Computed: 3/4 + 1/6 = 11/12. Value: 11/12 (≈ 0.916667)';
    const reply = tutor({ messages: [system(labelPrompt), user(text)], tools: new Set() });
    expect(reply.text.match(/\*\*[^*]+\*\*/g)).toEqual(['**3/4 + 1/6 = 11/12**']);
    expect(reply.text).toContain('Als Dezimalzahl');
  });

  test.each([
    [[]],
    [[system(labelPrompt)]],
    [[user('')]],
    [[user('\u0000\ud800 🤷')]],
    [[user('x'.repeat(200_000))]],
  ])('nothing to go on: it says what it can do (%#)', (messages) => {
    expect(tutor({ messages, tools: new Set() }).text).toContain('I can do a few things');
  });
});
