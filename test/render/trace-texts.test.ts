// A running trace: one message, a second one when that is full.
import { expect, test } from 'vitest';
import { CallId } from '../../src/domain/ids.ts';
import { wordsFor } from '../../src/render/notices.ts';
import { newTrace, type Trace, traceAfter } from '../../src/render/trace.ts';
import { traceTexts } from '../../src/render/trace-texts.ts';

const words = wordsFor('en').trace;
const limit = { maxChars: 200 };

/** So many calls, the last of which runs; each takes a row of 22 characters. */
function afterCalls(count: number): Trace {
  return Array.from({ length: count }, (_, at) => CallId(`c${10 + at}`)).reduce((trace, id, at) => {
    const call = { id, name: 'web_fetch', args: `{"url":"${id}"}` };
    const running = traceAfter(trace, { type: 'tool.started', call }, 0);
    if (at === count - 1) return running;
    return traceAfter(
      running,
      { type: 'tool.finished', callId: id, name: 'web_fetch', status: 'ok', ms: 0 },
      0,
    );
  }, newTrace(0));
}

const row = (at: number, mark = '✓') => `${mark} reading a page c${10 + at}`;
const status = '⏳ reading a page… 3 s';

test('a turn without thoughts and calls has none', () => {
  expect(traceTexts(newTrace(0), 3000, limit, words)).toEqual([]);
});

test('the rows stand in one message, with what goes on below them', () => {
  expect(traceTexts(afterCalls(3), 3000, limit, words)).toEqual([
    [row(0), row(1), row(2, '⏳'), status].join('\n'),
  ]);
});

test('thoughts stand between the rows; of a long one its end can be read', () => {
  const thinking = (trace: Trace, text: string) => traceAfter(trace, { type: 'thinking.delta', text }, 0);
  const short = thinking(newTrace(0), 'Look\nit up.');
  expect(traceTexts(short, 3000, limit, words)).toEqual(['🧠 Look it up.\n🧠 thinking… 3 s']);
  const long = thinking(afterCalls(1), 'First one thing, and then 😀 another.');
  expect(traceTexts(long, 3000, limit, words)).toEqual([
    [row(0, '⏳'), '🧠 …and then 😀 another.', '🧠 thinking… 3 s'].join('\n'),
  ]);
});

test('a second message takes what does not fit', () => {
  expect(traceTexts(afterCalls(12), 3000, limit, words)).toEqual([
    [0, 1, 2, 3, 4, 5, 6, 7, 8].map((at) => row(at)).join('\n'),
    [row(9), row(10), row(11, '⏳'), status].join('\n'),
  ]);
});

test('when that is full, too, it shows the newest rows', () => {
  const [first, second] = traceTexts(afterCalls(40), 3000, limit, words);
  expect(first).toBe([0, 1, 2, 3, 4, 5, 6, 7, 8].map((at) => row(at)).join('\n'));
  expect(second).toBe(
    [...[32, 33, 34, 35, 36, 37, 38].map((at) => row(at)), row(39, '⏳'), status].join('\n'),
  );
});
