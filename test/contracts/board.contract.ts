/** What every board must do; each implementation runs this suite. */
import { beforeEach, describe, expect, test } from 'vitest';
import { ConversationId, EventId, UserId } from '../../src/domain/ids.ts';
import type { InboxItem } from '../../src/domain/inbound.ts';
import type { Board, BoardChange, BoardPost } from '../../src/ports/board.ts';
import type { Conversations } from '../../src/ports/conversations.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';

const ann = UserId('web:ann');
const answer = (text: string, state: BoardPost['state'] = 'live'): BoardPost => ({
  kind: 'answer',
  state,
  text,
});
const said = (text: string, author = ann): BoardPost => ({ kind: 'user', state: 'final', text, author });

export interface OpenBoard {
  readonly board: Board;
  /** Those whose turns it shows. */
  readonly conversations: Conversations;
}

export function boardContract(name: string, open: (clock: ManualClock) => Promise<OpenBoard>): void {
  describe(name, () => {
    let board: Board;
    let conversations: Conversations;
    let clock: ManualClock;
    let talk: ConversationId;
    let talks = 0;

    beforeEach(async () => {
      clock = manualClock(1_000_000);
      ({ board, conversations } = await open(clock));
      talk = ConversationId(`web:talk-${(talks += 1)}`);
    });

    const texts = async () => (await board.list(talk)).messages.map(({ id, text }) => `${id} ${text}`);

    /** Watches until `stop` is called; `next` is what is told then. */
    const watching = (after?: string) => {
      const over = new AbortController();
      const changes = board.watch(talk, after, over.signal)[Symbol.asyncIterator]();
      const next = async (): Promise<BoardChange> => {
        const { value, done } = await changes.next();
        if (done === true) throw new Error('nothing more is told');
        return value;
      };
      return {
        next,
        async stop() {
          over.abort();
          expect((await changes.next()).done).toBe(true);
        },
      };
    };
    const told = ({ messages, isWhole }: BoardChange) =>
      `${isWhole ? 'all: ' : ''}${messages.map(({ id, text }) => `${id} ${text}`).join(', ')}`;

    test('an empty board has no messages and a place from which to watch', async () => {
      expect((await board.list(talk)).messages).toEqual([]);
      expect(await board.get(talk, 'a')).toBeUndefined();
    });

    test('messages stand in the order in which they came, and keep their place when they change', async () => {
      await board.put(talk, 'b', said('hello'));
      await board.put(talk, 'a', answer('H'));
      await board.put(talk, 'c', said('wait'));
      await board.put(talk, 'a', answer('Hi.', 'final'));
      expect(await texts()).toEqual(['b hello', 'a Hi.', 'c wait']);
      expect(await board.get(talk, 'a')).toEqual({ id: 'a', ...answer('Hi.', 'final') });
    });

    test('everything of a message is kept', async () => {
      const post: BoardPost = { ...said('<b>&\n"0\n1'), details: ['🧠 one', 'two\nthree'] };
      await board.put(talk, 'a', post);
      expect((await board.list(talk)).messages).toEqual([{ id: 'a', ...post }]);
    });

    test('whoever begins to watch is told all, then each change', async () => {
      await board.put(talk, 'a', said('one'));
      const watched = watching();
      expect(told(await watched.next())).toBe('all: a one');
      await board.put(talk, 'b', answer('t'));
      expect(told(await watched.next())).toBe('b t');
      await board.put(talk, 'b', answer('two', 'final'));
      expect(told(await watched.next())).toBe('b two');
      await watched.stop();
    });

    test('a change to the same content is none', async () => {
      await board.put(talk, 'a', answer('one'));
      const { place } = await board.list(talk);
      await board.put(talk, 'a', answer('one'));
      await board.put(talk, 'b', answer('two'));
      const watched = watching(place);
      expect(told(await watched.next())).toBe('b two');
      await watched.stop();
    });

    test('whoever comes back is told only what changed meanwhile, as it stands now', async () => {
      await board.put(talk, 'a', said('one'));
      const { place } = await board.list(talk);
      for (const text of ['t', 'tw', 'two']) await board.put(talk, 'b', answer(text));
      await board.put(talk, 'a', said('one!'));
      const watched = watching(place);
      expect(told(await watched.next())).toBe('a one!, b two');
      await watched.stop();
    });

    test.each(['', 'x', '0-0', '99999999999999-0', '-1', '1e3', '1-1-1'])(
      'a place nobody gave out (%j) begins with all messages',
      async (place) => {
        await board.put(talk, 'a', said('one'));
        const watched = watching(place);
        expect(told(await watched.next())).toBe('all: a one');
        await watched.stop();
      },
    );

    test('a message that was taken away is told to be gone, once', async () => {
      await board.put(talk, 'a', said('one'));
      await board.put(talk, 'b', answer('two'));
      const watched = watching((await board.list(talk)).place);
      await board.remove(talk, 'b');
      await board.remove(talk, 'b');
      expect(await watched.next()).toMatchObject({ messages: [], removed: ['b'] });
      expect(await texts()).toEqual(['a one']);
      expect(await board.get(talk, 'b')).toBeUndefined();
      await board.put(talk, 'b', answer('again'));
      expect(await watched.next()).toMatchObject({ messages: [{ text: 'again' }], removed: [] });
      await watched.stop();
    });

    test('two watchers are told the same, and one that ends takes nothing from the other', async () => {
      const first = watching();
      const second = watching();
      await Promise.all([first.next(), second.next()]);
      await board.put(talk, 'a', answer('one'));
      expect(told(await first.next())).toBe('a one');
      await first.stop();
      expect(told(await second.next())).toBe('a one');
      await board.put(talk, 'a', answer('two'));
      expect(told(await second.next())).toBe('a two');
      await second.stop();
    });

    test('a watcher is told when a turn is wanted and when it is over, as is who comes in the middle of it', async () => {
      const watched = watching();
      expect(await watched.next()).toMatchObject({ isBusy: false });
      const address = { surface: 'web', place: 'talk' };
      const item: InboxItem = { id: EventId('m1'), kind: 'message', content: 'hello', author: ann, address };
      await conversations.append({ conversation: talk, wanted: 'always', item });
      await clock.advance(5_000);
      expect(await watched.next()).toMatchObject({ isBusy: true, isWhole: false, messages: [] });
      const late = watching((await board.list(talk)).place);
      expect(await late.next()).toMatchObject({ isBusy: true });
      const claim = await conversations.claim(talk);
      claim.accept(claim.opening);
      await board.put(talk, 'a', answer('Hi.', 'final'));
      expect(await watched.next()).toMatchObject({ isBusy: true, messages: [{ text: 'Hi.' }] });
      await claim.commit();
      await clock.advance(5_000);
      expect(await watched.next()).toMatchObject({ isBusy: false, messages: [] });
      await watched.stop();
      await late.stop();
    });

    test('a watcher hears nothing of another conversation', async () => {
      const watched = watching();
      await watched.next();
      await board.put(ConversationId(`${talk}-other`), 'x', answer('no'));
      await board.put(talk, 'a', answer('yes'));
      expect(told(await watched.next())).toBe('a yes');
      await watched.stop();
    });

    test('a person finds the conversations they wrote in, the latest first, by their first words', async () => {
      const [person, other] = [UserId(`web:p-${talks}`), UserId(`web:o-${talks}`)];
      const second = ConversationId(`${talk}-second`);
      await board.put(talk, 'a', said('  What is\n a limit? ', person));
      await clock.advance(1_000);
      await board.put(second, 'a', said('x'.repeat(100), person));
      await board.put(second, 'b', said('hello', other));
      await clock.advance(1_000);
      await board.put(talk, 'b', answer('A limit is …'));
      expect(await board.talksOf(person)).toEqual([
        { conversation: second, title: `${'x'.repeat(79)}…`, at: 1_001_000 },
        { conversation: talk, title: 'What is a limit?', at: 1_000_000 },
      ]);
      expect((await board.talksOf(other)).map(({ conversation }) => conversation)).toEqual([second]);
      expect(await board.talksOf(UserId('web:nobody'))).toEqual([]);
    });
  });
}
