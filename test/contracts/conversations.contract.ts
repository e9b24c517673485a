/** What every store of conversations must do; each implementation runs this suite. */
import { describe, expect, test } from 'vitest';
import { LeaseLostError } from '../../src/domain/errors.ts';
import { ConversationId, EventId, TurnId, UserId } from '../../src/domain/ids.ts';
import type { InboxItem } from '../../src/domain/inbound.ts';
import type { JournalRecord } from '../../src/domain/journal.ts';
import type { Conversations } from '../../src/ports/conversations.ts';

const ann = UserId('test:ann');

function item(kind: 'message' | 'next' | 'note', text: string, id = text): InboxItem {
  return { kind, id: EventId(id), author: ann, content: text };
}

const record = (text: string, id: string): JournalRecord => ({
  type: 'user/message',
  source: 'person',
  content: text,
  item: EventId(id),
});

export function conversationsContract(name: string, open: () => Promise<Conversations>): void {
  describe(name, () => {
    const talk = ConversationId('test:talk');

    test('only the first message asks for a wake; those behind it are queued', async () => {
      const store = await open();
      expect(await store.append(talk, item('message', 'one'))).toBe('wake');
      expect(await store.append(talk, item('message', 'two'))).toBe('queued');
    });

    test('a message is stored once, however often it comes', async () => {
      const store = await open();
      await store.append(talk, item('message', 'one'));
      expect(await store.append(talk, item('message', 'one'))).toBe('duplicate');
      expect((await store.claim(talk)).opening).toHaveLength(1);
    });

    test('the same words in another message are no duplicate', async () => {
      const store = await open();
      await store.append(talk, item('message', 'next', 'm1'));
      expect(await store.append(talk, item('message', 'next', 'm2'))).toBe('queued');
    });

    test('a note wakes nobody and comes along with the next message', async () => {
      const store = await open();
      expect(await store.append(talk, item('note', 'it is nine'))).toBe('queued');
      expect(await store.append(talk, item('message', 'hello'))).toBe('wake');
      expect(texts((await store.claim(talk)).opening)).toEqual(['it is nine', 'hello']);
    });

    test('a turn opens with all messages up to the first next, or with one next', async () => {
      const store = await open();
      for (const each of [
        item('message', 'a'),
        item('message', 'b'),
        item('next', 'c'),
        item('message', 'd'),
      ]) {
        await store.append(talk, each);
      }
      const first = await store.claim(talk);
      expect(texts(first.opening)).toEqual(['a', 'b']);
      expect(await first.commit()).toBe('more');
      const second = await store.claim(talk);
      expect(texts(second.opening)).toEqual(['c']);
      expect(await second.commit()).toBe('more');
      const third = await store.claim(talk);
      expect(texts(third.opening)).toEqual(['d']);
      expect(await third.commit()).toBe('idle');
    });

    test('after the last commit the next message asks for a wake again', async () => {
      const store = await open();
      await store.append(talk, item('message', 'one'));
      expect(await (await store.claim(talk)).commit()).toBe('idle');
      expect(await store.append(talk, item('message', 'two'))).toBe('wake');
    });

    test('what comes during a turn can be taken at a step, in order and not more than asked for', async () => {
      const store = await open();
      await store.append(talk, item('message', 'one'));
      const turn = await store.claim(talk);
      for (const text of ['two', 'three', 'four']) await store.append(talk, item('message', text));
      await store.append(talk, item('note', 'a note'));
      expect(await turn.waiting()).toEqual({ messages: true, notes: true });
      expect((await turn.take(2)).map(({ kind, record: taken }) => [kind, taken.content])).toEqual([
        ['message', 'two'],
        ['message', 'three'],
        ['note', 'a note'],
      ]);
      expect(await turn.waiting()).toEqual({ messages: true, notes: false });
      expect(await turn.commit()).toBe('more');
    });

    test('a claim that dies gives its messages to the next claim', async () => {
      const store = await open();
      await store.append(talk, item('message', 'one'));
      await store.claim(talk);
      expect(texts((await store.claim(talk)).opening)).toEqual(['one']);
    });

    test('a message is in the journal or in the inbox, never in both and never in neither', async () => {
      const store = await open();
      await store.append(talk, item('message', 'one'));
      const turn = await store.claim(talk);
      await turn.append([{ type: 'turn/start', turn: TurnId('t'), protocol: 'label' }, record('one', 'one')]);
      const next = await store.claim(talk);
      expect(next.opening).toEqual([]);
      expect(next.records.map((each) => each.type)).toEqual(['turn/start', 'user/message']);
    });

    test('an older claim can write nothing any more', async () => {
      const store = await open();
      await store.append(talk, item('message', 'one'));
      const old = await store.claim(talk);
      const next = await store.claim(talk);
      await expect(old.append([record('one', 'one')])).rejects.toBeInstanceOf(LeaseLostError);
      await expect(old.commit()).rejects.toBeInstanceOf(LeaseLostError);
      await expect(old.take(5)).rejects.toBeInstanceOf(LeaseLostError);
      expect(texts(next.opening)).toEqual(['one']);
    });

    test('the journal comes back exactly as it was written', async () => {
      const store = await open();
      const turn = await store.claim(talk);
      const odd: JournalRecord = { type: 'user/message', source: 'person', content: 'é 漢 👩‍🏫 \u0000 "\\' };
      await turn.append([odd]);
      expect((await store.claim(talk)).records).toEqual([odd]);
    });

    test('conversations do not mix', async () => {
      const store = await open();
      await store.append(talk, item('message', 'one'));
      expect(await store.append(ConversationId('test:other'), item('message', 'one'))).toBe('wake');
      expect(texts((await store.claim(ConversationId('test:other'))).opening)).toEqual(['one']);
    });
  });
}

function texts(items: readonly InboxItem[]): unknown[] {
  return items.map((each) => ('content' in each ? each.content : each.kind));
}
