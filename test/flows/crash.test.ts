// What a crash costs, row by row of the table in docs/architecture.md: the process really dies, another one takes over.
import { describe, expect } from 'vitest';
import { wordsFor } from '../../src/render/notices.ts';
import type { CrashPlan } from '../support/crash.ts';
import { test } from '../support/flows/flow-test.ts';
import { isFull } from '../support/flows/full.ts';
import { held } from '../support/llm/held.ts';
import { call, calls, type ReceivedRequest, type Reply, say } from '../support/llm/reply.ts';

const remember = call('write_memory', { text: 'likes sums' });
const noted = say('FINISH', 'Noted.');
const ask = call('ask_user', {
  questions: [{ prompt: 'Which chapter?', options: [{ label: 'One' }, { label: 'Two' }] }],
});
const openCard = '❓ Which chapter?\n1. One\n2. Two';
const answeredCard = '❓ Which chapter?\n✓ Two';

describe.concurrent('a message', () => {
  test('stored by a gateway that died before it woke anybody is found by the sweep', async ({ startBot }) => {
    const bot = await startBot([noted]);
    await bot.startWorker();
    await bot.hearsAndDies('remember that I like sums');
    await bot.untilThread('Noted.');
    expect(bot.llm.requests).toHaveLength(1);
  });

  test.for<[string, CrashPlan]>([
    ['the claim', { at: 'conversations.claim', when: 'after' }],
    ['the start of the turn', { at: 'claim.append', when: 'after', having: '"turn/start"' }],
    ['the message was recorded', { at: 'claim.append', when: 'after', having: '"step/start"' }],
  ])('is answered once by the next worker when the first dies behind %s', async ([, crash], { startBot }) => {
    const bot = await startBot([noted]);
    const first = await bot.startWorker({ crash });
    await bot.hears('remember that I like sums');
    await first.ended;
    await bot.startWorker();
    await bot.untilThread('Noted.');
    await bot.untilIdle();
    expect(bot.llm.requests).toHaveLength(1);
    expect(await bot.said()).toEqual(['remember that I like sums']);
  });

  test('of kind next is not answered before it is known', async ({ startBot }) => {
    const bot = await startBot([noted]);
    const crash = { at: 'claim.append', when: 'after', having: '"turn/start"' } as const;
    const first = await bot.startWorker({ crash });
    await bot.hears('remember that I like sums', { kind: 'next' });
    await first.ended;
    await bot.startWorker();
    await bot.untilThread('Noted.');
    await bot.untilIdle();
    expect(bot.llm.requests).toHaveLength(1);
    expect(await bot.said()).toEqual(['remember that I like sums']);
  });
});

describe.concurrent('a turn', () => {
  test('cut off while its answer is written goes on in the same message, within 45 s at real settings', async ({
    startBot,
  }) => {
    const bot = await startBot([
      say('FINISH', 'Half of an answ', { hang: 'silent' }),
      say('FINISH', 'A whole answer.'),
    ]);
    const real = { env: { LOCK_MS: '15000' } };
    await bot.startWorker(real);
    await bot.startWorker(real);
    await bot.hears('tell me about sums');
    await bot.untilShown('Half');
    await (await bot.writerOf('Half')).kill();
    const diedAt = performance.now();
    await bot.untilShown('A whole answer.', 45_000);
    expect(performance.now() - diedAt).toBeLessThan(45_000);
  }, 60_000);

  test.for<[string, CrashPlan, string]>([
    [
      'before the tool ran',
      { at: 'claim.append', when: 'after', having: '"tool/call"' },
      'whether it took effect is unknown',
    ],
    [
      'after the tool ran',
      { at: 'claim.append', when: 'before', having: '"tool/result"' },
      'whether it took effect is unknown',
    ],
    [
      'after its result was recorded',
      { at: 'claim.append', when: 'after', having: '"tool/result"' },
      'Remembered.',
    ],
  ])(
    'whose process dies %s runs no tool twice and says so to the model',
    async ([, crash, told], { startBot }) => {
      const bot = await startBot([remember, noted]);
      const first = await bot.startWorker({ crash });
      await bot.hears('remember that I like sums');
      await first.ended;
      await bot.startWorker();
      await bot.untilThread('Noted.');
      expect(bot.llm.requests).toHaveLength(2);
      const result = bot.llm.requests[1]?.messages.find(({ role }) => role === 'tool');
      expect(result?.content).toContain(told);
      expect((await bot.effects()).length).toBeLessThanOrEqual(1);
    },
  );

  test('that dies with half of its first answer shown, steered to a second, shows both whole', async ({
    startBot,
  }) => {
    const whole = 'Sums are easy, said the first process.';
    const first = held(say('FINISH', whole));
    const bot = await startBot((_request, n) =>
      n === 0 ? first.reply() : say('FINISH', 'So are equations.'),
    );
    await bot.platform.fault({ on: 'edit', kind: 'answer', how: 'refused', times: 1 });
    const worker = await bot.startWorker({
      crash: { at: 'claim.append', when: 'after', having: '"equations?"' },
    });
    await bot.hears('explain sums');
    await bot.untilAsked(1);
    await bot.hears('equations?');
    first.release();
    await worker.ended;
    await bot.startWorker();
    await bot.untilThread(whole, 'So are equations.');
  });

  test.for<[string, CrashPlan]>([
    ['behind the record of its answer', { at: 'claim.append', when: 'after', having: '"assistant/message"' }],
    ['before its last text is shown', { at: 'surface.edit', when: 'before', having: '"final"' }],
    ['when its last text was shown', { at: 'surface.edit', when: 'after', having: '"final"' }],
    ['behind its end', { at: 'claim.append', when: 'after', having: '"turn/end"' }],
    ['before the commit', { at: 'claim.commit', when: 'before' }],
    ['behind the commit', { at: 'claim.commit', when: 'after' }],
  ])('that dies %s is finished without another model call', async ([, crash], { startBot }) => {
    const bot = await startBot([noted]);
    const first = await bot.startWorker({ crash });
    await bot.hears('remember that I like sums');
    await first.ended;
    await bot.startWorker();
    await bot.untilThread('Noted.');
    await bot.untilIdle();
    expect(bot.llm.requests).toHaveLength(1);
    expect(await bot.messages()).toMatchObject([{ kind: 'answer', state: 'final', text: 'Noted.' }]);
  });
});

describe.concurrent('a question', () => {
  test.for<[string, CrashPlan]>([
    ['the journal says that it pauses', { at: 'claim.append', when: 'after', having: '"turn/paused"' }],
    ['the question is stored', { at: 'claim.openPause', when: 'after' }],
    ['its timer is set', { at: 'timers.set', when: 'after' }],
    [
      'the ledger knows that a card will be posted',
      { at: 'ledger.intend', when: 'after', having: 'question' },
    ],
    ['the card is posted but not recorded', { at: 'surface.post', when: 'after', having: '"question"' }],
    ['the ledger knows the card', { at: 'ledger.done', when: 'after', having: 'question' }],
    ['the question knows its card', { at: 'claim.updatePause', when: 'after', having: '"card"' }],
    ['the commit', { at: 'claim.commit', when: 'after' }],
  ])(
    'has one card, and its answer counts, when its process dies behind: %s',
    async ([, crash], { startBot }) => {
      const bot = await startBot([ask, say('FINISH', 'Chapter two it is.')]);
      const first = await bot.startWorker({ crash });
      await bot.hears('help me revise');
      await first.ended;
      await bot.startWorker();
      await bot.untilThread(openCard);
      await bot.untilIdle();
      await bot.clicks('Two');
      await bot.untilThread(answeredCard, 'Chapter two it is.');
      expect(bot.llm.requests).toHaveLength(2);
      expect(
        (await bot.platform.state()).messages.filter(({ key }) => key.includes('question')),
      ).toHaveLength(1);
    },
  );

  test('posted without anybody hearing of it is found again where the platform keeps no keys', async ({
    startBot,
  }) => {
    const bot = await startBot([ask, say('FINISH', 'Chapter two it is.')], { rules: { keys: 'found' } });
    const first = await bot.startWorker({
      crash: { at: 'surface.post', when: 'after', having: '"question"' },
    });
    await bot.hears('help me revise');
    await first.ended;
    await bot.startWorker();
    await bot.untilIdle();
    await bot.clicks('Two');
    await bot.untilThread(answeredCard, 'Chapter two it is.');
  });

  test('comes with the whole text before it, when its process died with half of that shown', async ({
    startBot,
  }) => {
    const part = say('PAUSE', 'A sum has two parts. Now I need to know something.');
    const bot = await startBot([part, ask]);
    await bot.platform.fault({ on: 'edit', kind: 'answer', how: 'refused', times: 1 });
    const first = await bot.startWorker({ crash: { at: 'claim.openPause', when: 'after' } });
    await bot.hears('help me revise');
    await first.ended;
    await bot.startWorker();
    await bot.untilThread('A sum has two parts. Now I need to know something.', openCard);
    await bot.untilIdle();
    expect(bot.llm.requests).toHaveLength(2);
  });

  test.for<[string, CrashPlan]>([
    ['the claim of the answer', { at: 'conversations.claim', when: 'after', nth: 2 }],
    ['the question was closed', { at: 'claim.closePause', when: 'after' }],
    ['the answer was recorded', { at: 'claim.append', when: 'after', having: '"answered"' }],
    ['the card shows the choice', { at: 'surface.edit', when: 'after', having: '"answered"' }],
  ])(
    'answered to a process that dies behind %s is answered all the same, and its card closes',
    async ([, crash], { startBot }) => {
      const bot = await startBot((_request, n) => (n === 0 ? ask : say('FINISH', 'Chapter two it is.')));
      const first = await bot.startWorker({ crash });
      await bot.hears('help me revise');
      await bot.untilThread(openCard);
      await bot.untilIdle();
      await bot.clicks('Two');
      await first.ended;
      await bot.startWorker();
      await bot.untilThread(answeredCard, 'Chapter two it is.');
      await bot.untilIdle();
      expect(await bot.openQuestion()).toBeUndefined();
    },
  );

  test('keeps its first answer when the process dies between the last answer and its record', async ({
    startBot,
  }) => {
    const questions = [{ prompt: 'Which chapter?' }, { prompt: 'Which exercise?' }];
    const bot = await startBot([call('ask_user', { questions }), say('FINISH', 'Let us start.')]);
    const first = await bot.startWorker({ crash: { at: 'claim.closePause', when: 'after' } });
    await bot.hears('help me revise');
    await bot.untilShown('Which chapter?');
    await bot.hears('the third');
    await bot.untilShown('✓ the third');
    await bot.hears('number seven');
    await first.ended;
    await bot.startWorker();
    await bot.untilShown('Let us start.');
    expect(await bot.thread()).toEqual([
      '❓ Which chapter?\n✓ the third\n\n❓ Which exercise?\n✓ number seven',
      'Let us start.',
    ]);
  });

  test('survives the death of everything between question and answer', async ({ startBot }) => {
    const bot = await startBot([ask, say('FINISH', 'Chapter two it is.')], {
      redisArgs: ['--appendonly', 'yes', '--appendfsync', 'always'],
    });
    const first = await bot.startWorker();
    await bot.hears('help me revise');
    await bot.untilThread(openCard);
    await bot.untilIdle();
    await first.kill();
    await bot.redis.stop();
    await bot.redis.start();
    await bot.startWorker();
    await bot.clicks('Two');
    await bot.untilThread(answeredCard, 'Chapter two it is.');
  });
});

describe.concurrent('a turn that kills its process again and again', () => {
  const givenUp = wordsFor(undefined).givenUp;
  const poison: CrashPlan = { at: 'claim.append', when: 'before', having: '"assistant/message"' };

  test('is given up and told once; the conversation goes on', async ({ startBot }) => {
    const bot = await startBot([remember, remember, say('FINISH', 'Hello again.')]);
    await bot.hears('remember that I like sums');
    for (let life = 1; life <= 2; life += 1) {
      const worker = await bot.startWorker({ crash: poison });
      await worker.ended;
    }
    const third = await bot.startWorker({
      crash: { at: 'claim.append', when: 'before', having: '"turn/end"' },
    });
    await third.ended;
    await bot.startWorker();
    await bot.untilThread(givenUp);
    await bot.untilIdle();
    await bot.hears('are you there?');
    await bot.untilThread(givenUp, 'Hello again.');
    expect(bot.llm.requests).toHaveLength(3);
  });
});

describe.concurrent('a worker that lost its conversation while it was frozen', () => {
  test('writes nothing any more when it wakes up', async ({ startBot }) => {
    const bot = await startBot([
      say('FINISH', 'The old worker', { hang: 'silent' }),
      say('FINISH', 'The new worker speaks.'),
    ]);
    const old = await bot.startWorker();
    await bot.hears('who are you?');
    await bot.untilShown('The old');
    old.signal('SIGSTOP');
    await bot.startWorker();
    await bot.untilThread('The new worker speaks.');
    await bot.untilIdle();
    const before = { state: await bot.platform.state(), journal: await bot.journal() };
    old.signal('SIGCONT');
    await bot.until('the old worker knows', () =>
      old.output().includes('another worker took the conversation over'),
    );
    expect({ state: await bot.platform.state(), journal: await bot.journal() }).toEqual(before);
  });
});

// Every place at which something became durable, one after the other.
describe.runIf(isFull)('a turn with two tools and a question', { concurrent: true, timeout: 90_000 }, () => {
  const places = Array.from({ length: 16 }, (_, at) => at + 1);
  test.for(places)(
    'ends as if nothing had happened when its process dies behind record %i',
    async (nth, { startBot }) => {
      const bot = await startBot(whatIsMissing);
      await bot.startWorker({ crash: { at: 'claim.append', when: 'after', nth } });
      await bot.hears('help me revise');
      await bot.startWorker();
      await bot.untilShown('Which chapter?');
      await bot.untilIdle();
      await bot.clicks('Two');
      await bot.untilShown('Let us begin.');
      await bot.untilIdle();
      const effects = await bot.effects();
      expect(['first', 'second'].filter((each) => effects.includes(each))).toEqual(effects);
      expect(await bot.thread()).toEqual([answeredCard, 'Let us begin.']);
      expect((await bot.journal()).filter(({ type }) => type === 'turn/start')).toHaveLength(1);
    },
  );

  /** Asks for what the conversation has not had yet; a question that was never shown is asked again. */
  function whatIsMissing({ messages }: ReceivedRequest): Reply {
    const made = messages.flatMap(({ tool_calls: list }) => list ?? []);
    const asked = made.findLast((each) => each.function.name === 'ask_user');
    const answer = messages.find((each) => asked !== undefined && each.tool_call_id === asked.id);
    if (String(answer?.content).startsWith('{')) return say('FINISH', 'Let us begin.');
    if (made.length > 0) return ask;
    return calls([
      { name: 'write_memory', args: { text: 'first' } },
      { name: 'write_memory', args: { text: 'second' } },
    ]);
  }
});
