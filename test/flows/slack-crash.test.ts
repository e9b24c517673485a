// Docent on Slack when things end that must not: processes by SIGKILL, Redis for ten seconds; and when a class asks at once.
// Two gateways and three workers in processes of their own. `TEST_FULL=1` waits as long as it says, and over HTTP, too.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isFull } from '../support/flows/full.ts';
import { type Reply, say } from '../support/llm/reply.ts';
import { percentile } from '../support/pace/measures.ts';
import type { Child } from '../support/processes.ts';
import type { Docent, Way } from '../support/slack/docent.ts';
import { docentForTests } from '../support/slack/docent-for-tests.ts';

/** How long Redis is away. Unit: milliseconds. */
const awayMs = isFull ? 10_000 : 2_000;

let docent: Docent;
let slack: Docent['slack'];
let room = '';
let gateways: readonly Child[];
let workers: readonly Child[];

docentForTests(async (started) => {
  docent = started;
  ({ slack } = docent);
  workers = await threeWorkers();
});

const threeWorkers = () => Promise.all([docent.run('worker'), docent.run('worker'), docent.run('worker')]);
const lines = Array.from({ length: 60 }, (_, at) => `Line ${at}.`);
const slowly = say('FINISH', lines.join('\n'), { delayMs: 100 });

async function asks(text: string, ...replies: readonly Reply[]) {
  docent.willSay(...replies);
  room = await docent.newRoom();
  return slack.say('mia', `@Docent ${text}`, { in: room });
}

/** Slack tries again. What is on its way then is not to look late. */
async function later(ms: number) {
  await docent.untilTaken();
  await slack.advance(ms);
}

/** Every line once, in order, in one message. */
async function wholeAnswer() {
  await docent.untilShown(room, 'Line 59.');
  const answer = await docent.untilEnded(room);
  expect(answer.shown.trim()).toBe(lines.join('\n'));
  expect(await docent.says(room)).toHaveLength(1);
  return answer;
}

describe.each<Way>(isFull ? ['sockets', 'HTTP'] : ['sockets'])('over %s', (way) => {
  beforeAll(async () => {
    gateways = await docent.listen(way, 2);
  });
  afterAll(() => Promise.all(gateways.map((gateway) => gateway.kill())));

  test('gateways that die between event and acknowledgement lose nothing, and nothing is answered twice', async () => {
    room = await docent.newRoom();
    docent.willSay(say('FINISH', 'Heard.'), say('FINISH', 'Heard twice.'));
    // Nothing can be stored, so nothing is acknowledged.
    docent.redis.signal('SIGSTOP');
    await slack.say('mia', '@Docent do you hear me?', { in: room });
    await docent.until('the event is on its way', async () => (await slack.underWay()) > 0);
    await Promise.all(gateways.map((gateway) => gateway.kill()));
    docent.redis.signal('SIGCONT');
    gateways = await docent.listen(way, 2);
    await later(60_000);
    await docent.untilShown(room, 'Heard.');
    await docent.untilEnded(room);
    await later(300_000); // for the last time
    await docent.untilTaken();
    expect(await docent.says(room)).toHaveLength(1);
  });

  test('one gateway of two that dies hands what it held to the other', async () => {
    room = await docent.newRoom();
    docent.willSay(say('FINISH', 'Heard.'), say('FINISH', 'Heard twice.'));
    docent.redis.signal('SIGSTOP');
    await slack.say('mia', '@Docent do you hear me?', { in: room });
    await docent.until('the event is on its way', async () => (await slack.underWay()) > 0);
    await gateways[0]?.kill();
    docent.redis.signal('SIGCONT');
    await docent.untilShown(room, 'Heard.');
    await docent.untilEnded(room);
    expect(await docent.says(room)).toHaveLength(1);
    await gateways[1]?.kill();
    gateways = await docent.listen(way, 2);
  });

  test('an answer is finished in its message when all workers die in the middle of it', async () => {
    await asks('count', slowly, slowly);
    const { ts } = await docent.untilShown(room, 'Line 5.');
    const died = Date.now();
    await Promise.all(workers.map((worker) => worker.kill()));
    workers = await threeWorkers();
    expect((await wholeAnswer()).ts).toBe(ts);
    expect(Date.now() - died).toBeLessThanOrEqual(45_000);
  });

  test('an answer whose start nobody heard of is found again by the next worker', async () => {
    await slack.fault({ on: 'chat.startStream', how: 'slow', ms: 20_000 });
    await asks('count', slowly, slowly);
    await docent.until('something of it is there', async () => (await docent.says(room)).length > 0);
    const [half] = await docent.says(room);
    await Promise.all(workers.map((worker) => worker.kill()));
    workers = await threeWorkers();
    expect((await wholeAnswer()).ts).toBe(half?.ts);
  });

  test('Redis is away for a while: what was asked before is answered, what is asked meanwhile, too', async () => {
    await asks('count', slowly, slowly);
    await docent.untilShown(room, 'Line 5.');
    const before = room;
    await docent.redis.stop();
    room = await docent.newRoom();
    await slack.say('ben', '@Docent is Redis there?', { in: room });
    await sleep(awayMs);
    docent.willSay(slowly, say('FINISH', 'Back again.'), say('FINISH', 'Back again.'));
    await docent.redis.start();
    await later(60_000);
    await Promise.all([docent.untilEnded(before), docent.untilEnded(room)]);
    expect([await docent.says(before), await docent.says(room)].map((all) => all.length)).toEqual([1, 1]);
    await slack.forgetJournal(); // what came too late is not the question here
  });

  test('thirty people ask at once, and all are answered', async () => {
    const rooms = await Promise.all([docent.newRoom(), docent.newRoom(), docent.newRoom()]);
    const answer = say('FINISH', 'One over x.');
    docent.willSay(...Array.from({ length: 60 }, () => answer));
    const asked = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        slack.say(`pupil ${at}`, `@Docent why? (${at})`, { in: rooms[at % 3] ?? '' }),
      ),
    );
    const answers = async () => (await Promise.all(rooms.map((each) => docent.says(each)))).flat();
    let waiting: readonly string[] = [];
    let seen: readonly string[] = [];
    await docent.until(
      () => `all are answered; these are not: ${waiting.join(' ')}; there is ${seen.join(' / ')}`,
      async () => {
        const all = await answers();
        seen = all.map(({ shown }) => shown);
        const isDone = (ts: string) =>
          all.some(({ thread, shown }) => thread === ts && shown === 'One over x.');
        waiting = asked.map(({ ts }) => ts).filter((ts) => !isDone(ts));
        return waiting.length === 0;
      },
    );
    expect(await answers()).toHaveLength(30);
    const calls = await slack.calls();
    expect(calls.filter(({ status }) => status === 429).length / calls.length).toBeLessThan(0.02);
    const acks = (await slack.acks()).map(({ afterMs }) => afterMs ?? Number.POSITIVE_INFINITY);
    // On a machine that does nothing else: one second. Slack gives three.
    const slowest = percentile(
      acks.toSorted((a, b) => a - b),
      99,
    );
    expect(slowest).toBeLessThan(isFull ? 1_000 : 3_000);
    const signs = asked.map(({ ts }) =>
      calls.find(({ method, args }) => method === 'assistant.threads.setStatus' && args['thread_ts'] === ts),
    );
    expect(signs.every((sign) => sign !== undefined)).toBe(true);
  });
});

describe('a long answer', () => {
  beforeAll(async () => {
    gateways = await docent.listen('sockets', 2);
  });
  const code = Array.from(
    { length: 120 },
    (_, at) => `${' '.repeat(at % 8)}line(${at})  # <vector> *_~| & "`,
  ).join('\n');
  const prose = (name: string) =>
    Array.from(
      { length: 40 },
      (_, at) => `Sentence ${name}${at} is **bold** and has [a link](https://example.org/${at}).`,
    ).join(' ');
  const answer = [
    '# Everything <!channel> may read',
    prose('a'),
    `\`\`\`python\n${code}\n\`\`\``,
    '- one\n  - two\n    1. three\n- six',
    '| name | value |\n| - | - |\n| alpha | 1 |\n| beta | 2 |',
    prose('b'),
    'The very end.',
  ].join('\n\n');

  test('of 10,000 characters is complete, with its code byte for byte, and calls nobody', async () => {
    expect(answer.length).toBeGreaterThan(9_000);
    await asks(
      'everything',
      say('FINISH', answer, { delayMs: 30, chunk: (whole) => whole.match(/[^]{1,150}/g) ?? [] }),
    );
    await docent.untilShown(room, 'The very end.');
    await docent.untilEnded(room);
    const shown = await docent.says(room);
    const all = shown.map(({ shown: text }) => text).join('\n');
    for (const name of ['a', 'b'])
      for (let at = 0; at < 40; at += 1) expect(all).toContain(`Sentence ${name}${at} is`);
    for (const item of ['one', 'two', 'three', 'six', 'alpha', 'beta']) expect(all).toContain(item);
    const pieces = [...all.matchAll(/^```(?:python)?\n([^]*?)\n```$/gm)].map(([, inside = '']) => inside);
    expect(unescaped(pieces.join('\n'))).toBe(code);
    const here = (await slack.pings()).filter(({ channel }) => channel === room);
    expect(here).toEqual([]);
  });

  const unescaped = (text: string) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
});
