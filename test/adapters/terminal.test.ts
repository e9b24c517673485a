import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { startTerminal, type Terminal } from '../../src/adapters/terminal/terminal.ts';
import { failureOf, ModelError } from '../../src/domain/errors.ts';
import { CallId } from '../../src/domain/ids.ts';
import type { Question, QuestionCard } from '../../src/domain/question.ts';
import type { Outcome, TurnEvent } from '../../src/domain/turn.ts';
import { manualClock } from '../support/clock.ts';
import { fakeScreen } from '../support/screen.ts';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

const answer = (text: string): TurnEvent => ({ type: 'answer.delta', text });
const thinking = (text: string): TurnEvent => ({ type: 'thinking.delta', text });
const ended = (outcome: Outcome = { kind: 'finish', answer: '' }): TurnEvent => ({
  type: 'turn.ended',
  outcome,
});
const retracted = (keep: number, draft = 'draft'): TurnEvent => ({
  type: 'answer.retracted',
  keep,
  draft,
  why: 'narration',
});
const calls = (id: string, name = 'web_fetch', args = '{"url":"example.org"}'): TurnEvent => ({
  type: 'tool.started',
  call: { id: CallId(id), name, args },
});
const returns = (id: string, ms = 300): TurnEvent => ({
  type: 'tool.finished',
  callId: CallId(id),
  name: 'web_fetch',
  status: 'ok',
  ms,
});
const paused: TurnEvent = ended({ kind: 'paused', callId: CallId('q'), question: {} });

function card(...questions: readonly Partial<Question>[]): QuestionCard {
  const whole = questions.map((each, at): Question => {
    return {
      id: `q${at + 1}`,
      prompt: 'Which?',
      options: [],
      multiSelect: false,
      allowFreeText: true,
      ...each,
    };
  });
  return { questions: whole, answerers: 'asker', expiresInS: 60, cut: [] };
}

const yesNo = {
  prompt: 'Shall I show the proof?',
  options: [{ label: 'Yes' }, { label: 'Just an example' }],
};

interface Bench {
  readonly terminal: Terminal;
  readonly screen: ReturnType<typeof fakeScreen>;
  readonly clock: ReturnType<typeof manualClock>;
  /** What the terminal has told its owner, in order. */
  readonly told: string[];
  types(text: string): Promise<void>;
  show(...events: readonly TurnEvent[]): void;
  endInput(): Promise<void>;
}

function bench(isTty: boolean, size: { columns?: number; rows?: number } = {}): Bench {
  const input = new PassThrough();
  const screen = fakeScreen(size);
  const clock = manualClock();
  const told: string[] = [];
  const terminal = startTerminal({
    input,
    output: screen,
    isTty,
    clock,
    logFile: '.docent/docent.log',
    onLine: (text) => told.push(text),
    onInterrupt: () => told.push('<stop>'),
    onEnd: () => told.push('<end>'),
  });
  return {
    terminal,
    screen,
    clock,
    told,
    types: async (text) => {
      input.write(text);
      await settled();
    },
    show: (...events) => {
      for (const event of events) terminal.show(event);
    },
    endInput: async () => {
      input.end();
      await settled();
    },
  };
}

/** Streams hand over what they have within two rounds of the event loop. */
async function settled(): Promise<void> {
  for (let round = 0; round < 4; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function atPrompt(size: { columns?: number; rows?: number } = {}): Promise<Bench> {
  const it = bench(true, size);
  it.terminal.ready();
  return it;
}

/** A turn that was opened with "hi". */
async function inTurn(size: { columns?: number; rows?: number } = {}): Promise<Bench> {
  const it = await atPrompt(size);
  await it.types('hi\r');
  return it;
}

describe('a turn at a terminal', () => {
  test('shows one status line while it thinks, live rows while it works, and folds to one line', async () => {
    const { screen, clock, told, types, show, terminal } = await atPrompt();
    await types('12*7\r');
    expect(told).toEqual(['12*7']);
    show({ type: 'phase', phase: 'thinking' }, thinking('a long thought'));
    await clock.advance(3000);
    expect(screen.text()).toBe('> 12*7\n~🧠 thinking… 3 s~\n>');

    show(calls('a'));
    await clock.advance(2000);
    expect(screen.text()).toBe('> 12*7\n~⏳ reading a page example.org~\n~⏳ reading a page… 2 s~\n>');

    show(returns('a'), answer('The answer '));
    expect(screen.text()).toBe(
      '> 12*7\nThe answer\n~✓ reading a page example.org · 0.3 s~\n~✍ writing… 1 s~\n>',
    );

    show(answer('is 84.'), ended());
    terminal.ready();
    expect(screen.text()).toBe('> 12*7\nThe answer is 84.\n~🧠 Thought for 5 s · 1 tool~\n\n>');
    expect(clock.pending()).toEqual([]);
  });

  test('/trace shows everything of the last turn', async () => {
    const { screen, types, show, terminal } = await inTurn();
    show(thinking('first thought'), calls('a'), returns('a'), {
      type: 'notice',
      notice: 'retrying',
      detail: '429',
    });
    show(answer('Done.'), ended());
    terminal.ready();
    await types('/trace\r');
    expect(screen.text().split('\n').slice(-5)).toEqual([
      '',
      '~🧠 first thought~',
      '~✓ reading a page example.org · 0.3 s~',
      '~· asking the model again (429)~',
      '>',
    ]);
  });

  test('a second finished message is told from the first by a blank line', async () => {
    const { screen, show } = await inTurn();
    show(answer('One.'), { type: 'answer.closed' }, answer('Two.'), ended());
    expect(screen.text()).toBe('> hi\nOne.\n\nTwo.\n\n>');
  });

  test('an answer that no event carried is shown when the turn ends', async () => {
    const { screen, show } = await inTurn();
    show(ended({ kind: 'concluded', answer: 'It is 84.' }));
    expect(screen.text()).toBe('> hi\nIt is 84.\n\n>');
  });

  test('escape sequences of the model are shown, not obeyed', async () => {
    const { screen, show } = await inTurn();
    show(answer('a\u001B[2J\u001B]0;title\u0007b\rc'), ended());
    expect(screen.text()).toBe('> hi\na␛[2J␛]0;title␇bc\n\n>');
  });

  test('a character cut in two between pieces is shown whole', async () => {
    const { screen, show } = await inTurn();
    show(answer('so \uD83D'), answer('\uDE00!'), ended());
    expect(screen.text()).toBe('> hi\nso 😀!\n\n>');
  });
});

describe('text that is taken back', () => {
  test('is erased, also over several rows of wide characters, and the rest goes on behind what is kept', async () => {
    const { screen, show } = await inTurn({ columns: 12 });
    show(answer('保留的文字'), answer('\n\n草稿草稿草稿草稿草稿\nmore'), retracted(5));
    expect(screen.text()).toBe('> hi\n保留的文字\n~✍ writing……~\n>');
    show(answer('继续'), ended());
    expect(screen.text()).toBe('> hi\n保留的文字继\n续\n\n>');
  });

  test('leaves nothing behind when the whole answer goes', async () => {
    const { screen, show } = await inTurn();
    show(
      answer('Let me look that up.'),
      retracted(0, 'Let me look that up.'),
      calls('a'),
      returns('a'),
      answer('84'),
    );
    show(ended());
    expect(screen.text()).toBe('> hi\n84\n\n>'.replace('\n\n', '\n~🧠 Thought for 1 s · 1 tool~\n\n'));
  });

  test('is marked when it has scrolled away', async () => {
    const { screen, show } = await inTurn({ rows: 6 });
    show(answer('a\nb\nc\nd\ne\nf\ng\nh'), retracted(0), answer('anew'), ended());
    expect(screen.text()).toBe('> hi\na\nb\nc\nd\ne\nf\ng\nh\n~— taken back, see below —~\nanew\n\n>');
  });

  test('is marked when something else was printed since', async () => {
    const { screen, types, show } = await inTurn();
    show(answer('draft'));
    await types('/stop?\r/help\r');
    show(retracted(0), answer('anew'));
    expect(screen.text()).toContain('draft\n~Ask anything.');
    expect(screen.text()).toContain('~— taken back, see below —~\nanew');
  });
});

describe('a line written during a turn', () => {
  test('is shown as noted, then as used', async () => {
    const { screen, told, types, show } = await inTurn();
    show(thinking('a'));
    await types('in degrees please\r');
    expect(told).toEqual(['hi', 'in degrees please']);
    expect(screen.text()).toBe('> hi\n~🧠 thinking… 1 s~\n~👀 in degrees please~\n>');
    show({ type: 'steer.used', count: 1 }, answer('30°'), ended());
    expect(screen.text()).toBe(
      '> hi\n~✅ in degrees please~\n30°\n\n>'.replace('\n\n', '\n~🧠 Thought for 1 s~\n\n'),
    );
  });

  test('opens the next turn when this one did not take it in', async () => {
    const { screen, types, show } = await inTurn();
    await types('and 13*7?\r');
    show(answer('84'), ended(), answer('91'), ended());
    expect(screen.text()).toBe('> hi\n84\n\n> and 13*7?\n91\n\n>');
  });

  test('stays as noted when no turn comes', async () => {
    const { screen, types, show, terminal } = await inTurn();
    await types('more\r');
    show(answer('84'), ended());
    terminal.ready();
    expect(screen.text()).toBe('> hi\n84\n\n~👀 more~\n>');
  });

  test('can be typed while the answer streams', async () => {
    const { screen, types, show } = await inTurn();
    show(answer('one '));
    await types('wai');
    show(answer('two'));
    await types('t');
    expect(screen.text()).toBe('> hi\none two\n~✍ writing… 1 s~\n> wait');
    expect(screen.beforeCursor()).toBe('> wait');
  });
});

describe('typing', () => {
  test('the line can be edited, and earlier lines come back', async () => {
    const { screen, told, types, show, terminal } = await inTurn();
    show(ended());
    terminal.ready();
    await types('abd\u001B[D');
    await types('c');
    expect(screen.beforeCursor()).toBe('> abc');
    expect(screen.text()).toMatch(/> abcd$/);
    await types('\r');
    expect(told).toEqual(['hi', 'abcd']);
    await types('\u001B[A\u001B[A');
    expect(screen.text()).toMatch(/> hi$/);
  });

  test('blank lines are no message', async () => {
    const { told, types } = await atPrompt();
    await types('\r   \r');
    expect(told).toEqual([]);
  });

  test('what is pasted over several lines is one message', async () => {
    const { screen, told, types } = await atPrompt();
    await types('\u001B[200~first\rsecond\rthi\u001B[201~');
    expect(screen.text()).toBe('> [2 lines pasted] thi');
    await types('rd\r');
    expect(told).toEqual(['first\nsecond\nthird']);
    expect(screen.text()).toMatch(/^> first\n {2}second\n {2}third\n/);
  });

  test('a very long line is shown around its cursor only, and sent whole', async () => {
    const { screen, told, types } = await atPrompt({ columns: 20 });
    const long = 'x'.repeat(20_000);
    await types(long);
    expect(screen.text()).toBe(
      `> …${'x'.repeat(17)}\n${'x'.repeat(20)}\n${'x'.repeat(20)}\n${'x'.repeat(3)}`,
    );
    await types('\r');
    expect(told).toEqual([long]);
  });

  test('words of the terminal itself are no messages', async () => {
    const { screen, told, types } = await atPrompt();
    await types('/trace\r/skip\rStop!\r/help\r');
    expect(told).toEqual([]);
    expect(screen.text()).toMatch(
      /^~No turn yet\.~\n~No question is open\.~\n~Nothing is running\.~\n~Ask anything/,
    );
  });
});

describe('stopping and leaving', () => {
  test('Ctrl-C during a turn stops it', async () => {
    const { screen, told, types, show, terminal } = await inTurn();
    show(answer('Once upon'));
    await types(CTRL_C);
    expect(told).toEqual(['hi', '<stop>']);
    expect(screen.text()).toBe('> hi\nOnce upon\n~⏹ stopping…~\n>');
    show(ended({ kind: 'aborted', answer: 'Once upon', cause: 'user' }));
    terminal.ready();
    expect(screen.text()).toBe('> hi\nOnce upon\n⏹ Stopped.\n\n>');
  });

  test('a stop that hangs can be left with a second Ctrl-C', async () => {
    const { told, types } = await inTurn();
    await types(CTRL_C + CTRL_C);
    expect(told).toEqual(['hi', '<stop>', '<end>']);
  });

  test('/stop and the bare word do the same, once', async () => {
    const { told, types } = await inTurn();
    await types('/stop\rSTOP\r');
    expect(told).toEqual(['hi', '<stop>']);
  });

  test('at the prompt Ctrl-C clears the line, then warns, then leaves', async () => {
    const { screen, told, types } = await atPrompt();
    await types(`half a line${CTRL_C}`);
    expect(screen.text()).toBe('>');
    await types(CTRL_C);
    expect(screen.text()).toBe('~Ctrl-C once more to leave.~\n>');
    expect(told).toEqual([]);
    await types(CTRL_C);
    expect(told).toEqual(['<end>']);
  });

  test('a line between two Ctrl-C means that the person stays', async () => {
    const { told, types, terminal } = await atPrompt();
    await types(`${CTRL_C}hi\r`);
    terminal.ready();
    await types(CTRL_C);
    expect(told).toEqual(['hi']);
  });

  test('Ctrl-D leaves at the prompt, and during a turn when it is over', async () => {
    const first = await atPrompt();
    await first.types(CTRL_D);
    expect(first.told).toEqual(['<end>']);

    const second = await inTurn();
    await second.types(CTRL_D);
    expect(second.told).toEqual(['hi']);
    second.show(answer('84'), ended());
    second.terminal.ready();
    expect(second.told).toEqual(['hi', '<end>']);
  });

  test('/exit leaves at once', async () => {
    const { told, types } = await inTurn();
    await types('/exit\r');
    expect(told).toEqual(['hi', '<end>']);
  });

  test('closing gives the terminal back without a prompt', async () => {
    const { screen, clock, show, terminal } = await inTurn();
    show(answer('Once'));
    terminal.close();
    expect(screen.text()).toBe('> hi\nOnce');
    expect(screen.raw).toContain('\u001B[?2004h');
    expect(screen.raw.endsWith('\u001B[?2004l')).toBe(true);
    expect(clock.pending()).toEqual([]);
  });
});

describe('a question', () => {
  test('is answered by number or in own words, and the turn goes on', async () => {
    const { screen, told, types, show, terminal } = await inTurn({ columns: 70 });
    show(answer('Because ln is the inverse of exp.'), paused);
    const reply = terminal.ask({ ...card(yesNo), intro: 'One thing:' }, new AbortController().signal);
    expect(screen.text()).toBe(
      [
        '> hi',
        'Because ln is the inverse of exp.',
        'One thing:',
        '❓ Shall I show the proof?',
        '   1  Yes',
        '   2  Just an example',
        '~   1–2 or your own words · /skip to leave it open~',
        '>',
      ].join('\n'),
    );
    await types('2\r');
    expect(await reply).toEqual([{ id: 'q1', selected: ['Just an example'], text: '', status: 'answered' }]);
    expect(told).toEqual(['hi']);

    show(answer('Because ln is the inverse of exp.'), answer('\n\nTake x = 2 …'), ended());
    expect(screen.text().split('\n').slice(-5)).toEqual([
      '> 2',
      '~✓ Just an example~',
      'Take x = 2 …',
      '',
      '>',
    ]);
  });

  test('with several parts is asked one after the other, and a part can be left open', async () => {
    const { screen, types, terminal } = await inTurn({ columns: 70 });
    const topics = {
      options: [{ label: 'Limits', description: 'ε and δ' }, { label: 'Series' }],
      multiSelect: true,
    };
    const reply = terminal.ask(
      card({ ...topics, header: 'Topic', allowFreeText: false }, { prompt: 'When?', placeholder: 'a date' }),
      new AbortController().signal,
    );
    await types('all\r');
    expect(screen.text()).toContain('~That is none of the choices:~\n~   1–2, several with commas between');
    await types('1, series\r');
    expect(screen.text()).toContain('❓ (1 of 2) Topic: Which?\n   1  Limits – ε and δ\n   2  Series\n');
    expect(screen.text()).toContain(
      '~✓ Limits, Series~\n❓ (2 of 2) When?\n~   a date · /skip to leave it open~',
    );
    await types('/skip\r');
    expect(await reply).toEqual([
      { id: 'q1', selected: ['Limits', 'Series'], text: '', status: 'answered' },
      { id: 'q2', selected: [], text: '', status: 'skipped' },
    ]);
  });

  test('is closed by Ctrl-C through the owner, and the stop is shown once', async () => {
    const { screen, told, types, show, terminal } = await inTurn();
    show(paused);
    const stop = new AbortController();
    const reply = terminal.ask(card({}), stop.signal);
    await types(CTRL_C);
    expect(told).toEqual(['hi', '<stop>']);
    stop.abort();
    expect(await reply).toBeUndefined();
    show(ended({ kind: 'aborted', answer: '', cause: 'user' }));
    expect(screen.text().match(/⏹/g)).toHaveLength(1);
  });

  test('stays open for a line that waits for a turn of its own', async () => {
    const { told, types, show, terminal } = await inTurn();
    show(paused);
    const reply = terminal.ask(card(yesNo), new AbortController().signal);
    await types('/next and then?\r');
    expect(told).toEqual(['hi', '/next and then?']);
    await types('1\r');
    expect(await reply).toMatchObject([{ selected: ['Yes'] }]);
    expect(told).toEqual(['hi', '/next and then?']);
  });

  test('that lapses says so', async () => {
    const { screen, show, terminal } = await inTurn({ columns: 70 });
    show(paused);
    const lapse = new AbortController();
    const reply = terminal.ask(card({}), lapse.signal);
    lapse.abort();
    expect(await reply).toBeUndefined();
    expect(screen.text()).toContain('~⏹ Not answered. Ask again any time.~');
    expect(await terminal.ask(card({}), lapse.signal)).toBeUndefined();
  });

  test('cannot be answered once the input has ended', async () => {
    const { types, show, terminal } = await inTurn();
    show(paused);
    const reply = terminal.ask(card({}), new AbortController().signal);
    await types(CTRL_D);
    expect(await reply).toBeUndefined();
  });
});

describe('an end that is no answer is explained', () => {
  const unreachable = new ModelError('unreachable', 'ECONNREFUSED 127.0.0.1:9', {
    hint: 'Check OPENAI_BASE_URL, and that the server runs.',
    retryable: true,
  });
  test.each([
    [
      { kind: 'error', failure: failureOf(unreachable), retryable: true },
      '✗ I could not reach the model.\n  Check OPENAI_BASE_URL, and that the server runs. Then ask again.\n  Details: .docent/docent.log',
    ],
    [
      { kind: 'error', failure: failureOf(new TypeError('x is not a function')), retryable: false },
      '✗ Something went wrong on my side. Ask again; if it happens again, report it.\n  Details: .docent/docent.log',
    ],
    [{ kind: 'no_reply' }, 'Not answered. Ask again any time.'],
    [{ kind: 'blocked', reason: 'too many messages' }, 'This was not let through: too many messages'],
    [
      { kind: 'interrupted', answer: 'half' },
      'half\n✗ Interrupted: the answer above is not complete. Ask again, or say "go on".',
    ],
  ] as readonly [Outcome, string][])('%j', async (outcome, text) => {
    const { screen, show } = await inTurn({ columns: 100 });
    show(ended(outcome));
    expect(screen.text()).toBe(`> hi\n${text}\n\n>`);
    expect(screen.text()).not.toMatch(/ECONNREFUSED|not a function/);
  });
});

describe('in a pipe', () => {
  test('one line gets its answer as plain text, and the input ends the program', async () => {
    const { screen, told, types, show, endInput, terminal } = bench(false);
    terminal.say('practice model');
    await types('12*7\n');
    await endInput();
    expect(told).toEqual([]);
    terminal.ready();
    expect(told).toEqual(['12*7']);
    show(thinking('hm'), calls('a'), returns('a'), answer('12 × 7 = '), answer('84'), ended());
    expect(told).toEqual(['12*7']);
    terminal.ready();
    expect(told).toEqual(['12*7', '<end>']);
    terminal.close();
    expect(screen.raw).toBe('12 × 7 = 84\n');
  });

  test('every line gets a turn of its own, and the next line answers a question', async () => {
    const { screen, told, types, show, endInput, terminal } = bench(false);
    terminal.ready();
    await types('ln x?\n1\n\nthanks\n');
    await endInput();
    expect(told).toEqual(['ln x?']);
    show(answer('It is 1/x.'), paused);
    const reply = terminal.ask(card(yesNo), new AbortController().signal);
    expect((await reply)?.[0]?.selected).toEqual(['Yes']);
    show(answer('It is 1/x.'), answer('\n\nProof …'), ended());
    expect(told).toEqual(['ln x?']);
    terminal.ready();
    expect(told).toEqual(['ln x?', 'thanks']);
    show(answer('Any time.'), ended());
    terminal.ready();
    expect(told).toEqual(['ln x?', 'thanks', '<end>']);
    expect(screen.raw).toBe(
      'It is 1/x.\n❓ Shall I show the proof?\n   1  Yes\n   2  Just an example\n   1–2 or your own words · /skip to leave it open\n✓ Yes\nProof …\nAny time.\n',
    );
  });

  test('text that is taken back is marked, without any escape sequence', async () => {
    const { screen, show, terminal } = bench(false);
    terminal.ready();
    show(answer('draft'), retracted(0), answer('anew\u001B[31m'), ended());
    expect(screen.raw).toBe('draft\n— taken back, see below —\nanew␛[31m\n');
  });

  test('an empty input ends at once', async () => {
    const { told, endInput, terminal } = bench(false);
    terminal.ready();
    await endInput();
    expect(told).toEqual(['<end>']);
  });

  test('a question that nobody can answer any more is given up', async () => {
    const { types, show, endInput, terminal } = bench(false);
    terminal.ready();
    await types('hi\n');
    await endInput();
    show(paused);
    expect(await terminal.ask(card({}), new AbortController().signal)).toBeUndefined();
  });
});
