// A journal with a hole, as an accident with Redis may leave it.
import { expect } from 'vitest';
import { wordsFor } from '../../src/render/notices.ts';
import { test } from '../support/flows/flow-test.ts';
import { say } from '../support/llm/reply.ts';

test('a conversation with a missing record says so and asks no model; the others go on', async ({
  startBot,
}) => {
  const bot = await startBot([say('FINISH', 'One.'), say('FINISH', 'Two.')]);
  await bot.startWorker();
  await bot.hears('first');
  await bot.untilThread('One.');
  await bot.untilIdle();
  await bot.losesRecord(2);

  await bot.hears('second');
  await bot.untilThread('One.', wordsFor('en').unreadable);
  await bot.untilIdle();
  expect(bot.llm.requests).toHaveLength(1);

  await bot.hears('elsewhere', { room: 'other' });
  await bot.untilIdle('other');
  expect(await bot.thread('other')).toEqual(['Two.']);
});
