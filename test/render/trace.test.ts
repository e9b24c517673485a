import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CallId } from '../../src/domain/ids.ts';
import type { ResultStatus } from '../../src/domain/message.ts';
import type { Outcome, TurnEvent } from '../../src/domain/turn.ts';
import { wordsFor } from '../../src/render/notices.ts';
import { argumentsInShort, toolVerb } from '../../src/render/tool-words.ts';
import { newTrace, type Trace, traceAfter } from '../../src/render/trace.ts';
import { foldedLine, recentRows, seconds, statusLine, wholeTrace } from '../../src/render/trace-lines.ts';

const words = wordsFor('en').trace;

const call = (id: string, name = 'web_fetch', args = '{}') => ({ id: CallId(id), name, args });
const started = (id: string, name?: string, args?: string): TurnEvent => ({
  type: 'tool.started',
  call: call(id, name, args),
});
const finished = (id: string, status: ResultStatus = 'ok', ms = 1200): TurnEvent => ({
  type: 'tool.finished',
  callId: CallId(id),
  name: 'web_fetch',
  status,
  ms,
});
const thinking = (text: string): TurnEvent => ({ type: 'thinking.delta', text });
const answer = (text: string): TurnEvent => ({ type: 'answer.delta', text });
const ended = (outcome: Outcome = { kind: 'finish', answer: '84' }): TurnEvent => ({
  type: 'turn.ended',
  outcome,
});

/** Each event happens one second after the one before. */
function after(...events: readonly TurnEvent[]): Trace {
  return events.reduce((trace, event, at) => traceAfter(trace, event, (at + 1) * 1000), newTrace(0));
}

test('a turn folds to the time it thought and the tools it used', () => {
  const trace = after(
    { type: 'phase', phase: 'thinking' },
    thinking('twelve times '),
    thinking('seven'),
    started('a', 'web_fetch', '{"url":"https://example.org/sums","max_chars":500}'),
    finished('a'),
    started('b', 'calculate', '{"expression":"12*7"}'),
    finished('b', 'error', 300),
    answer('84'),
    answer('.'),
    ended(),
  );
  expect(foldedLine(trace, 99_000, words)).toBe('🧠 Thought for 8 s · 2 tools');
  expect(statusLine(trace, 99_000, words)).toBeUndefined();
  expect(wholeTrace(trace, words)).toEqual([
    '🧠 twelve times seven',
    '✓ reading a page https://example.org/sums, 500 · 1.2 s',
    '✗ using calculate 12*7 · 0.3 s',
  ]);
});

describe('the status line says what is going on and for how long', () => {
  test.each([
    [[], '👀 reading… 4 s'],
    [[{ type: 'phase', phase: 'thinking' }], '🧠 thinking… 3 s'],
    [[thinking('a')], '🧠 thinking… 3 s'],
    [[started('a')], '⏳ reading a page… 3 s'],
    [[{ type: 'phase', phase: 'using', tool: 'rag' }], '⏳ searching your material… 3 s'],
    [[answer('a')], '✍ writing… 3 s'],
  ] as readonly [readonly TurnEvent[], string][])('case %#', (events, line) => {
    expect(statusLine(after(...events), 4000, words)).toBe(line);
  });
});

test('an instant answer is not worth a line', () => {
  const trace = [answer('84'), ended()].reduce((all, event) => traceAfter(all, event, 300), newTrace(0));
  expect(foldedLine(trace, 300, words)).toBeUndefined();
});

test('the time a person takes to answer does not count as thought', () => {
  const question: TurnEvent = { type: 'question.opened', callId: CallId('q'), question: {} };
  const trace = after(
    started('q', 'ask_user'),
    question,
    ended({ kind: 'paused', callId: CallId('q'), question: {} }),
  );
  expect(recentRows(trace, 3, words)).toEqual(['❓ asking you']);
  const resumed = traceAfter(trace, finished('q', 'answered', 0), 60_000);
  const done = traceAfter(resumed, ended(), 61_000);
  expect(wholeTrace(done, words)).toEqual(['✓ asking you']);
  expect(foldedLine(done, 61_000, words)).toBe('🧠 Thought for 3 s · 1 tool');
});

test('text that was taken back and notices stay in the trace', () => {
  const trace = after(
    answer('FINISH early'),
    { type: 'answer.retracted', keep: 0, draft: 'FINISH early', why: 'repair' },
    { type: 'notice', notice: 'repairing', detail: 'finish_with_tools' },
    { type: 'answer.retracted', keep: 0, draft: ' \n', why: 'narration' },
    { type: 'steer.used', count: 2 },
    ended(),
  );
  expect(wholeTrace(trace, words)).toEqual([
    '↩ FINISH early',
    '· the reply had no usable form, asking again (finish_with_tools)',
    '✅ took in 2 messages',
  ]);
});

describe('every row reaches an end', () => {
  test.each([
    [{ kind: 'aborted', answer: '', cause: 'user' }],
    [{ kind: 'error', error: new Error('x'), retryable: true }],
    [{ kind: 'interrupted', answer: 'half' }],
    [{ kind: 'no_reply' }],
  ] as readonly [Outcome][])('when the turn ends with %j', (outcome) => {
    const trace = after(started('a'), started('b'), finished('b', 'denied'), ended(outcome));
    expect(wholeTrace(trace, words)).toEqual(['⏭ reading a page', '⏭ reading a page']);
  });

  test('a result without a start makes its own row', () => {
    expect(wholeTrace(after(finished('a', 'overflow')), words)).toEqual(['⏭ reading a page']);
  });

  test('in whatever order events come', () => {
    const id = fc.constantFrom('a', 'b', 'c');
    const event = fc.oneof(
      id.map((each) => started(each)),
      fc
        .tuple(id, fc.constantFrom<ResultStatus>('ok', 'error', 'duplicate'))
        .map(([each, how]) => finished(each, how)),
      id.map((each): TurnEvent => ({ type: 'question.opened', callId: CallId(each), question: {} })),
      fc.constant(thinking('t')),
      fc.constant(answer('a')),
    );
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const states = after(...events, ended()).items.flatMap((item) =>
          item.kind === 'tool' ? item.state : [],
        );
        expect(states.filter((state) => state === 'running' || state === 'waiting')).toEqual([]);
      }),
    );
  });
});

describe('arguments in short', () => {
  test.each([
    ['calculate', '{"expression":" 12 *\\n7 "}', '12 * 7'],
    ['rag', '{"query":"tides","k":3,"exact":true,"tags":["a"],"more":null}', 'tides, 3, true'],
    ['web_fetch', '{"_path":"/home","api_key":"abc","url":"u"}', 'u'],
    ['web_fetch', '{"url":"https://x.org/?k=sk-0123456789abcdef"}', 'https://x.org/?k=[secret]'],
    ['exec', `{"command":"${'x'.repeat(100_000)}"}`, `${'x'.repeat(39)}…`],
    ['ask_user', '{"questions":[{"prompt":"Which?"}]}', ''],
    ['exec', 'not json', ''],
    ['exec', '', ''],
  ])('%s %s', (name, raw, short) => {
    expect(argumentsInShort(name, raw)).toBe(short);
  });

  test('a tool without a verb is named', () => {
    expect(toolVerb('solve_plan', words)).toBe('using solve plan');
  });
});

describe('in the words of', () => {
  const events: readonly TurnEvent[] = [
    started('a', 'web_fetch', '{"url":"u"}'),
    finished('a'),
    started('b', 'solve_plan'),
    { type: 'notice', notice: 'continuing' },
    { type: 'steer.used', count: 2 },
  ];

  test.each([
    [
      'de',
      [
        '✓ liest eine Seite u · 1,2 s',
        '⏳ benutzt solve plan',
        '· die Antwort brach ab, macht weiter',
        '✅ hat 2 Nachrichten aufgenommen',
      ],
      '⏳ benutzt solve plan… 1 min 1 s',
      '🧠 1 min 4 s nachgedacht · 2 Werkzeuge',
    ],
    [
      'zh-CN',
      ['✓ 读取网页 u · 1.2 秒', '⏳ 使用 solve plan', '· 回答被截断，继续', '✅ 已读取 2 条消息'],
      '⏳ 使用 solve plan… 1 分 1 秒',
      '🧠 思考了 1 分 4 秒 · 2 个工具',
    ],
    [
      'fr',
      [
        '✓ reading a page u · 1.2 s',
        '⏳ using solve plan',
        '· the answer was cut off, going on',
        '✅ took in 2 messages',
      ],
      '⏳ using solve plan… 1 min 1 s',
      '🧠 Thought for 1 min 4 s · 2 tools',
    ],
  ])('%s', (locale, rows, status, folded) => {
    const { trace: own } = wordsFor(locale);
    const trace = after(...events);
    expect(recentRows(trace, 9, own)).toEqual(rows);
    expect(statusLine(trace, 64_000, own)).toBe(status);
    expect(foldedLine(trace, 64_000, own)).toBe(folded);
  });

  test('every language, for every tool', () => {
    const tables = ['en', 'de', 'zh-CN'].map((locale) => wordsFor(locale).trace);
    for (const tool of Object.keys(words.tools))
      expect(new Set(tables.map((own) => toolVerb(tool, own))).size).toBe(tables.length);
  });
});

test('escape sequences in names and details do not reach the screen', () => {
  const trace = after(started('a', '\u001B[2J'), {
    type: 'notice',
    notice: 'retrying',
    detail: '\u001B[31m\nx',
  });
  expect(wholeTrace(trace, words)).toEqual(['⏳ using ␛[2J', '· asking the model again (␛[31m x)']);
});

test.each([
  [0, '1 s'],
  [1400, '1 s'],
  [59_400, '59 s'],
  [125_000, '2 min 5 s'],
])('%d ms are %s', (ms, text) => {
  expect(seconds(ms, words)).toBe(text);
});
