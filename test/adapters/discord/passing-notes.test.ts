// What a gateway says and takes away by itself, in a channel where answers stand, in virtual time.
import { Routes } from 'discord.js';
import { expect, test } from 'vitest';
import { PacedCalls } from '../../../src/adapters/discord/paced-calls.ts';
import { PassingNotes } from '../../../src/adapters/discord/passing-notes.ts';
import { inVirtualTime, type VirtualDiscord } from '../../support/discord/in-virtual-time.ts';
import { quietLog } from '../../support/quiet-log.ts';

const never = new AbortController().signal;

/** A channel where people write to the bot, with what the gateway does there. */
function roomIn({ controls, clock, rest, budgets }: VirtualDiscord) {
  const channel = controls.addChannel('room');
  const calls = new PacedCalls({ rest, budgets, clock, log: quietLog, signal: never });
  const notes = new PassingNotes({ calls, clock, log: quietLog });
  return {
    channel,
    calls,
    notes,
    ask: (who: string) => controls.say(who, '@Docent why?', { in: channel }),
    note: (who: string) =>
      notes.say(channel, controls.say(who, '@Docent', { in: channel }).id, `Not ${who}.`),
    said: () =>
      controls.messages(channel).flatMap(({ author, content }) => (author === 'Docent' ? [content] : [])),
  };
}

test('notes to people share what their channel takes with the answers there: nothing is refused', async () => {
  await inVirtualTime({}, async (world) => {
    const { clock, controls, screenFor, untilDone } = world;
    const { ask, note, said } = roomIn(world);
    for (const who of ['ann', 'ben', 'cem', 'dan', 'eva', 'fay']) note(who);
    const answers = ['mia', 'noa', 'ole'].map((who) => {
      const screen = screenFor(ask(who));
      screen.show({ type: 'answer.delta', text: `For ${who}.` });
      return screen.finish({ kind: 'finish', answer: '' });
    });
    await untilDone(Promise.all(answers));
    await untilDone(clock.sleep(8_000));
    const notes = ['ann', 'ben', 'cem', 'dan', 'eva', 'fay'].map((who) => `Not ${who}.`);
    expect(said().toSorted()).toEqual(['For mia.', 'For noa.', 'For ole.', ...notes]);
    await untilDone(clock.sleep(20_000));
    expect(said().toSorted()).toEqual(['For mia.', 'For noa.', 'For ole.']);
    expect(controls.notices()).toEqual([]);
  });
});

test('a note that cannot be said in fifteen seconds is not said any more', async () => {
  await inVirtualTime({}, async (world) => {
    const { clock, controls, untilDone } = world;
    const { note, said } = roomIn(world);
    controls.fault({ on: 'create_message', how: 'limited', scope: 'user', retryAfterMs: 20_000 });
    note('ann');
    await untilDone(clock.sleep(30_000));
    expect(said()).toEqual([]);
    note('ben');
    await untilDone(clock.sleep(1_000));
    expect(said()).toEqual(['Not ben.']);
  });
});

test('at the end no note is left, and none is said', async () => {
  await inVirtualTime({}, async (world) => {
    const { clock, controls, untilDone } = world;
    const { note, notes, said } = roomIn(world);
    for (const who of ['ann', 'ben', 'cem', 'dan', 'eva']) note(who);
    await untilDone(clock.sleep(4_000));
    expect(said()).not.toEqual([]);
    for (const who of ['fay', 'gus', 'hal', 'ida', 'jan', 'kim']) note(who);
    await untilDone(notes.clear());
    expect(said()).toEqual([]);
    await untilDone(clock.sleep(20_000));
    expect(said()).toEqual([]);
    expect(controls.notices()).toEqual([]);
  });
});

test('the messages of a long answer are taken away as fast as the channel takes it', async () => {
  await inVirtualTime({}, async (world) => {
    const { controls, screenFor, untilDone } = world;
    const { channel, calls, ask, said } = roomIn(world);
    const numbers = Array.from({ length: 2_500 }, (_, at) => at);
    const screen = screenFor(ask('mia'));
    screen.show({ type: 'answer.delta', text: numbers.join(' ') });
    await untilDone(screen.finish({ kind: 'finish', answer: '' }));
    const pages = controls.messages(channel).filter(({ author }) => author === 'Docent');
    expect(pages.length).toBeGreaterThan(5);
    const away = pages.map(({ id: about }) =>
      calls.make(
        'remove',
        { channel, about },
        { method: 'DELETE', route: Routes.channelMessage(channel, about) },
      ),
    );
    await untilDone(Promise.all(away));
    expect(said()).toEqual([]);
    expect(controls.notices()).toEqual([]);
  });
});
