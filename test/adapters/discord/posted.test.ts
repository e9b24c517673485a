import { expect, test } from 'vitest';
import { cardHandle } from '../../../src/adapters/discord/card-handle.ts';
import { buttonId } from '../../../src/adapters/discord/custom-ids.ts';
import { postedIn } from '../../../src/adapters/discord/posted.ts';
import { CallId, ConversationId, TurnId } from '../../../src/domain/ids.ts';

const conversation = ConversationId('discord:77');
const stop = (slot: string) => buttonId({ action: 'stop', conversation, turn: TurnId('t'), slot });
const message = (id: string, content: string, ...ids: readonly string[]) => ({
  id,
  author: { bot: true },
  content,
  components: ids.length === 0 ? [] : [{ components: ids.map((custom_id) => ({ custom_id })) }],
});

const there = [
  message('1', 'Half an ans', stop('answer:1')),
  message('2', 'Half an ans', stop('answer:1.2')),
  message('3', 'Which chapter?', cardHandle('choose', conversation, CallId('call:9'), 0)),
  message('4', 'A page that stands.'),
  { ...message('5', 'Said by a person.'), author: {} },
];

test.each([
  ['discord:77:t:answer:1', 'The whole answer.', '1'],
  ['discord:77:t:answer:1.2', undefined, '2'],
  ['discord:77:t:answer:1.2+', undefined, '2'],
  ['discord:77:t:question:call:9', undefined, '3'],
  ['discord:77:t:answer:2', 'A page that stands.', '4'],
  ['discord:77:t:answer:2', 'Half an ans', undefined],
  ['discord:77:t:answer:2', 'Said by a person.', undefined],
  ['discord:78:t:answer:1', 'Something else.', undefined],
  ['discord:77:t:question:call:8', undefined, undefined],
])('what was posted as %s and says %j is message %s', (key, text, id) => {
  expect(postedIn(there, key, text === undefined ? undefined : { content: text, components: [] })).toBe(id);
});

test('what is no list of messages holds nothing', () => {
  expect(postedIn({ message: 'no' }, 'k', { content: 'x', components: [] })).toBeUndefined();
});

test('a daily reminder is not taken for that of yesterday, which says the same', () => {
  const said = (day: string) => [message(day, '⏰ Drink', `press:reminder|done|discord:1|r1|${day}`)];
  const today = { content: '⏰ Drink', components: said('2')[0]?.components ?? [] };
  expect(postedIn(said('1'), 'discord:77:reminder:discord:1:r1:2:reminder', today)).toBeUndefined();
  expect(postedIn(said('2'), 'discord:77:reminder:discord:1:r1:2:reminder', today)).toBe('2');
});
