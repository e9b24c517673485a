// Presses whose meaning no platform knows: who presses is always told something, and a form is never waited for too long.
import { describe, expect, test } from 'vitest';
import type { PressBy, PressForm } from '../../src/domain/controls.ts';
import { ConversationId, EventId, UserId } from '../../src/domain/ids.ts';
import { ControlPress, type ControlPressMeans } from '../../src/gateway/control-press.ts';
import type { Press } from '../../src/gateway/press.ts';
import { manualClock } from '../support/clock.ts';
import { quietLog } from '../support/quiet-log.ts';

const mia = UserId('somewhere:mia');
const by: Press = {
  id: EventId('p1'),
  author: mia,
  name: 'Mia',
  address: { surface: 'somewhere', place: 'room', locale: 'de' },
  from: { isSelf: false, isBot: false },
  isManager: async () => false,
};
const pressed = {
  by,
  conversation: ConversationId('somewhere:room'),
  press: 'cancel|1',
  form: new Map<string, string>(),
  dialect: { maxChars: 100, command: String, time: String, text: String },
};
const tryAgain = { kind: 'tell', text: expect.stringContaining('noch einmal') };
const form: PressForm = { title: 'Change', fields: [], press: 'change|1' };

function control(more: Partial<ControlPressMeans>) {
  const clock = manualClock();
  const means: ControlPressMeans = {
    answerPress: async () => ({ kind: 'replace', text: 'done' }),
    formFor: async () => form,
    mayUse: () => true,
    isAdmin: () => false,
    clock,
    log: quietLog,
    ...more,
  };
  return { clock, press: new ControlPress(means) };
}

describe('who pressed', () => {
  test.each([
    ['anybody', false, false, false],
    ['a manager of the place', true, false, true],
    ['an admin of Docent', false, true, true],
  ])('%s', async (_, looksAfter, isAdmin, isManager) => {
    const seen: PressBy[] = [];
    const { press } = control({
      isAdmin: () => isAdmin,
      answerPress: async (_press, who) => {
        seen.push(who);
        return { kind: 'replace', text: 'done' };
      },
    });
    await press.answer({ ...pressed, by: { ...by, isManager: async () => looksAfter } });
    const { conversation } = pressed;
    expect(seen).toEqual([{ person: mia, key: 'press:p1', conversation, address: by.address, isManager }]);
  });

  test('is refused where they may not use the bot', () => {
    expect(control({}).press.refusal(by)).toBeUndefined();
    expect(control({ mayUse: () => false }).press.refusal(by)).toMatch(/\S/);
  });
});

test('while the store is away, they are asked to try again', async () => {
  const away = () => Promise.reject(new Error('the store is away'));
  const { press } = control({ answerPress: away, formFor: away });
  expect(await press.answer(pressed)).toEqual(tryAgain);
  expect(await press.form(pressed)).toEqual(tryAgain);
});

test('a form that comes too late is not waited for', async () => {
  expect(await control({}).press.form(pressed)).toBe(form);
  const { press, clock } = control({ formFor: () => new Promise(() => {}) });
  const opened = press.form(pressed);
  await clock.untilWaiting();
  await clock.advance(1_500);
  expect(await opened).toEqual(tryAgain);
});
