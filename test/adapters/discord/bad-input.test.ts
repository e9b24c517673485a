/**
 * What goes wrong around a turn, one by one, in virtual time: the turn comes to its end, what can be shown is shown once, and
 * Discord refuses nothing that a correct bot would not have tried.
 */
import { describe, expect, test, vi } from 'vitest';
import type { Controls } from '../../support/discord/controls/controls.ts';
import { inVirtualTime, type VirtualDiscord } from '../../support/discord/in-virtual-time.ts';
import type { Fault } from '../../support/discord/rest/faults.ts';

vi.setConfig({ testTimeout: 60_000 });

const lines = Array.from({ length: 40 }, (_, at) => `Line ${at}.`);
const whole = lines.join('\n');

interface Turn {
  readonly controls: Controls;
  readonly question: { readonly id: string; readonly channelId: string };
  /** What stands in the channel at the end. */
  readonly said: readonly string[];
  /** What stood there in the middle of the answer, or came after it. */
  readonly answers: readonly string[];
  readonly refused: readonly string[];
  readonly calls: readonly { readonly status: number; readonly at: number }[];
}

/** An answer of ten seconds; in its middle something happens. */
function turn(
  happens: (controls: Controls, world: { answer: string; question: string; room: string }) => void,
  {
    text = whole,
    before = () => {},
    who = 'mia',
  }: { text?: string; before?: (controls: Controls) => void; who?: string } = {},
): Promise<Turn> {
  return inVirtualTime(
    { shape: 'window' },
    async ({ controls, clock, screenFor, untilDone }: VirtualDiscord) => {
      const room = controls.addChannel('room');
      const { id, channelId } = controls.say(who, '@Docent why?', { in: 'room' });
      before(controls);
      const show = async () => {
        const screen = screenFor({ id, channelId });
        screen.show({ type: 'thinking.delta', text: 'Let me see.' });
        const pieces = text.match(/[^]{1,10}/gu) ?? [];
        for (const [at, piece] of pieces.entries()) {
          screen.show({ type: 'answer.delta', text: piece });
          await clock.sleep(10_000 / pieces.length);
          const answer = controls.botMessages().find((each) => each.channelId === channelId)?.id ?? '';
          if (at === Math.floor(pieces.length / 2)) happens(controls, { answer, question: id, room });
        }
        await screen.finish({ kind: 'finish', answer: text });
      };
      await untilDone(show());
      const own = controls.botMessages().filter(({ channelId: where }) => where === channelId);
      return {
        controls,
        question: { id, channelId },
        said: own.filter(({ isDeleted }) => !isDeleted).map(({ content }) => content),
        answers: own.map(({ content }) => content),
        refused: controls.violations().map(({ rule }) => rule),
        calls: controls.calls(),
      };
    },
  );
}

const nothing = () => {};

describe('nothing of it keeps the answer back:', () => {
  const cases: readonly (readonly [string, Parameters<typeof turn>[0]])[] = [
    ['the question is deleted', (controls, { question }) => controls.deleteMessage(question)],
    ['its asker leaves', (controls) => controls.removePerson('mia')],
    ['the channel gets another name', (controls) => controls.renameChannel('room', 'other')],
    ['the thread is deleted', (controls, { question }) => controls.deleteChannel(question)],
    ['the thread is archived (50083)', (controls, { question }) => controls.archiveThread(question)],
    ['the thread is locked', (controls, { question }) => controls.lockThread(question)],
    [
      'threads may not be started any more',
      (controls) => controls.revokePermission('room', 'CreatePublicThreads'),
    ],
    [
      'what was said before may not be read',
      (controls) => controls.revokePermission('room', 'ReadMessageHistory'),
    ],
  ];
  test.each(cases)('%s', async (_, happens) => {
    const { said, refused } = await turn(happens);
    expect(said).toEqual([whole]);
    expect(refused).toEqual([]);
  });
});

describe('the answer cannot be shown any more, and the turn ends all the same:', () => {
  const cases: readonly (readonly [string, Parameters<typeof turn>[0]])[] = [
    ['the channel is deleted (10003)', (controls) => controls.deleteChannel('room')],
    ['the bot is kicked (50001)', (controls) => controls.kickBot()],
    ['the channel is hidden (50001)', (controls) => controls.revokePermission('room', 'ViewChannel')],
    ['its message is deleted (10008)', (controls, { answer }) => controls.deleteMessage(answer)],
  ];
  test.each(cases)('%s', async (_, happens) => {
    const { answers, calls } = await turn(happens);
    expect(answers).toHaveLength(1);
    const refusals = calls.filter(({ status }) => status === 403 || status === 404);
    // Whoever tried it learns it once, for the answer and for the thread.
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals.length).toBeLessThanOrEqual(4);
  });
});

test('where the bot may not write from the start (50013) nothing is tried for long', async () => {
  const { said, calls } = await turn(nothing, {
    before: (controls) => controls.revokePermission('room', 'SendMessages'),
  });
  expect(said).toEqual([]);
  expect(calls.filter(({ status }) => status === 403).length).toBeLessThanOrEqual(4);
});

describe('Discord fails, and the answer is whole in the end, once:', () => {
  const write = 'edit_message' as const;
  const cases: readonly (readonly [string, Fault])[] = [
    ['500 at a post', { on: 'create_message', how: 'refused' }],
    ['500 at a post that was done', { on: 'create_message', how: 'unclear' }],
    ['no answer to a post that was done', { on: 'create_message', how: 'lost' }],
    ['an answer to a post that comes after 20 s', { on: 'create_message', how: 'slow', ms: 20_000 }],
    ['502 at edits', { on: write, how: 'refused', status: 502, times: 3 }],
    ['503 at edits that were done', { on: write, how: 'unclear', status: 503, times: 3 }],
    ['connections that are cut', { on: 'any', how: 'cut', times: 3 }],
    ['429 with a wait', { on: write, how: 'limited', scope: 'user', retryAfterMs: 3_000 }],
    ['429 without Retry-After', { on: write, how: 'limited', scope: 'user', times: 3 }],
    ['a shared 429', { on: write, how: 'limited', scope: 'shared', retryAfterMs: 3_000 }],
    ['a global 429', { on: write, how: 'limited', scope: 'global', retryAfterMs: 3_000 }],
    ["Cloudflare's page 1015", { on: write, how: 'cloudflare', retryAfterMs: 3_000 }],
    ["Cloudflare's page 1015 without Retry-After", { on: write, how: 'cloudflare', times: 2 }],
    ['typing is refused', { on: 'typing', how: 'error', rule: 'missing_access', times: 100 }],
    [
      'threads are refused',
      { on: 'start_thread_from_message', how: 'error', rule: 'missing_permissions', times: 100 },
    ],
  ];
  test.each(cases)('%s', async (_, fault) => {
    const { said, answers, refused, controls } = await turn(nothing, {
      before: (fake) => fake.fault(fault),
    });
    expect(said).toEqual([whole]);
    expect(answers).toHaveLength(1);
    expect(refused).toEqual([]);
    expect(controls.notices().filter(({ kind }) => kind === 'too_early' || kind === 'posted_twice')).toEqual(
      [],
    );
  });

  test('an edit of a message that is older than an hour (30046) goes on in a new one', async () => {
    const { said, answers } = await turn((fake) =>
      fake.fault({ on: 'edit_message', how: 'limited', scope: 'user', rule: 'old_edit' }),
    );
    expect(answers.length).toBeGreaterThan(1);
    expect(said.at(-1)).toBe(whole);
  });
});

test('twenty turns in one channel within a second are shown to be at work, and Discord is not asked too often', async () => {
  const typed = await inVirtualTime(
    { shape: 'window' },
    async ({ controls, clock, screenFor, untilDone }) => {
      controls.addChannel('room');
      const ask = async (_: unknown, at: number) => {
        await clock.sleep(at * 50);
        const screen = screenFor(controls.say('mia', `@Docent ${at}`, { in: 'room' }));
        screen.show({ type: 'thinking.delta', text: 'Let me see.' });
        await clock.sleep(3_000);
        screen.show({ type: 'answer.delta', text: 'Yes.' });
      };
      await untilDone(Promise.all(Array.from({ length: 20 }, ask)));
      return controls.calls('typing');
    },
  );
  expect(typed.length).toBeGreaterThan(0);
  expect(typed.filter(({ status }) => status === 429)).toEqual([]);
});

describe('text that is odd arrives:', () => {
  const family = '👩‍👩‍👧‍👦';
  const cases: readonly (readonly [string, string])[] = [
    ['2,001 characters', 'x'.repeat(2_001)],
    ['4,000 emoji', '😀'.repeat(4_000)],
    ['emoji of many code points', family.repeat(400)],
    ['from right to left', 'שלום עולם. مرحبا بالعالم. '.repeat(120)],
    ['nothing but what has no width', '\u200b\u200d\u2060'.repeat(50)],
    ['in 3,000 Japanese characters', '微分の逆は積分です。'.repeat(300)],
  ];
  test.each(cases)('%s', async (_, text) => {
    const { said, refused } = await turn(nothing, { text });
    expect(refused).toEqual([]);
    for (const message of said) expect([...message].length).toBeLessThanOrEqual(2_000);
    for (const message of said) expect(message).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/u);
    const visible = (all: string) => all.replaceAll(/\s|\u200b|\u200d|\u2060/gu, '');
    expect(visible(said.join(''))).toBe(visible(text));
  });

  test('of a person whose name is @everyone, or Markdown', async () => {
    for (const who of ['@everyone', '**bold** `code` <@1>']) {
      const { said, controls } = await turn(nothing, { who });
      expect(said).toEqual([whole]);
      expect(controls.pings().filter(({ everyone }) => everyone)).toEqual([]);
    }
  });
});
