// A question in Discord: posted to the fake, which refuses what Discord refuses, and answered there by a person.
import { InteractionResponseType, Routes } from 'discord.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cardForm, cardRows, readForm } from '../../../src/adapters/discord/card.ts';
import { cardHandle, isOfCall, readCardHandle } from '../../../src/adapters/discord/card-handle.ts';
import { CallId, ConversationId, UserId } from '../../../src/domain/ids.ts';
import type { Question, QuestionCard } from '../../../src/domain/question.ts';
import type { ShownCard } from '../../../src/domain/surface-message.ts';
import { chosenAnswer, formAnswers } from '../../../src/gateway/card-answers.ts';
import { type Online, online } from '../../support/discord/lab.ts';
import { type FakeDiscord, startDiscord } from '../../support/discord/server.ts';

const conversation = ConversationId('discord:1593540240998400005');
const place = { conversation, locale: 'en-US' };

function question(id: string, options: readonly string[], more: Partial<Question> = {}): Question {
  return {
    id,
    prompt: `What about ${id}?`,
    options: options.map((label) => ({ label })),
    multiSelect: false,
    allowFreeText: true,
    ...more,
  };
}

function asked(...questions: readonly Question[]): ShownCard {
  const card: QuestionCard = { questions, answerers: 'asker', expiresInS: 3_600, cut: [] };
  return { callId: CallId('call_1'), card, asker: UserId('discord:1'), answers: [] };
}

interface Arrived {
  readonly id: string;
  readonly token: string;
  readonly data: {
    readonly custom_id: string;
    readonly values?: readonly string[];
    readonly components?: unknown;
  };
}

let discord: FakeDiscord;
let bot: Online;
const arrived: Arrived[] = [];

beforeAll(async () => {
  discord = await startDiscord();
  bot = await online(discord);
  bot.client.on('raw', ({ t, d }: { t: string; d: Arrived }) => {
    if (t === 'INTERACTION_CREATE') arrived.push(d);
  });
});

afterAll(async () => {
  expect(await discord.violations()).toEqual([]);
  await bot.leave();
  await discord.close();
});

/** Posts the card and says which message it is. */
async function post(shown: ShownCard, locale = 'en-US'): Promise<string> {
  const body = {
    content: 'A question',
    components: cardRows(shown, 'open', { conversation, locale }),
    allowed_mentions: { parse: [] },
  };
  const channel = await discord.channelId('general');
  return ((await bot.client.rest.post(Routes.channelMessages(channel), { body })) as { id: string }).id;
}

async function received(id: string): Promise<Arrived> {
  const [found] = await discord.until(
    () => Promise.resolve(arrived.filter((each) => each.id === id)),
    ({ length }) => length > 0,
  );
  if (found === undefined) throw new Error('no interaction arrived');
  return found;
}

/** Presses a button that opens the form, fills it in, and reads what comes back. */
async function fillIn(
  shown: ShownCard,
  button: string,
  fields: Readonly<Record<string, string | readonly string[]>>,
) {
  const message = await post(shown);
  const click = await received((await discord.press('mia', message, button)).id);
  expect(readCardHandle(click.data.custom_id)?.action).toBe('open_form');
  const body = { type: InteractionResponseType.Modal, data: cardForm(shown, place) };
  await bot.client.rest.post(Routes.interactionCallback(click.id, click.token), { body });
  const form = await received((await discord.submit('mia', click.id, fields)).id);
  const handle = readCardHandle(form.data.custom_id);
  expect(handle).toMatchObject({ action: 'submit_form', conversation });
  expect(handle !== undefined && isOfCall(handle, shown.callId)).toBe(true);
  return formAnswers(shown, readForm(form.data.components));
}

describe('one question with one choice', () => {
  test('up to five options are buttons, and "Other…" opens a form', async () => {
    const shown = asked(question('chapter', ['One', 'Two', 'Three']));
    const message = await post(shown);
    expect((await discord.message(message))?.buttons.map(({ label }) => label)).toEqual([
      'One',
      'Two',
      'Three',
      'Other…',
    ]);

    const click = await received((await discord.press('mia', message, 'Two')).id);
    const handle = readCardHandle(click.data.custom_id);
    expect(handle).toMatchObject({ action: 'choose', conversation, option: 1 });
    expect(chosenAnswer(shown.card, handle?.option ?? -1)).toEqual({
      id: 'chapter',
      selected: ['Two'],
      text: '',
      status: 'answered',
    });
    expect(await fillIn(shown, 'Other…', { t0: 'Rather four' })).toEqual([
      { id: 'chapter', selected: [], text: 'Rather four', status: 'answered' },
    ]);
  });

  test('more are a menu', async () => {
    const shown = asked(
      question('day', ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'], { allowFreeText: false }),
    );
    const message = await post(shown, 'de');
    const click = await received((await discord.choose('mia', message, ['Fri'])).id);
    expect(readCardHandle(click.data.custom_id)?.action).toBe('choose');
    expect(chosenAnswer(shown.card, Number(click.data.values?.[0]))?.selected).toEqual(['Fri']);
  });

  test('an option that is too long for a button has the number it has in the text', async () => {
    const message = await post(asked(question('way', ['x'.repeat(120), 'Short'])));
    expect((await discord.message(message))?.buttons[0]?.label).toBe(`1. ${'x'.repeat(76)}…`);
  });
});

describe('what is more than one choice is one form', () => {
  test('several options', async () => {
    const shown = asked(question('topics', ['Sets', 'Maps', 'Groups'], { multiSelect: true }));
    expect(await fillIn(shown, 'Choose…', { m0: ['0', '2'], t0: 'and rings' })).toEqual([
      { id: 'topics', selected: ['Sets', 'Groups'], text: 'and rings', status: 'answered' },
    ]);
  });

  test('a question without options', async () => {
    expect(await fillIn(asked(question('name', [])), 'Answer…', { t0: '  Mia ' })).toEqual([
      { id: 'name', selected: [], text: 'Mia', status: 'answered' },
    ]);
  });

  test('four questions: what is left out is skipped, what was answered before is kept', async () => {
    const four = asked(
      question('a', ['1', '2']),
      question('b', ['x', 'y', 'z'], { multiSelect: true }),
      question('c', []),
      question('d', ['yes', 'no'], { header: 'h'.repeat(60), prompt: 'p'.repeat(800) }),
    );
    const before = { id: 'a', selected: ['2'], text: '', status: 'answered' } as const;
    const answers = await fillIn({ ...four, answers: [before] }, 'Answer…', { m1: ['1'] });
    expect(answers).toEqual([
      before,
      { id: 'b', selected: ['y'], text: '', status: 'answered' },
      { id: 'c', selected: [], text: '', status: 'skipped' },
      { id: 'd', selected: [], text: '', status: 'skipped' },
    ]);
  });

  test('an empty form answers nothing', async () => {
    expect(await fillIn(asked(question('a', ['1']), question('b', [])), 'Answer…', {})).toBeUndefined();
  });
});

test('a closed card has no buttons', () => {
  const shown = asked(question('chapter', ['One']));
  for (const state of ['answered', 'expired', 'closed'] as const)
    expect(cardRows(shown, state, place)).toEqual([]);
});

describe('handles', () => {
  const long = CallId('call_'.padEnd(400, 'x'));

  test('name conversation, call and option in at most 100 characters, however long the id of the call is', () => {
    const text = cardHandle('choose', ConversationId(`discord:${'9'.repeat(20)}`), long, 7);
    expect(text.length).toBeLessThanOrEqual(50);
    const handle = readCardHandle(text);
    expect(handle).toMatchObject({ action: 'choose', conversation: `discord:${'9'.repeat(20)}`, option: 7 });
    expect(handle !== undefined && isOfCall(handle, long)).toBe(true);
    expect(handle !== undefined && isOfCall(handle, CallId('call_2'))).toBe(false);
  });

  test.each([
    '',
    'stop:1',
    'ask:c:1',
    'ask:x:1:aaaaaaaaaaaaaaaa',
    'ask:c:1:aaaaaaaaaaaaaaaa:9',
    'ask:c:*:aaaaaaaaaaaaaaaa:1',
  ])('anything else is none: %s', (text) => {
    expect(readCardHandle(text)).toBeUndefined();
  });

  test('an option that the card does not have is no answer', () => {
    expect(chosenAnswer(asked(question('a', ['1'])).card, 3)).toBeUndefined();
    expect(readForm([{ component: { custom_id: 'm0' } }, null, 'x'])).toEqual(new Map());
  });
});
