// From where to read what may have been missed, and how far the note of it may move meanwhile.
import { expect, test } from 'vitest';
import { Listening } from '../../../src/adapters/discord/listening.ts';
import { idBefore, timeOf } from '../../../src/adapters/discord/snowflake.ts';
import { Progress } from '../../../src/gateway/progress.ts';

/** An id of this second. */
const at = (second: number) => idBefore(1_800_000_000_000 + second * 1_000);
const secondOf = (id: string | undefined) =>
  id === undefined ? undefined : timeOf(id) / 1_000 - 1_800_000_000;

function begun(second = 0) {
  const progress = new Progress(at(second));
  const listening = new Listening(progress, at(second));
  const hear = (shard: number, said: number) => {
    listening.heard(shard, at(said));
    progress.heard(at(said));
    progress.stored(at(said));
  };
  const came = (server: string) => {
    let after: string | undefined;
    listening.came(server, (id) => (after = id));
    return secondOf(after);
  };
  return { listening, hear, came, until: () => secondOf(progress.until) };
}

test('a first session reads from where the last process stopped, and a little before', () => {
  const { listening, hear, came, until } = begun(100);
  expect(secondOf(listening.began(0, ['a', 'b']))).toBe(90);
  hear(0, 200);
  expect([came('a'), until()]).toEqual([90, 90]);
  expect([came('b'), until()]).toEqual([90, 200]);
});

test('a server that joins later has missed nothing', () => {
  const { listening, came } = begun(100);
  listening.began(0, []);
  expect(came('new')).toBeUndefined();
});

test('a lost connection holds the note back until it is resumed', () => {
  const { listening, hear, until } = begun();
  hear(0, 100);
  listening.connectionLost(0);
  hear(1, 200);
  expect(until()).toBe(90);
  listening.resumed(0);
  expect(until()).toBe(200);
});

test('a shard reads from what it heard itself, whatever the others heard', () => {
  const { listening, hear, came } = begun();
  hear(0, 100);
  hear(1, 300);
  listening.connectionLost(0);
  listening.began(0, ['a']);
  expect(came('a')).toBe(90);
});

test('a server with an outage is read from its beginning; one that was left is forgotten', () => {
  const { listening, hear, came, until } = begun();
  hear(0, 100);
  listening.gone(0, 'a', true);
  listening.gone(0, 'b', true);
  hear(0, 200);
  expect(until()).toBe(90);
  expect(came('a')).toBe(90);
  listening.gone(0, 'b', false);
  expect([came('b'), until()]).toEqual([undefined, 200]);
});
