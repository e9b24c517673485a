// The whole product in the terminal, against model services of every kind: each turn ends with an answer or a clear line.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { docentChat, startDocent } from '../support/docent-chat.ts';
import { call, calls, type Reply, type Script, say } from '../support/llm/reply.ts';
import { type StrictLlm, type StrictLlmOptions, startStrictLlm } from '../support/llm/strict-llm.ts';

let service: StrictLlm | undefined;

afterEach(async () => {
  const violations = service?.violations ?? [];
  await service?.close();
  service = undefined;
  expect(violations).toEqual([]);
});

async function chatWith(
  script: Script,
  lines: readonly string[],
  options: StrictLlmOptions = {},
  env = {},
  until?: RegExp,
) {
  service = await startStrictLlm(script, options);
  return docentChat(lines, { OPENAI_BASE_URL: service.url, OPENAI_MODEL: 'test-model', ...env }, until);
}

const question = { questions: [{ prompt: 'Which chapter?', options: ['One', 'Two'] }] };

test('without key and address the practice model works a sum and says what it is', async () => {
  const { out, code, err } = await docentChat(['12*7']);
  expect(out).toContain('84');
  expect(out).toContain('OPENAI_API_KEY');
  expect([code, err]).toEqual([0, '']);
}, 60_000);

test('a strict service: thought, question, answer, follow-up', async () => {
  const { out, code } = await chatWith(
    [
      say('THINK', 'Which chapter is it?'),
      call('ask_user', question),
      say('FINISH', 'Chapter two, then.'),
      say('FINISH', 'Gladly.'),
    ],
    ['help me revise', '2', 'thanks'],
  );
  expect(out).toContain('Which chapter?');
  expect(out).toContain('Chapter two, then.');
  expect(out).toContain('Gladly.');
  expect(out).not.toContain('Which chapter is it?');
  expect(out).not.toContain('FINISH');
  expect(code).toBe(0);
});

test('a later chat shows the open question once, takes its answer from a pipe, and waits for the rest', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docent-later-'));
  try {
    const first = await docentChat(['6/2(1+2)'], { DOCENT_DATA: folder });
    expect(first.out).toContain('How is 6/2(1+2) meant?');
    const { out } = await docentChat(['1'], { DOCENT_DATA: folder });
    expect(out.match(/How is/g)).toHaveLength(1);
    expect(out).toContain('= 9');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);

test('a reminder comes back by itself, and the model knows the time it was asked at', async () => {
  const { out } = await chatWith(
    () => {
      const { length } = service?.requests ?? [];
      const at = new Date(Date.now() + 2_000).toISOString();
      if (length === 1)
        return call('cron', { action: 'schedule', kind: 'reminder', message: 'redo ln x', at });
      return say('FINISH', 'I will remind you.');
    },
    ['remind me in two seconds'],
    {},
    {},
    /⏰ redo/,
  );
  expect(out).toContain('I will remind you.');
  expect(out).toMatch(/⏰ .* \(.+\)\. redo ln x\n\/reminders change r1 … · \/reminders cancel r1/);
  expect(out).toMatch(/⏰ redo ln x\n\/reminders done r1 · \/reminders snooze r1 10/);
  expect(String(service?.requests[0]?.messages[0]?.content)).toMatch(/The time is .*20\d\d/);
}, 30_000);

test('what was remembered is found again in a later conversation turn', async () => {
  const { out } = await chatWith(
    [
      call('write_memory', { op: 'add', text: 'Prefers short answers', kind: 'preference', scope: 'me' }),
      say('FINISH', 'Noted.'),
      call('read_memory', { query: 'answers' }),
      say('FINISH', 'You prefer them short.'),
    ],
    ['I prefer short answers', 'what do you know about me?'],
  );
  expect(out).toContain('You prefer them short.');
  const results = service?.requests.at(-1)?.messages.filter((message) => message.role === 'tool');
  expect(String(results?.at(-1)?.content)).toContain('Prefers short answers');
});

test('a service without tools gets them as text, and its calls are read from the text', async () => {
  const markup =
    '<tool_calls><invoke name="ask_user"><parameter name="questions">[{"prompt":"Which chapter?"}]</parameter></invoke></tool_calls>';
  const { out } = await chatWith(
    [say('TOOL', `I ask.\n${markup}`), say('FINISH', 'Chapter two, then.')],
    ['help me revise', 'the second'],
    { refuse: ['tools'] },
  );
  expect(out).toContain('Which chapter?');
  expect(out).toContain('Chapter two, then.');
  expect(out).not.toContain('invoke');
});

test('a model that never writes a label: its third text ends the turn, and after two turns it is asked natively', async () => {
  const { out, log } = await chatWith(
    (_request, n) => ({ text: `Answer number ${n}.` }),
    ['one', 'two', 'three'],
  );
  expect(out).toContain('Answer number 3.');
  expect(out).toContain('Answer number 7.');
  expect(out).toContain('Answer number 8.');
  expect(log).toContain('native for a day');
});

test('a model that never stops calling tools is closed with an answer', async () => {
  const script: Script = (request, n) =>
    request.tools === undefined
      ? { text: 'What I know so far.' }
      : calls([{ name: 'no_such_tool', args: { n } }]);
  const { out, code } = await chatWith(script, ['search for ever']);
  expect(out).toContain('What I know so far.');
  expect(code).toBe(0);
});

test('a model that calls known tools for ever, each time in another way, is closed by the budget', async () => {
  const script: Script = (request, n) =>
    request.tools === undefined
      ? { text: 'Enough.' }
      : calls([{ name: 'ask_user', args: { questions: [], n } }, { name: `other_${n}` }]);
  const { out } = await chatWith(script, ['go on']);
  expect(out).toContain('Enough.');
});

describe('what can be wrong with a service', () => {
  const rows: readonly (readonly [string, Reply, StrictLlmOptions, RegExp])[] = [
    ['a wrong key', {}, { apiKey: 'another' }, /did not accept the key[\s\S]*OPENAI_API_KEY/],
    ['an unknown model', {}, { models: ['other-model'] }, /does not know this model[\s\S]*OPENAI_MODEL/],
    ['HTML instead of a stream', { html: true }, {}, /no model service[\s\S]*OPENAI_BASE_URL/],
    ['a stream cut before the label', { text: '``FINISH``\nHello there.', cut: 'before' }, {}, /model/],
    ['a stream cut in the label', { text: '``FINISH``\nHello there.', cut: 'inside' }, {}, /broke off/],
  ];
  test.each(rows)(
    '%s: a clear line',
    async (_name, reply, options, line) => {
      const { out, code } = await chatWith(() => reply, ['hello'], options);
      expect(out).toMatch(line);
      expect(out).not.toMatch(/Error:|\bat .*\.js:\d/);
      expect(code).toBe(0);
    },
    30_000,
  );

  test('a stream cut in the answer: the text stays and is continued', async () => {
    const { out } = await chatWith(
      [{ text: '``FINISH``\nOne, two, three, four, five, six', cut: 'after' }, say('FINISH', '… and so on.')],
      ['count'],
    );
    expect(out).toContain('One, two');
    expect(out).toContain('… and so on.');
  });

  test('a busy service is asked again, then answers', async () => {
    const busy: Reply = {
      status: 429,
      headers: { 'retry-after': '0' },
      body: { error: { message: 'slow down' } },
    };
    const { out } = await chatWith([busy, { status: 500 }, say('FINISH', 'Here I am.')], ['hello']);
    expect(out).toContain('Here I am.');
  }, 30_000);

  test('nobody listens there', async () => {
    const env = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_MODEL: 'm' };
    const { out, code, log } = await docentChat(['hello'], env);
    expect(out).toMatch(/could not reach the model[\s\S]*OPENAI_BASE_URL/);
    expect(log).toContain('127.0.0.1:9');
    expect(code).toBe(0);
  }, 30_000);

  test('no model is set and the service cannot be asked for one: it does not start', async () => {
    const { err, code } = await docentChat(['hello'], { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' });
    expect(err).toMatch(/cannot start[\s\S]*127\.0\.0\.1:9/);
    expect(code).toBe(1);
  });
});

test('wrong settings are told all at once and stop the start', async () => {
  const { err, code } = await docentChat([], {
    OPENAI_BASE_URL: 'localhost:11434',
    LOOP_PROTOCOL: 'labels',
    MODEL_IDLE_S: 'soon',
  });
  expect(err.match(/^(OPENAI_BASE_URL|LOOP_PROTOCOL|MODEL_IDLE_S): expected/gm)).toHaveLength(3);
  expect(code).toBe(1);
});

test('a setting with a typing error is named with the nearest one', async () => {
  const { err, code } = await docentChat(['12*7'], { MODEL_IDEL_S: '5' });
  expect(err).toContain('MODEL_IDLE_S');
  expect(code).toBe(0);
}, 60_000);

test('the data folder cannot be written: one sentence that names the setting', async () => {
  const { err, code } = await docentChat(['hello'], { DOCENT_DATA: '/dev/null/data' });
  expect(err).toMatch(/DOCENT_DATA/);
  expect(code).toBe(1);
});

describe('odd messages reach the service as valid requests', () => {
  test.each([
    ['control characters', 'a\u0007b\u001B[31mc'],
    ['200,000 characters', 'x'.repeat(200_000)],
    ['another script', '请解释 ln x 的导数 👩‍🏫'],
  ])('%s', async (_name, line) => {
    const { out, code } = await chatWith([say('FINISH', 'Understood.')], [line]);
    expect(out).toMatch(/Understood\.|too long/);
    expect(code).toBe(0);
  });

  test('blank lines open no turn', async () => {
    const { out, code } = await chatWith([], ['', '   ']);
    expect(out).toBe('');
    expect(code).toBe(0);
  });
});

test('a chat that begins right after the worker was killed does the work itself once that is certain', async () => {
  service = await startStrictLlm([say('FINISH', 'Here I am.')]);
  const env = { OPENAI_BASE_URL: service.url, OPENAI_MODEL: 'test-model' };
  const { out, code } = await docentChat(['hello'], env, undefined, async (chatEnv, folder) => {
    const worker = await startDocent(['start', '--role', 'worker'], { ...chatEnv, PORT: '0' }, folder);
    worker.kill('SIGKILL');
  });
  expect(out).toContain('Here I am.');
  expect(code).toBe(0);
}, 60_000);
