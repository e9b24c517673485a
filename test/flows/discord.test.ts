// Docent on Discord: the real client against the fake, real Redis, gateway and worker in processes of their own.
import { test as base, describe, expect, vi } from 'vitest';
import { Docent } from '../support/discord/docent.ts';
import { type Script, say } from '../support/llm/reply.ts';

vi.setConfig({ testTimeout: 60_000 });

const test = base.extend<{ start: (script: Script) => Promise<Docent> }>({
  start: async ({ onTestFailed }, use) => {
    const started: Docent[] = [];
    onTestFailed(() => console.log(started.map((docent) => docent.output()).join('\n')));
    try {
      await use(async (script) => {
        const docent = await Docent.start(script);
        started.push(docent);
        return docent;
      });
      for (const docent of started) expect(await docent.problems()).toEqual([]);
    } finally {
      await Promise.all(started.map((docent) => docent.close()));
    }
  },
});

describe('a mention in a channel', () => {
  test('is answered by a reply, and people go on in the thread under it', async ({ start }) => {
    const docent = await start([
      say('FINISH', 'Because ln is the inverse of exp.'),
      say('FINISH', 'Take x = 2.'),
    ]);
    const { discord } = docent;
    await docent.runBoth();
    const question = await discord.say('mia', '@Docent why is the **derivative** of ln x equal to 1/x?');
    const [answer] = await docent.untilSays('general', 'Because ln is the inverse of exp.');
    expect(answer).toMatchObject({ replyTo: question.id, pings: { users: ['mia'], everyone: false } });
    await docent.until('the thread is there', async () => (await discord.threads()).length === 1);
    const [thread] = await discord.threads();
    expect(thread).toMatchObject({
      id: question.id,
      name: 'why is the derivative of ln x equal to 1/x?',
      parent: 'general',
    });

    await discord.say('mia', 'an example please', { in: question.id });
    await docent.untilSays(question.id, 'Take x = 2.');
    expect(await docent.says('general')).toHaveLength(1);
  });
});
