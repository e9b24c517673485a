/** What every store of conversations must do; each implementation runs this suite. */
import { beforeEach, describe, expect, test } from 'vitest';
import { LeaseLostError } from '../../src/domain/errors.ts';
import { CallId, ConversationId, EventId, TurnId, UserId } from '../../src/domain/ids.ts';
import type { InboxItem } from '../../src/domain/inbound.ts';
import type { JournalRecord } from '../../src/domain/journal.ts';
import type { OpenPause } from '../../src/domain/pause.ts';
import type { Appended, Conversations } from '../../src/ports/conversations.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';

const ann = UserId('test:ann');
const address = { surface: 'test', place: 'room' };
const turn = TurnId('t1');
const call = CallId('q');

function item(kind: 'message' | 'next' | 'note', text: string, id = text): InboxItem {
  return { kind, id: EventId(id), author: ann, address, content: text };
}

const stop = (id: string): InboxItem => ({ kind: 'stop', id: EventId(id), author: ann, address });
const answers = (id: string): InboxItem => ({
  kind: 'answer',
  id: EventId(id),
  author: ann,
  address,
  callId: call,
  answers: { answers: [], by: ann, at: '2026-12-01T09:00:00.000Z' },
});

const anew = (id: string): InboxItem => ({ kind: 'new', id: EventId(id), author: ann, address });

const record = (text: string, id: string): JournalRecord => ({
  type: 'user/message',
  source: 'person',
  content: text,
  item: EventId(id),
});

const pause: OpenPause = {
  turn,
  callId: call,
  question: { prompt: 'Which?' },
  address,
  asker: ann,
  askedAt: 1,
  expiresAt: 1_000,
  answers: [],
  used: [],
  told: [],
};

export function conversationsContract(
  name: string,
  open: (clock: ManualClock) => Promise<Conversations>,
): void {
  describe(name, () => {
    let store: Conversations;
    let clock: ManualClock;
    let talk: ConversationId;
    let talks = 0;

    beforeEach(async () => {
      clock = manualClock(1_000_000);
      store = await open(clock);
      talk = ConversationId(`test:talk-${(talks += 1)}`);
    });

    const append = (
      each: InboxItem,
      wanted: 'always' | 'and_follow' | 'if_followed' = 'always',
    ): Promise<Appended> => store.append({ conversation: talk, item: each, wanted });

    const finish = async () => {
      const claim = await store.claim(talk);
      claim.accept(claim.opening);
      return claim.commit();
    };

    test('only the first message asks for a wake; those behind it are queued', async () => {
      expect(await append(item('message', 'one'))).toBe('wake');
      expect(await append(item('message', 'two'))).toBe('queued');
    });

    test('a message is stored once, however often it comes', async () => {
      await append(item('message', 'one'));
      expect(await append(item('message', 'one'))).toBe('duplicate');
      expect((await store.claim(talk)).opening).toHaveLength(1);
    });

    test('it is a duplicate also when its turn is over', async () => {
      await append(item('message', 'one'));
      await finish();
      expect(await append(item('message', 'one'))).toBe('duplicate');
    });

    test('of a hundred copies at the same moment one is taken', async () => {
      const results = await Promise.all(Array.from({ length: 100 }, () => append(item('message', 'one'))));
      expect(results.filter((result) => result === 'wake')).toHaveLength(1);
      expect(results.filter((result) => result === 'duplicate')).toHaveLength(99);
    });

    test('the same words in another message are no duplicate', async () => {
      await append(item('message', 'next', 'm1'));
      expect(await append(item('message', 'next', 'm2'))).toBe('queued');
    });

    test('a note wakes nobody and comes along with the next message', async () => {
      expect(await append(item('note', 'it is nine'))).toBe('queued');
      expect(await append(item('message', 'hello'))).toBe('wake');
      expect(texts((await store.claim(talk)).opening)).toEqual(['it is nine', 'hello']);
    });

    test('a new beginning waits for its own claim, and what is behind it waits for the next', async () => {
      await append(item('message', 'before', 'm1'));
      await append(anew('n1'));
      await append(item('message', 'behind', 'm2'));
      const turnBefore = await store.claim(talk);
      expect(turnBefore.opening.map(({ id }) => id)).toEqual(['m1']);
      turnBefore.accept(turnBefore.opening);
      expect(await turnBefore.waiting()).toEqual({ messages: false, notes: false });
      expect(await turnBefore.take(5)).toEqual([]);
      expect(await turnBefore.commit()).toBe('more');
      const between = await store.claim(talk);
      expect(between.opening.map(({ id }) => id)).toEqual(['n1']);
      await between.append([{ type: 'conversation/new', item: EventId('n1') }]);
      expect(await between.commit()).toBe('more');
      expect((await store.claim(talk)).opening.map(({ id }) => id)).toEqual(['m2']);
    });

    test('a new beginning does not end a question, and wakes nobody while it is open', async () => {
      const claim = await store.claim(talk);
      await claim.openPause(pause);
      await append(anew('n1'));
      expect(await claim.commit()).toBe('idle');
      expect((await store.claim(talk)).opening).toEqual([]);
    });

    test('where a person spoke last, of what began in a place, is found there', async () => {
      const other = ConversationId('test:other');
      const begun = { ...item('message', 'one', 'asked-1'), address: { surface: 'test', place: 'hall' } };
      const newer = { ...begun, id: EventId('asked-2') };
      const elsewhere = {
        ...item('message', 'aside', 'asked-3'),
        address: { surface: 'test', place: 'attic' },
      };
      await store.append({ conversation: talk, item: begun, wanted: 'and_follow' });
      expect(await store.newestAt('test', 'hall', ann)).toBe(talk);
      await clock.advance(1);
      await store.append({ conversation: other, item: newer, wanted: 'and_follow' });
      await clock.advance(1);
      await store.append({ conversation: ConversationId('test:third'), item: elsewhere, wanted: 'always' });
      expect(await store.newestAt('test', 'hall', ann)).toBe(other);
      expect(await store.newestAt('test', 'hall', UserId('test:ben'))).toBeUndefined();
      expect(await store.newestAt('test', 'attic', ann)).toBeUndefined();
      await clock.advance(1);
      await store.append({
        conversation: talk,
        item: { ...begun, id: EventId('more') },
        wanted: 'if_followed',
      });
      expect(await store.newestAt('test', 'hall', ann)).toBe(talk);
    });

    test('a turn opens with all messages up to the first next, or with one next', async () => {
      for (const each of [
        item('message', 'a'),
        item('message', 'b'),
        item('next', 'c'),
        item('message', 'd'),
      ]) {
        await append(each);
      }
      const first = await store.claim(talk);
      expect(texts(first.opening)).toEqual(['a', 'b']);
      first.accept(first.opening);
      expect(await first.commit()).toBe('more');
      const second = await store.claim(talk);
      expect(texts(second.opening)).toEqual(['c']);
      second.accept(second.opening);
      expect(await second.commit()).toBe('more');
      const third = await store.claim(talk);
      expect(texts(third.opening)).toEqual(['d']);
      third.accept(third.opening);
      expect(await third.commit()).toBe('idle');
    });

    test('a conversation is busy from its first message to the commit that leaves nothing', async () => {
      expect(await store.isBusy(talk)).toBe(false);
      await append(item('message', 'one'));
      expect(await store.isBusy(talk)).toBe(true);
      await finish();
      expect(await store.isBusy(talk)).toBe(false);
    });

    test('after the last commit the next message asks for a wake again', async () => {
      await append(item('message', 'one'));
      expect(await finish()).toBe('idle');
      expect(await append(item('message', 'two'))).toBe('wake');
    });

    test('what comes during a turn can be taken at a step, in order and not more than asked for', async () => {
      await append(item('message', 'one'));
      const claim = await store.claim(talk);
      claim.accept(claim.opening);
      for (const text of ['two', 'three', 'four']) await append(item('message', text));
      await append(item('note', 'a note'));
      expect(await claim.waiting()).toEqual({ messages: true, notes: true });
      expect((await claim.take(2)).map(({ kind, record: taken }) => [kind, taken.content])).toEqual([
        ['message', 'two'],
        ['message', 'three'],
        ['note', 'a note'],
      ]);
      expect(await claim.waiting()).toEqual({ messages: true, notes: false });
      expect(await claim.commit()).toBe('more');
    });

    test('a claim that dies gives its messages to the next claim', async () => {
      await append(item('message', 'one'));
      await store.claim(talk);
      expect(texts((await store.claim(talk)).opening)).toEqual(['one']);
    });

    test('what is neither accepted nor recorded stays in the inbox', async () => {
      await append(item('message', 'one'));
      expect(await (await store.claim(talk)).commit()).toBe('more');
      expect(texts((await store.claim(talk)).opening)).toEqual(['one']);
    });

    test('an answer leaves the inbox with the result that was made of it', async () => {
      const claim = await store.claim(talk);
      await claim.openPause(pause);
      await claim.commit();
      await append(answers('click'));
      const next = await store.claim(talk);
      await next.append([
        {
          type: 'tool/result',
          callId: call,
          name: 'ask',
          status: 'answered',
          content: '{}',
          items: [EventId('click')],
        },
      ]);
      expect((await store.claim(talk)).opening).toEqual([]);
    });

    test('a message is in the journal or in the inbox, never in both and never in neither', async () => {
      await append(item('message', 'one'));
      const claim = await store.claim(talk);
      await claim.append([{ type: 'turn/start', turn, protocol: 'label' }, record('one', 'one')]);
      const next = await store.claim(talk);
      expect(next.opening).toEqual([]);
      expect(next.records.map((each) => each.type)).toEqual(['turn/start', 'user/message']);
    });

    test('an older claim can write nothing any more', async () => {
      await append(item('message', 'one'));
      const old = await store.claim(talk);
      const next = await store.claim(talk);
      const ledger = old.ledger(turn);
      for (const write of [
        () => old.append([record('one', 'one')]),
        () => old.commit(),
        () => old.take(5),
        () => old.waiting(),
        () => old.openPause(pause),
        () => ledger.intend('answer'),
        () => ledger.done('answer', { surface: 'test', place: 'room', id: '1' }),
        () => ledger.check(),
      ]) {
        await expect(write()).rejects.toBeInstanceOf(LeaseLostError);
      }
      expect(texts(next.opening)).toEqual(['one']);
      expect((await store.claim(talk)).records).toEqual([]);
    });

    test('the journal comes back exactly as it was written', async () => {
      const claim = await store.claim(talk);
      const odd: JournalRecord = { type: 'user/message', source: 'person', content: 'é 漢 👩‍🏫 \u0000 "\\' };
      await claim.append([odd]);
      expect((await store.claim(talk)).records).toEqual([odd]);
    });

    test('conversations do not mix', async () => {
      await append(item('message', 'one'));
      const other = ConversationId(`${talk}-other`);
      expect(
        await store.append({ conversation: other, item: item('message', 'one'), wanted: 'always' }),
      ).toBe('wake');
      expect(texts((await store.claim(other)).opening)).toEqual(['one']);
    });

    test('a conversation that is not followed ignores what is not meant for the bot, until somebody addresses it', async () => {
      expect(await append(item('message', 'chatter'), 'if_followed')).toBe('ignored');
      expect(await append(item('message', '@bot hello'), 'and_follow')).toBe('wake');
      expect(await append(item('message', 'chatter 2'), 'if_followed')).toBe('queued');
      expect(await append(item('message', 'chatter'), 'if_followed')).toBe('queued');
    });

    test('a stop reaches the running turn and is over with it; with nothing running it is idle', async () => {
      expect(await append(stop('s0'))).toBe('idle');
      await append(item('message', 'one'));
      const claim = await store.claim(talk);
      expect(claim.stopRequested).toBe(false);
      expect(await append(stop('s1'))).toBe('stopping');
      await claim.waiting();
      expect(claim.stopRequested).toBe(true);
      claim.accept(claim.opening);
      expect(await claim.commit()).toBe('idle');
      expect((await store.claim(talk)).stopRequested).toBe(false);
    });

    test('a stop or a new beginning counts from whoever takes part, where only that is wanted', async () => {
      const ben = UserId('test:ben');
      const from = (author: UserId, each: InboxItem) =>
        store.append({ conversation: talk, item: { ...each, author }, wanted: 'always', byPart: true });
      expect(await from(ben, stop('s0'))).toBe('idle');
      await append(item('message', 'one'));
      expect(await from(ben, stop('s1'))).toBe('not_part');
      expect(await from(ben, anew('n1'))).toBe('not_part');
      expect(await store.stopRequested(talk)).toBe(false);
      expect(await from(ann, stop('s2'))).toBe('stopping');
      await append({ ...item('message', 'me, too'), author: ben });
      expect(await from(ben, stop('s1'))).toBe('stopping');
    });

    describe('an answer that is wanted anew and taken away at the same time', () => {
      const again = (id: string): InboxItem => ({
        kind: 'again',
        id: EventId(id),
        author: ann,
        address,
        turn,
      });
      const removal = (id: string): InboxItem =>
        ({ ...item('note', 'removed', id), removes: turn }) as InboxItem;

      test('is given anew, when that came first', async () => {
        expect(await append(again('a1'))).toBe('wake');
        expect(await append(removal('r1'))).toBe('late');
        await finish();
        expect(await append(removal('r2'))).toBe('queued');
      });

      test('is gone, when that came first; another answer is not', async () => {
        expect(await append(removal('r1'))).toBe('queued');
        expect(await append(again('a1'))).toBe('gone');
        expect(await append({ ...again('a2'), turn: TurnId('t2') } as InboxItem)).toBe('wake');
      });
    });

    test('a stop survives the worker that should have seen it', async () => {
      await append(item('message', 'one'));
      await store.claim(talk);
      await append(stop('s1'));
      expect((await store.claim(talk)).stopRequested).toBe(true);
    });

    test('an open question: the first answer wins, also among a thousand; later ones are late', async () => {
      const claim = await store.claim(talk);
      await claim.openPause(pause);
      await claim.commit();
      expect(await store.pauseOf(talk)).toMatchObject({
        callId: 'q',
        asker: 'test:ann',
        question: { prompt: 'Which?' },
      });
      const results = await Promise.all(
        Array.from({ length: 1_000 }, (_, n) => append(answers(`click-${n}`))),
      );
      expect(results.filter((result) => result === 'wake')).toHaveLength(1);
      expect(results.filter((result) => result === 'late')).toHaveLength(999);
      const next = await store.claim(talk);
      expect(next.opening).toHaveLength(1);
      next.accept(next.opening);
      await next.closePause(call);
      await next.commit();
      expect(await store.pauseOf(talk)).toBeUndefined();
      expect(await append(answers('click-after'))).toBe('late');
    });

    test('a stop closes an open question like an answer', async () => {
      const claim = await store.claim(talk);
      await claim.openPause(pause);
      await claim.commit();
      expect(await append(stop('s1'))).toBe('wake');
      expect(await append(answers('click'))).toBe('late');
    });

    test('a button of somebody who was not asked counts for nothing, and does not lock out who was', async () => {
      const claim = await store.claim(talk);
      await claim.openPause(pause);
      await claim.commit();
      expect(await append({ ...answers('click-1'), author: UserId('test:ben') })).toBe('not_yours');
      expect(await append(answers('click-2'))).toBe('wake');
    });

    test('a question for anyone takes the answer of anyone', async () => {
      const claim = await store.claim(talk);
      const questions = [{ id: 'q1', prompt: 'Which?', options: [] }];
      await claim.openPause({ ...pause, question: { questions, answerers: 'anyone' } });
      await claim.commit();
      expect(await append({ ...answers('click-1'), author: UserId('test:ben') })).toBe('wake');
    });

    test('a stop that comes when the turn has paused already closes the question', async () => {
      await append(item('message', 'one'));
      const claim = await store.claim(talk);
      claim.accept(claim.opening);
      await claim.openPause(pause);
      expect(await append(stop('s1'))).toBe('stopping');
      expect(await store.stopRequested(talk)).toBe(true);
      expect(await claim.commit()).toBe('more');
      expect(await store.stopRequested(talk)).toBe(false);
      expect(texts((await store.claim(talk)).opening)).toEqual(['stop']);
      expect(await append(answers('click'))).toBe('late');
    });

    test('while a question is open a next waits, and is there when the question has an end', async () => {
      const claim = await store.claim(talk);
      await claim.openPause(pause);
      await append(item('next', 'later'));
      expect(await claim.commit()).toBe('idle');
      await append(answers('click'));
      const after = await store.claim(talk);
      after.accept(after.opening.filter(({ kind }) => kind === 'answer'));
      await after.closePause(call);
      expect(await after.commit()).toBe('more');
      expect(texts((await store.claim(talk)).opening)).toEqual(['later']);
    });

    test('an answer is asked for anew only when nothing runs and no question is open', async () => {
      const again = (id: string): InboxItem => ({
        kind: 'again',
        id: EventId(id),
        author: ann,
        address,
        turn,
      });
      expect(await append(again('a1'))).toBe('wake');
      expect(await append(again('a2'))).toBe('late');
      const claim = await store.claim(talk);
      expect(claim.opening.map(({ id }) => id)).toEqual(['a1']);
      await claim.append([{ type: 'turn/start', turn, protocol: 'label', again: EventId('a1') }]);
      await claim.openPause(pause);
      expect(await claim.commit()).toBe('idle');
      expect(await append(again('a3'))).toBe('late');
      expect((await store.claim(talk)).opening).toEqual([]);
    });

    test('an answer to another question is late', async () => {
      const claim = await store.claim(talk);
      await claim.openPause({ ...pause, callId: CallId('other') });
      await claim.commit();
      expect(await append(answers('click'))).toBe('late');
    });

    test('the card and the answers so far are kept with the question', async () => {
      const claim = await store.claim(talk);
      await claim.openPause(pause);
      const card = { surface: 'test', place: 'room', id: '7' };
      await claim.updatePause({ card });
      await claim.updatePause({ answers: [{ id: 'q1', selected: ['Yes'], text: '', status: 'answered' }] });
      expect(await store.pauseOf(talk)).toMatchObject({
        callId: 'q',
        card,
        answers: [{ selected: ['Yes'] }],
      });
    });

    test('a message that nobody has recorded can be edited and deleted; later it cannot', async () => {
      await append(item('message', 'one'));
      await append(item('message', 'two'));
      expect(await store.edit(talk, EventId('one'), 'one, corrected')).toBe('changed');
      expect(await store.edit(talk, EventId('two'), undefined)).toBe('changed');
      const claim = await store.claim(talk);
      expect(texts(claim.opening)).toEqual(['one, corrected']);
      await claim.append([record('one, corrected', 'one')]);
      expect(await store.edit(talk, EventId('one'), 'again')).toBe('late');
      expect(await store.edit(talk, EventId('never'), undefined)).toBe('unknown');
    });

    test('a lost wake is found by the sweep; work in progress and finished work are not', async () => {
      await append(item('message', 'one'));
      expect(await store.overdue(clock.now() - 1)).not.toContain(talk);
      await clock.advance(6_000);
      expect(await store.overdue(clock.now() - 5_000)).toContain(talk);
      const claim = await store.claim(talk);
      await claim.take(5);
      expect(await store.overdue(clock.now() - 5_000)).not.toContain(talk);
      await clock.advance(66_000);
      expect(await store.overdue(clock.now() - 5_000)).toContain(talk);
      await claim.take(5);
      expect(await store.overdue(clock.now() - 5_000)).not.toContain(talk);
      await claim.commit();
      await clock.advance(600_000);
      expect(await store.overdue(clock.now())).not.toContain(talk);
    });

    test('what came to nothing does not keep the sweep busy', async () => {
      await append(stop('s0'));
      await append(answers('click'));
      await append(item('message', 'chatter'), 'if_followed');
      await clock.advance(60_000);
      expect(await store.overdue(clock.now())).not.toContain(talk);
    });

    test('the ledger keeps what was tried and what is there, and a message leads back to its conversation', async () => {
      const ledger = (await store.claim(talk)).ledger(turn);
      const ref = { surface: 'test', place: 'room', id: `m-${talk}` };
      expect(await ledger.get('answer')).toBeUndefined();
      await ledger.intend('answer');
      expect(await ledger.get('answer')).toEqual({ state: 'intended' });
      await ledger.done('answer', ref);
      const after = (await store.claim(talk)).ledger(turn);
      expect(await after.get('answer')).toEqual({ state: 'done', ref });
      await after.done('answer', ref, 'a digest');
      expect(await after.get('answer')).toEqual({ state: 'done', ref, shown: 'a digest' });
      await after.done('answer', ref);
      expect(await after.get('answer')).toEqual({ state: 'done', ref });
      expect(await after.get('trace')).toBeUndefined();
      expect(await store.ownerOf(ref)).toEqual({ conversation: talk, turn });
      expect(await store.ownerOf({ ...ref, id: 'unknown' })).toBeUndefined();
    });

    test('the journal can be read by anybody, without a claim', async () => {
      expect(await store.journalOf(talk)).toEqual([]);
      const records = [
        { type: 'turn/start', turn, protocol: 'label' },
        { type: 'turn/end', outcome: 'finish' },
      ] as const;
      await (await store.claim(talk)).append(records);
      expect(await store.journalOf(talk)).toEqual(records);
    });
  });
}

function texts(items: readonly InboxItem[]): unknown[] {
  return items.map((each) => ('content' in each ? each.content : each.kind));
}
