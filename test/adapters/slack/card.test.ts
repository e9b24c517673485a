// A question on Slack: posted to the fake, which refuses what Slack refuses, and its form opened there.
import { beforeAll, describe, expect, test } from 'vitest';
import { cardView, reasonView, viewFields } from '../../../src/adapters/slack/card.ts';
import {
  cardHandle,
  forms,
  isOfCall,
  readButtonId,
  readCardHandle,
} from '../../../src/adapters/slack/custom-ids.ts';
import { slackPeople } from '../../../src/adapters/slack/people.ts';
import { conversationAt } from '../../../src/adapters/slack/place.ts';
import { slackSurface } from '../../../src/adapters/slack/surface.ts';
import { sendTo } from '../../../src/adapters/slack/upload.ts';
import { oneWorkspace, slackWeb, type Web } from '../../../src/adapters/slack/web.ts';
import { CallId, TurnId, UserId } from '../../../src/domain/ids.ts';
import type { Question, QuestionCard } from '../../../src/domain/question.ts';
import type { MessageState, ShownCard } from '../../../src/domain/surface-message.ts';
import { formAnswers } from '../../../src/gateway/card-answers.ts';
import type { Surface } from '../../../src/ports/surface.ts';
import { manualClock } from '../../support/clock.ts';
import { type InProcessSlack, inProcessSlack } from '../../support/slack/in-process.ts';

const never = new AbortController().signal;
const callId = CallId('call_1');

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
  return { callId, card, asker: UserId('slack:U1'), answers: [] };
}

let slack: InProcessSlack;
let web: Web;
let surface: Surface;
let keys = 0;
let talk: { conversation: ReturnType<typeof conversationAt>; locale: string };
beforeAll(() => {
  slack = inProcessSlack(manualClock(1_800_000_000_000));
  const { controls, apiUrl, fetch } = slack;
  controls.rates({ isOn: false });
  const { token, teamId: team } = controls.ids();
  web = slackWeb({ token, apiUrl }, fetch);
  const webFor = oneWorkspace(web);
  const { ts: thread, channelId: channel } = controls.say('mia', '@Docent help me revise');
  talk = { conversation: conversationAt({ team, channel, thread }), locale: 'en-US' };
  surface = slackSurface(
    { webFor, people: slackPeople(webFor), sendBytes: sendTo([]) },
    { team, channel, thread },
    talk,
  );
});

async function post(shown: ShownCard, state: MessageState = 'open') {
  const { ref } = await surface.post(
    { kind: 'question', state, text: 'Which one?', card: shown },
    `k:question:${(keys += 1)}`,
    never,
  );
  const message = slack.controls.message(ref.id);
  if (message === undefined) throw new Error('nothing was posted');
  return message;
}

/** Opens the form by a click on the card, as the gateway does. */
async function open(shown: ShownCard) {
  const { ts } = await post(shown);
  const { triggerId } = slack.controls.press('mia', ts, 'open_form');
  await web('views.open', { trigger_id: triggerId, view: cardView(shown, talk) });
  expect(slack.controls.refused()).toEqual([]);
  return cardView(shown, talk);
}

describe('a card', () => {
  test('with one choice has a button for each option, and one for anything else', async () => {
    const { buttons } = await post(asked(question('a', ['Yes', 'No'])));
    expect(buttons.map(({ label, actionId }) => [label, actionId])).toEqual([
      ['Yes', 'choose:0'],
      ['No', 'choose:1'],
      ['Other…', 'open_form'],
    ]);
    const handle = readCardHandle(buttons[1]?.value ?? '');
    expect(handle).toMatchObject({ action: 'choose', conversation: talk.conversation, option: 1 });
    expect(handle && isOfCall(handle, callId)).toBe(true);
    expect(handle && isOfCall(handle, CallId('call_2'))).toBe(false);
  });

  test('with many options has a menu that says whose it is', async () => {
    const { inputs } = await post(
      asked(question('a', ['1', '2', '3', '4', '5', '6'], { allowFreeText: false })),
    );
    expect(inputs).toMatchObject([{ type: 'static_select', actionId: 'choose' }]);
    expect(inputs[0]?.options.map(({ value }) => value)).toEqual(['0', '1', '2', '3', '4', '5']);
    expect(readCardHandle(inputs[0]?.blockId ?? '')).toMatchObject({ action: 'choose' });
  });

  test('that is closed has no buttons', async () => {
    expect((await post(asked(question('a', ['Yes'])), 'answered')).buttons).toEqual([]);
  });

  test('of the greatest lengths is taken', async () => {
    const long = question(
      'a',
      Array.from({ length: 8 }, (_, at) => `${at}${'x'.repeat(119)}`),
      { prompt: 'p'.repeat(800), header: 'h'.repeat(16), placeholder: 'y'.repeat(120), multiSelect: true },
    );
    const described = {
      ...long,
      options: long.options.map((option) => ({ ...option, description: 'd'.repeat(200) })),
    };
    await open(
      asked(described, { ...described, id: 'b' }, { ...described, id: 'c' }, { ...described, id: 'd' }),
    );
    await post(asked({ ...described, multiSelect: false }));
    await post(asked({ ...described, multiSelect: false, options: described.options.slice(0, 5) }));
    expect(slack.controls.refused()).toEqual([]);
  });
});

describe('a form', () => {
  test('has a choice and a field for each question that is open', async () => {
    const shown = asked(
      question('a', ['x', 'y'], { multiSelect: true }),
      question('b', []),
      question('c', ['z']),
    );
    const view = await open({
      ...shown,
      answers: [{ id: 'c', selected: ['z'], text: '', status: 'answered' }],
    });
    expect(view.blocks.map(({ block_id: id }) => id)).toEqual(['m0', 't0', 't1']);
    expect(view.callback_id).toBe(forms.card);
    expect(readCardHandle(view.private_metadata ?? '')).toMatchObject({ action: 'submit_form' });
  });

  test('is read as it is sent', () => {
    const values = {
      m0: { value: { type: 'checkboxes', selected_options: [{ value: '1' }, { value: '0' }] } },
      t1: { value: { type: 'plain_text_input', value: 'in short' } },
      m2: { value: { type: 'radio_buttons', selected_option: null } },
    };
    const shown = asked(
      question('a', ['x', 'y'], { multiSelect: true }),
      question('b', []),
      question('c', ['z']),
    );
    expect(formAnswers(shown, viewFields(values))).toEqual([
      { id: 'a', selected: ['x', 'y'], text: '', status: 'answered' },
      { id: 'b', selected: [], text: 'in short', status: 'answered' },
      { id: 'c', selected: [], text: '', status: 'skipped' },
    ]);
    expect(viewFields('nonsense')).toEqual(new Map());
  });

  test('asks why after a bad vote', async () => {
    const handle = { conversation: talk.conversation, turn: TurnId('t'), slot: 'answer:1' };
    const { ts } = await post(asked(question('a', ['Yes'])));
    const { triggerId } = slack.controls.press('mia', ts, 'open_form');
    const view = reasonView(handle, 'de');
    await web('views.open', { trigger_id: triggerId, view });
    expect(readButtonId(view.private_metadata ?? '')).toEqual({ ...handle, action: 'reason' });
  });
});

test.each([
  '',
  'x',
  '[]',
  '["choose"]',
  '["choose","discord:1","0123456789abcdef"]',
  '["stop","slack:T1:C1","",""]',
])('what is none of our handles is none: %j', (value) => {
  expect([readCardHandle(value), readButtonId(value)]).toEqual([undefined, undefined]);
});

test('a handle stays within what a menu can carry', () => {
  const conversation = conversationAt({
    team: `T${'0'.repeat(20)}`,
    channel: `C${'0'.repeat(20)}`,
    thread: `${'1'.repeat(12)}.000100`,
  });
  expect(cardHandle('choose', conversation, CallId('x'.repeat(500)), 7).length).toBeLessThan(255);
});
