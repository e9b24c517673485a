import { describe, expect, test } from 'vitest';
import { CallId } from '../../src/domain/ids.ts';
import type { ModelMessage } from '../../src/domain/message.ts';
import { repairPairs, unpaired } from '../../src/loop/pairing.ts';

const user: ModelMessage = { role: 'user', source: 'person', content: 'hi' };
const asks = (...ids: string[]): ModelMessage => ({
  role: 'assistant',
  content: '',
  calls: ids.map((id) => ({ id: CallId(id), name: 'f', args: '{}' })),
});
const result = (id: string): ModelMessage => ({
  role: 'tool',
  callId: CallId(id),
  name: 'f',
  content: 'x',
  status: 'ok',
});

const broken: readonly (readonly [string, ModelMessage[]])[] = [
  ['a result is missing', [user, asks('a', 'b'), result('a'), user]],
  ['a result at the end is missing', [user, asks('a')]],
  ['a result stands before its call', [user, result('a'), asks('a'), user]],
  ['results are in another order', [user, asks('a', 'b'), result('b'), result('a')]],
  ['something stands between', [user, asks('a'), user, result('a')]],
  ['a second result for one call', [user, asks('a'), result('a'), result('a')]],
  ['an id is used twice', [user, asks('a'), result('a'), asks('a'), result('a')]],
  ['a result without any call', [user, result('zz')]],
];

test('a paired request has no problem', () => {
  expect(unpaired([user, asks('a', 'b'), result('a'), result('b'), asks('c'), result('c'), user])).toEqual(
    [],
  );
});

describe.each(broken)('%s', (_name, messages) => {
  test('is found', () => expect(unpaired(messages)).not.toEqual([]));
  test('is repaired in the copy', () => {
    const before = structuredClone(messages);
    expect(unpaired(repairPairs(messages))).toEqual([]);
    expect(messages).toEqual(before);
  });
});

test('a made-up result says that the outcome is unknown', () => {
  expect(repairPairs([user, asks('a')]).at(-1)).toMatchObject({
    role: 'tool',
    callId: 'a',
    status: 'outcome_unknown',
  });
});
