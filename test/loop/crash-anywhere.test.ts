// The journal is cut behind every single record, as a process that dies there leaves it, and another one goes on.
import { expect, test } from 'vitest';
import { CallId } from '../../src/domain/ids.ts';
import type { JournalRecord } from '../../src/domain/journal.ts';
import { messagesFrom } from '../../src/loop/messages.ts';
import { nativeStrategy } from '../../src/loop/native-strategy.ts';
import { unpaired } from '../../src/loop/pairing.ts';
import { recover } from '../../src/loop/recover.ts';
import { defaultLoopSettings } from '../../src/loop/settings.ts';
import { call, calling, Dialogue, plain, say, tool } from '../support/dialogue.ts';

interface Story {
  readonly name: string;
  script(): ConstructorParameters<typeof Dialogue>[0];
}

const stories: Story[] = [
  { name: 'a plain answer', script: () => [say('FINISH', 'The slope is 3.')] },
  {
    name: 'two tools, then the answer',
    script: () => [
      calling('``TOOL``\nBoth.', call('pay', { n: 1 }, 'a'), call('pay', { n: 2 }, 'b')),
      say('PAUSE', 'Paid. Now the sum:'),
      say('FINISH', 'The slope is 3.'),
    ],
  },
  {
    name: 'a cut answer that is continued',
    script: () => [plain('``FINISH``\nThe slope ', 'length'), say('FINISH', 'is 3.')],
  },
  { name: 'a repaired reply', script: () => [plain('no label'), say('FINISH', 'The slope is 3.')] },
  { name: 'a concluding tool', script: () => [calling('``TOOL``\nGrading.', call('grade', {}, 'a'))] },
];

function dialogue(script: ReturnType<Story['script']>, ran: string[]): Dialogue {
  const pay = tool(
    'pay',
    (args) => {
      ran.push(`pay ${String(args['n'])}`);
      return { kind: 'text', text: 'paid' };
    },
    { effect: 'unsafe', mode: 'exclusive' },
  );
  return new Dialogue(script, {
    tools: [pay, tool('grade', () => ({ kind: 'conclude', text: 'The slope is 3.' }))],
  });
}

test.each(stories)(
  '$name: cut anywhere, it ends with the same answer and no tool runs twice',
  async ({ script }) => {
    const first = dialogue(script(), []);
    await first.hears();
    const whole = first.records;
    for (let cut = 1; cut < whole.length; cut += 1) {
      const left = whole.slice(0, cut);
      const ran: string[] = left.flatMap((record) => (record.type === 'tool/call' ? [record.call.args] : []));
      const before = ran.length;
      const rest = script().slice(left.filter((record) => record.type === 'assistant/message').length);
      const second = dialogue(rest.length > 0 ? rest : [say('FINISH', 'The slope is 3.')], ran);
      second.records.push(...left);
      const opened = left.some((record) => record.type === 'user/message');
      // Before the message is journaled it is still in the inbox, and the next claim brings it again.
      if (!opened)
        second.waiting.push({
          kind: 'message',
          record: { type: 'user/message', source: 'steer', content: 'hello' },
        });
      const { outcome } = await second.run({ kind: 'recover' });
      expect(outcome, `cut behind record ${cut} (${whole[cut - 1]?.type})`).toMatchObject({
        answer: expect.stringContaining('3.'),
      });
      expect(second.answer().at(-1), `shown after a cut behind record ${cut}`).toContain('The slope');
      expect(new Set(ran).size, `a tool ran twice after a cut behind record ${cut}`).toBe(ran.length);
      expect(ran.length).toBeGreaterThanOrEqual(before);
      expect(unpaired(messagesFrom(second.records, (content) => content))).toEqual([]);
      expect(second.records.filter((record) => record.type === 'turn/end')).toHaveLength(1);
    }
  },
);

test('a call that was started is of unknown outcome, one that was not is told so, and advice follows the effect', () => {
  const records: JournalRecord[] = [
    ...threeCalls(),
    { type: 'tool/call', call: { id: CallId('a'), name: 'read', args: '{}' } },
    { type: 'tool/call', call: { id: CallId('b'), name: 'pay', args: '{}' } },
  ];
  const { recovery } = recover(records, nativeStrategy, defaultLoopSettings, (name) =>
    name === 'read' ? 'none' : 'unsafe',
  );
  expect(recovery).toMatchObject({
    action: 'continue',
    results: [
      { callId: 'a', status: 'outcome_unknown', content: expect.stringContaining('safe to repeat') },
      { callId: 'b', status: 'outcome_unknown', content: expect.not.stringContaining('safe to repeat') },
      { callId: 'c', status: 'not_started' },
    ],
  });
});

test('guard counts are the same after a restart: the third equal call is stuck there too', async () => {
  const again = (id: string) => calling('``TOOL``\nAgain.', call('look_up', { q: 1 }, id));
  const before = new Dialogue([again('a'), again('b'), say('FINISH', 'x')]);
  await before.hears();
  const after = new Dialogue([again('c'), plain('All I know.')]);
  const secondEnd = before.log().indexOf('step/end', before.log().indexOf('tool/result b'));
  after.records.push(...before.records.slice(0, secondEnd + 1));
  expect((await after.run({ kind: 'recover' })).outcome).toEqual({ kind: 'stuck', answer: 'All I know.' });
});

function threeCalls(): JournalRecord[] {
  const calls = ['a', 'b', 'c'].map((id) => ({
    id: CallId(id),
    name: id === 'a' ? 'read' : 'pay',
    args: '{}',
  }));
  return [
    { type: 'turn/start', turn: 't' as never, protocol: 'native' },
    { type: 'step/start', step: 1, model: 'm' },
    { type: 'user/message', source: 'person', content: 'hello' },
    { type: 'assistant/message', content: '', calls },
  ];
}
