// Where people can address the bot, and how: two shards, real Redis, a gateway and a worker in processes of their own.
import { describe, expect, test } from 'vitest';
import { globalKeys } from '../../src/store/redis/keys.ts';
import type { Docent } from '../support/discord/docent.ts';
import { docentForTests } from '../support/discord/docent-for-tests.ts';
import { say } from '../support/llm/reply.ts';
import type { Child } from '../support/processes.ts';

let docent: Docent;
let discord: Docent['discord'];
let gateway: Child;

docentForTests(async (started) => {
  docent = started;
  ({ discord } = docent);
  await discord.gateway({ shards: 2 });
  [gateway] = await Promise.all([docent.run('gateway'), docent.run('worker')]);
});

/** The number at the end is another one in each test. */
let answers = 0;
function nextAnswer(): string {
  const text = `Answer ${(answers += 1)}.`;
  docent.willSay(say('FINISH', text));
  return text;
}

const kinds = [
  ['an announcement channel', 'news'],
  ['the text of a voice channel', 'lounge'],
  ['a text channel', 'calculus'],
];
test.each(kinds)('a mention in %s is answered by a reply there', async (_, channel) => {
  const text = nextAnswer();
  const question = await discord.say('mia', '@Docent why?', { in: channel });
  const answer = await docent.untilShown(channel, text);
  expect(answer.replyTo).toBe(question.id);
});

test('the role of the bot is the bot', async () => {
  const text = nextAnswer();
  const { id } = await discord.say('mia', '@&Docent why?', { in: 'calculus' });
  expect((await docent.untilShown('calculus', text)).replyTo).toBe(id);
});

test('a reply that pings is for the bot, another one is not', async () => {
  const first = nextAnswer();
  await discord.say('mia', '@Docent one', { in: 'calculus' });
  const { id } = await docent.untilShown('calculus', first);
  const asked = docent.llm.requests.length;
  nextAnswer();
  await discord.say('ben', 'quietly', { in: 'calculus', replyTo: id, ping: false });
  const second = nextAnswer();
  await discord.say('ben', 'aloud', { in: 'calculus', replyTo: id });
  await docent.untilShown('calculus', second);
  expect(docent.llm.requests.length - asked).toBe(1);
});

test('a post in a forum is answered in it, and goes on without a mention', async () => {
  const first = nextAnswer();
  const post = await discord.post('mia', 'Derivatives', '@Docent why is it 1/x?');
  await docent.untilShown(post.id, first);
  const second = nextAnswer();
  await discord.say('mia', 'an example please', { in: post.id });
  await docent.untilShown(post.id, second);
  expect((await docent.says(post.id)).map(({ content }) => content)).toEqual([first, second]);
});

test('direct messages need no mention', async () => {
  const text = nextAnswer();
  await discord.say('mia', 'why?', { in: 'dm' });
  const { pings } = await docent.untilShown(await discord.channelId('dm', 'mia'), text);
  expect(pings.everyone).toBe(false);
});

test.each([
  ['everyone', '@everyone look at this'],
  ['here', '@here look at this'],
  ['another person', '@ben look at this'],
])('who calls %s does not mean the bot', async (_, call) => {
  await discord.say('ben', 'hello');
  const asked = docent.llm.requests.length;
  nextAnswer();
  await discord.say('mia', call, { in: 'calculus' });
  const text = nextAnswer();
  await discord.say('mia', '@Docent and now?', { in: 'calculus' });
  await docent.untilShown('calculus', text);
  expect(docent.llm.requests.length - asked).toBe(1);
});

describe('nothing is lost, nothing twice', () => {
  test('when the line of one shard is dead and was not closed, and when Redis is away', async () => {
    await discord.gateway({ heartbeatMs: 500 });
    await discord.askToReconnect();
    await discord.until(discord.sessions, (all) => all.every(({ isConnected }) => isConnected));
    await discord.gateway({ answersHeartbeats: false, keepsBack: true });
    const onDeadLine = nextAnswer();
    await discord.say('mia', '@Docent does anybody hear?', { in: 'calculus' });
    await discord.until(discord.sessions, (all) => all.some(({ resumes }) => resumes > 1), 20_000);
    await discord.gateway({ answersHeartbeats: true, keepsBack: false, heartbeatMs: 41_250 });
    await docent.untilShown('calculus', onDeadLine);

    await docent.redis.stop();
    const whileAway = nextAnswer();
    await discord.say('mia', '@Docent is Redis there?', { in: 'calculus' });
    await docent.redis.start();
    await docent.untilShown('calculus', whileAway);
    const shown = (await docent.says('calculus')).map(({ content }) => content);
    for (const text of [onDeadLine, whileAway]) expect(shown.filter((each) => each === text)).toHaveLength(1);
  });

  test('when the gateway is killed: channels, posts and direct messages are read again', async () => {
    const before = nextAnswer();
    const { id } = await discord.say('ann', 'are you there?', { in: 'dm' });
    const direct = await discord.channelId('dm', 'ann');
    await docent.untilShown(direct, before);
    await docent.until('the gateway has noted how far it is', async () => {
      const cursor = await docent.redis.redis.get(globalKeys.cursor('discord'));
      return BigInt(cursor ?? 0) >= BigInt(id);
    });
    await gateway.kill();
    const texts = ['A.', 'B.', 'C.'];
    docent.willSay(...texts.map((text) => say('FINISH', text)));
    await discord.say('ann', 'and now?', { in: 'dm' });
    await discord.say('mia', '@Docent in the news?', { in: 'news' });
    const { id: post } = await discord.post('mia', 'Integrals', '@Docent and in a post?');
    await docent.run('gateway');
    const said = async (where: string) => (await docent.says(where)).at(-1)?.content ?? '';
    let seen: readonly string[] = [];
    await docent.until(
      () => `all three are answered; they are: ${seen.join(' ')}`,
      async () => {
        seen = await Promise.all([direct, 'news', post].map(said));
        return seen.toSorted().join(' ') === texts.join(' ');
      },
    );
    expect((await docent.says(direct)).map(({ content }) => content)).toEqual([before, seen[0]]);
  });
});
