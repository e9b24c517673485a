// Buttons, forms, commands and shortcuts: acknowledged in time, passed on once, answered to one person.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { cardBlocks } from '../../../src/adapters/slack/card.ts';
import { buttonId } from '../../../src/adapters/slack/custom-ids.ts';
import { slackWeb } from '../../../src/adapters/slack/web.ts';
import { CallId, ConversationId, TurnId, UserId } from '../../../src/domain/ids.ts';
import type { JournalRecord } from '../../../src/domain/journal.ts';
import type { OpenPause } from '../../../src/domain/pause.ts';
import type { Question, QuestionCard } from '../../../src/domain/question.ts';
import { type Hearing, type HearingOptions, hear, Store } from '../../support/slack/hearing.ts';
import { type FakeSlack, startSlack } from '../../support/slack/server.ts';

vi.setConfig({ testTimeout: 40_000, hookTimeout: 40_000 });

let slack: FakeSlack;
let store: Store;
let running: Hearing[] = [];
let conversation: ConversationId;
/** The message under which the conversation goes on. */
let root: string;
let mia: UserId;

const turn = TurnId('t1');
const callId = CallId('call-1');

beforeAll(async () => {
  slack = await startSlack();
});
afterAll(() => slack.close());
beforeEach(async () => {
  store = new Store();
  const said = await slack.say('mia', 'a question', { event: false });
  root = said.ts;
  conversation = ConversationId(`slack:${slack.teamId}:${said.channelId}:${root}`);
  mia = UserId(`slack:${await slack.idOf('mia')}`);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.close()));
  await slack.startAnew();
});

async function listen(more: HearingOptions = {}): Promise<void> {
  running.push(await hear(slack, store, more));
}

function question(options: readonly string[], more: Partial<Question> = {}): Question {
  return {
    id: 'q1',
    prompt: 'Which?',
    options: options.map((label) => ({ label })),
    multiSelect: false,
    allowFreeText: true,
    ...more,
  };
}

/** An open question of mia, its card on the surface. */
async function asked(questions: readonly Question[]): Promise<{ pause: OpenPause; card: string }> {
  const card: QuestionCard = { questions, answerers: 'asker', expiresInS: 60, cut: [] };
  const shown = { callId, card, asker: mia, answers: [] };
  const pause: OpenPause = {
    turn,
    callId,
    question: card,
    address: { surface: 'slack', place: 'T:C' },
    asker: mia,
    expiresAt: 0,
    askedAt: Date.now(),
    answers: [],
    used: [],
    told: [],
  };
  const blocks = cardBlocks(shown, 'open', { conversation, locale: 'en' });
  return { pause, card: await post('Which?', blocks) };
}

async function post(text: string, blocks: readonly object[]): Promise<string> {
  const web = slackWeb({ token: slack.token, apiUrl: slack.apiUrl });
  const posted = await web('chat.postMessage', {
    channel: conversation.split(':')[2],
    thread_ts: root,
    text,
    blocks,
    unfurl_links: false,
    unfurl_media: false,
  });
  return String(posted['ts']);
}

const untilItems = (count: number) =>
  slack.until(
    async () => store.items,
    (items) => items.length === count,
  );

/** What one person alone is told. */
const toldTo = (who: string) =>
  slack.until(
    async () =>
      (await slack.messages('general', { onlyFor: who })).filter(({ onlyFor }) => onlyFor !== undefined),
    (all) => all.length > 0,
  );

describe('a question', () => {
  test('is answered by a button, within a second', async () => {
    const { pause, card } = await asked([question(['Yes', 'No'])]);
    await listen({ pauseOf: async () => pause });
    const { id } = await slack.press('mia', card, 'No');
    const [answered] = await untilItems(1);
    expect(answered?.conversation).toBe(conversation);
    expect(answered?.item).toMatchObject({
      kind: 'answer',
      author: mia,
      callId,
      answers: { by: mia, answers: [{ id: 'q1', selected: ['No'], status: 'answered' }] },
    });
    const acked = await slack.until(
      () => slack.interaction(id),
      ({ acknowledgedAfterMs }) => acknowledgedAfterMs !== undefined,
    );
    expect(acked.error).toBeUndefined();
  });

  test('is answered from a menu', async () => {
    const { pause, card } = await asked([question(['a', 'b', 'c', 'd', 'e', 'f', 'g'])]);
    await listen({ pauseOf: async () => pause });
    await slack.choose('mia', card, 'f');
    const [answered] = await untilItems(1);
    expect(answered?.item).toMatchObject({ answers: { answers: [{ selected: ['f'] }] } });
  });

  test('is answered in a form, which only the person who was asked can open', async () => {
    const { pause, card } = await asked([question(['Yes', 'No'])]);
    await listen({ pauseOf: async () => pause });
    await slack.press('ben', card, 'open_form');
    expect((await toldTo('ben'))[0]?.shown).toBe('This question is for somebody else.');
    await slack.press('mia', card, 'open_form');
    await slack.until(
      () => slack.openView('mia'),
      (view) => view !== undefined,
    );
    const { id: empty } = await slack.submit('mia', {});
    const refused = await slack.until(
      () => slack.interaction(empty),
      ({ acknowledgedAfterMs }) => acknowledgedAfterMs !== undefined,
    );
    expect(refused.answer).toEqual({
      response_action: 'errors',
      errors: { t0: 'Nothing was chosen or written; the question is still open.' },
    });
    await slack.submit('mia', { t0: 'Both of them' });
    const [answered] = await untilItems(1);
    expect(answered?.item).toMatchObject({ answers: { answers: [{ text: 'Both of them', selected: [] }] } });
    expect(await slack.violations()).toEqual([]);
  });

  test('an old button explains itself', async () => {
    const { card } = await asked([question(['Yes', 'No'])]);
    await listen();
    await slack.press('mia', card, 'Yes');
    expect((await toldTo('mia'))[0]?.shown).toBe('This question is closed already.');
    expect(store.items).toEqual([]);
  });

  test('B103: who may not answer is told so, and the first answer wins', async () => {
    const { pause, card } = await asked([question(['Yes', 'No'])]);
    const said: string[] = [];
    await listen({
      pauseOf: async () => pause,
      accept: async ({ item }) => {
        if (item.author !== mia) return 'not_yours';
        said.push(item.kind);
        return said.length === 1 ? 'queued' : 'late';
      },
    });
    await slack.press('ben', card, 'Yes');
    expect((await toldTo('ben'))[0]?.shown).toBe('This question is for somebody else.');
    await slack.press('mia', card, 'Yes');
    await slack.press('mia', card, 'No');
    expect((await toldTo('mia'))[0]?.shown).toBe('This question is closed already.');
  });

  test('a store that is away delays no acknowledgement beyond a second or so, and the answer is kept', async () => {
    const { pause, card } = await asked([question(['Yes', 'No'])]);
    await listen({ pauseOf: async () => pause });
    store.isAway = true;
    const { id } = await slack.press('mia', card, 'Yes');
    const acked = await slack.until(
      () => slack.interaction(id),
      ({ acknowledgedAfterMs }) => acknowledgedAfterMs !== undefined,
    );
    expect(acked.error).toBeUndefined();
    store.isAway = false;
    await untilItems(1);
  });
});

describe('below an answer', () => {
  const journal = (asker: UserId): JournalRecord[] => [
    {
      type: 'turn/start',
      turn,
      protocol: 'label',
      at: 0,
      asker,
      address: { surface: 'slack', place: 'T:C' },
    } as unknown as JournalRecord,
    { type: 'turn/end', turn, outcome: { kind: 'completed' } } as unknown as JournalRecord,
  ];
  const buttons = (...actions: readonly ('again' | 'remove' | 'thinking' | 'why')[]) => [
    {
      type: 'actions',
      elements: actions.map((action) => ({
        type: 'button',
        action_id: action,
        text: { type: 'plain_text', text: action },
        value: buttonId({ action, conversation, turn, slot: 'answer:1' }),
      })),
    },
  ];

  test('its asker has it given anew; others are told why not; an admin of the workspace may', async () => {
    const answer = await post('An answer', buttons('again'));
    await listen({ journalOf: async () => journal(mia) });
    await slack.press('ben', answer, 'again');
    expect((await toldTo('ben'))[0]?.shown).toContain('Only the person who asked');
    await slack.press('mia', answer, 'again');
    expect((await untilItems(1))[0]?.item).toMatchObject({ kind: 'again', turn, author: mia });
    await slack.setPerson('ada', { isAdmin: true });
    await slack.press('ada', answer, 'again');
    expect((await untilItems(2))[1]?.item).toMatchObject({ kind: 'again', isManager: true });
  });

  test('its asker takes it away', async () => {
    const answer = await post('An answer', buttons('remove'));
    const place = `${slack.teamId}:${conversation.split(':')[2]}`;
    await listen({
      journalOf: async () => journal(mia),
      messagesOf: async () => [{ surface: 'slack', place, id: answer }],
    });
    await slack.press('mia', answer, 'remove');
    await untilItems(1);
    expect(await slack.messages('general', { thread: root })).toHaveLength(1);
    expect(store.texts).toEqual(['[mia removed an answer of yours.]']);
  });

  test('the whole thinking is a page that one person sees', async () => {
    const trace = await post('Thought', buttons('thinking'));
    await listen({
      journalOf: async () => journal(mia),
      thinkingIn: () => [
        '**First** this',
        ...Array.from({ length: 400 }, (_, at) => `line ${at} ${'x'.repeat(90)}`),
      ],
    });
    await slack.press('ben', trace, 'thinking');
    const view = await slack.until(
      () => slack.openView('ben'),
      (shown) => shown !== undefined,
    );
    expect(view?.shown).toContain('First');
    expect(view?.shown).toContain('line 399');
    expect(await slack.violations()).toEqual([]);
  });

  test('a bad vote asks for a reason, in a form', async () => {
    const answer = await post('An answer', buttons('why'));
    await listen({ journalOf: async () => journal(mia) });
    await slack.press('mia', answer, 'why');
    await slack.until(
      () => slack.openView('mia'),
      (view) => view !== undefined,
    );
    await slack.submit('mia', { t0: 'It was wrong' });
    const [ballot] = await slack.until(
      async () => store.ballots,
      (all) => all.length === 1,
    );
    expect(ballot).toMatchObject({ person: mia, vote: 'down', reason: 'It was wrong' });
  });
});

describe('/docent', () => {
  const replyTo = async (text: string, where = 'general') => {
    const { id } = await slack.command('mia', '/docent', text, where);
    const done = await slack.until(
      () => slack.interaction(id),
      ({ said }) => said.length > 0,
    );
    return done.said[0];
  };

  test.each(['', 'help', 'memory sideways'])(
    '"%s" is answered with help, to the person alone',
    async (text) => {
      await listen();
      expect((await replyTo(text))?.shown).toBe('answer to help');
    },
  );

  test('a slow store: acknowledged in time, answered behind it', async () => {
    await listen({
      answerCommand: async () =>
        new Promise((resolve) => setTimeout(resolve, 1_500, { text: 'late but there' })),
    });
    expect((await replyTo('help'))?.shown).toBe('late but there');
    expect(await slack.notices()).toEqual([]);
  });

  test.each(['ask why is the sky blue?', 'why is the sky blue?'])(
    '"%s": the question stands in the channel, the rest follows in its thread',
    async (text) => {
      await listen();
      await slack.command('mia', '/docent', text, 'calculus');
      const [asking] = await untilItems(1);
      const [shown] = await slack.messages('calculus');
      expect(shown?.shown).toContain('mia');
      expect(shown?.shown).toContain('why is the sky blue?');
      expect(asking?.conversation).toBe(`slack:${slack.teamId}:${shown?.channelId}:${shown?.ts}`);
      expect(asking?.item).toMatchObject({ kind: 'message', author: mia, content: 'why is the sky blue?' });
      expect(await slack.pings()).toEqual([]);
    },
  );

  test('where the bot is not, it says how to invite it', async () => {
    await listen();
    const { id } = await slack.command('mia', '/docent', 'ask why?', 'elsewhere');
    const done = await slack.until(
      () => slack.interaction(id),
      ({ said }) => said.length > 0,
    );
    expect(done.said[0]?.shown).toContain('/invite');
  });

  test('"stop" lists what runs for the person, each with a button; only theirs', async () => {
    await listen({
      spokenIn: async (person) => (person === mia ? [conversation] : []),
      isBusy: async () => true,
    });
    const list = await replyTo('stop');
    expect(list?.buttons.map(({ label }) => label)).toEqual(['Stop']);
    await slack.press('mia', list?.ts ?? '', 'Stop');
    const [stop] = await untilItems(1);
    expect(stop).toMatchObject({ conversation, item: { kind: 'stop', author: mia } });
  });

  test('"stop" without anything that runs, and "new" without a conversation, say so', async () => {
    await listen();
    expect((await replyTo('stop'))?.shown).toBe('Nothing is running.');
    expect((await replyTo('new'))?.shown).toContain('every question begins anew');
  });

  test('whoever may not use it is refused', async () => {
    await listen({ mayUse: () => false });
    const { id } = await slack.command('mia', '/docent', 'help');
    const done = await slack.until(
      () => slack.interaction(id),
      ({ acknowledgedAfterMs }) => acknowledgedAfterMs !== undefined,
    );
    expect(JSON.stringify(done.answer)).toContain('I may not answer you here.');
  });
});

test('the shortcut of a message asks for an explanation in its thread', async () => {
  await listen();
  const { ts } = await slack.say('ben', 'E = mc² &amp; more', { event: false, isRaw: true });
  await slack.messageShortcut('mia', 'explain', ts);
  const [asking] = await untilItems(1);
  expect(asking?.conversation.endsWith(`:${ts}`)).toBe(true);
  expect(asking?.item).toMatchObject({
    kind: 'message',
    author: mia,
    content: 'Explain this message of ben:\n\nE = mc² & more\n[End of that message.]',
  });
});

test('B121: a press that names an organization and no workspace is heard', async () => {
  const { pause, card } = await asked([question(['Yes', 'No'])]);
  await listen({ pauseOf: async () => pause, overHttp: true });
  await slack.press('mia', card, 'Yes');
  expect(await untilItems(1)).toHaveLength(1);
});
