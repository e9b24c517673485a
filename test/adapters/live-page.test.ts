import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LivePage } from '../../src/adapters/terminal/live-page.ts';
import type { Footer } from '../../src/adapters/terminal/page.ts';
import { fakeScreen } from '../support/screen.ts';

const typed = (text: string, cursor = text.length) => ({ text, cursor });

test('text flows above the footer, which is redrawn below it', () => {
  const screen = fakeScreen();
  const page = new LivePage(screen);
  page.footer({ lines: ['thinking… 1 s'], typed: typed('') });
  page.write('The answer ');
  page.write('is 84.');
  expect(screen.text()).toBe('The answer is 84.\n~thinking… 1 s~\n>');
  page.lines(['done'], 'dim');
  page.footer({ lines: [], typed: typed('next') });
  expect(screen.text()).toBe('The answer is 84.\n~done~\n> next');
  page.close();
  expect(screen.text()).toBe('The answer is 84.\n~done~');
});

test('the cursor stands where the person types, also in the middle of a wrapped line', () => {
  const screen = fakeScreen({ columns: 10 });
  const page = new LivePage(screen);
  page.write('flow');
  page.footer({ lines: ['status'], typed: typed('abcdefghijkl', 4) });
  expect(screen.text()).toBe('flow\n~status~\n> abcdefgh\nijkl');
  expect(screen.beforeCursor()).toBe('> abcd');
  page.footer({ lines: [], typed: typed('abcdefghijkl', 9) });
  expect(screen.beforeCursor()).toBe('i');
  page.footer({ lines: [], typed: typed('abcdefgh') });
  page.write(' on');
  expect(screen.text()).toBe('flow on\n> abcdefgh');
});

describe('taking back', () => {
  test('erases what was written since the mark and keeps its beginning', () => {
    const screen = fakeScreen({ columns: 10 });
    const page = new LivePage(screen);
    page.lines(['before']);
    page.footer({ lines: ['…'], typed: typed('') });
    const mark = page.mark();
    page.write('Kept 漢字漢字 and a draft\nof several lines');
    expect(page.rewind(mark, 'Kept 漢字漢')).toBe(true);
    expect(screen.text()).toBe('before\nKept 漢字\n漢\n~…~\n>');
    page.write('!');
    expect(screen.text()).toBe('before\nKept 漢字\n漢!\n~…~\n>');
  });

  test('is refused once the text has left the screen', () => {
    const screen = fakeScreen({ rows: 5 });
    const page = new LivePage(screen);
    const mark = page.mark();
    page.write('a\nb\nc\nd\ne\nf\ng');
    const before = screen.raw;
    expect(page.rewind(mark, '')).toBe(false);
    expect(screen.raw).toBe(before);
    expect(page.rewind(mark, 'a\nb\nc\nd')).toBe(true);
    expect(screen.text()).toBe('a\nb\nc\nd');
  });

  test('is refused after the window has changed its size', () => {
    const screen = fakeScreen();
    const page = new LivePage(screen);
    const mark = page.mark();
    page.write('draft');
    screen.resize(60);
    expect(page.rewind(mark, '')).toBe(false);
  });
});

/** What a person must see: the flow, wrapped, then the footer. */
function expected(flow: string, footer: Footer, width: number): string {
  const lines = footer.lines.map((line) => `~${line}~`);
  const text = flow.endsWith('\n') ? flow.slice(0, -1) : flow;
  const rows = flow === '' ? [] : text.split('\n').flatMap((line) => wrapped(line, width));
  const below = footer.typed === undefined ? [] : wrapped(`> ${footer.typed.text}`, width);
  return [...rows, ...lines, ...below]
    .map((row) => row.trimEnd())
    .join('\n')
    .trimEnd();
}

function wrapped(line: string, width: number): string[] {
  const rows = [''];
  let used = 0;
  for (const char of line) {
    const columns = char > '\u3000' ? 2 : 1;
    if (used + columns > width) {
      rows.push('');
      used = 0;
    }
    rows[rows.length - 1] += char;
    used += columns;
  }
  return rows;
}

test('whatever is written, typed and taken back, the screen shows the flow and then the footer', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '漢', '\n'), maxLength: 25 });
  const line = fc.string({ unit: fc.constantFrom('x', 'y', '字'), maxLength: 14 });
  const step = fc.oneof(
    fc.record({ kind: fc.constant('write' as const), text }),
    fc.record({
      kind: fc.constant('type' as const),
      text: line,
      at: fc.nat(14),
      lines: fc.array(fc.constant('s'), { maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('rewind' as const), keep: fc.nat(30) }),
    fc.record({ kind: fc.constant('mark' as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), fc.integer({ min: 6, max: 12 }), (steps, columns) => {
      const screen = fakeScreen({ columns, rows: 200 });
      const page = new LivePage(screen);
      let flow = '';
      let marked = { mark: page.mark(), at: 0 };
      let footer: Footer = { lines: [], typed: undefined };
      for (const each of steps) {
        if (each.kind === 'write') {
          page.write(each.text);
          flow += each.text;
        } else if (each.kind === 'type') {
          footer = { lines: each.lines, typed: typed(each.text, Math.min(each.at, each.text.length)) };
          page.footer(footer);
        } else if (each.kind === 'mark') {
          page.freshLine();
          if (!flow.endsWith('\n') && flow !== '') flow += '\n';
          marked = { mark: page.mark(), at: flow.length };
        } else {
          const kept = flow.slice(marked.at, marked.at + each.keep);
          if (!page.rewind(marked.mark, kept)) throw new Error('refused');
          flow = flow.slice(0, marked.at) + kept;
        }
        expect(screen.text()).toBe(expected(flow, footer, columns));
      }
    }),
    { numRuns: 500 },
  );
});
