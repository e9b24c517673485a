/** The board in memory, for tests: same contract as every other one. */
import type { ConversationId, UserId } from '../domain/ids.ts';
import type { Board, BoardMessage, BoardView } from '../ports/board.ts';
import type { Conversations } from '../ports/conversations.ts';
import type { Clock } from '../ports/runtime.ts';
import { titleOf } from './board-title.ts';

interface Place {
  readonly messages: Map<string, BoardMessage>;
  /** Ids in the order in which they changed. */
  readonly changes: string[];
  readonly watchers: Set<() => void>;
  title: string | undefined;
}

/** Nobody tells it that a turn begins or ends, so it looks. Unit: milliseconds. */
const lookEveryMs = 5_000;

export function memoryBoard(clock: Clock, conversations: Pick<Conversations, 'isBusy'>): Board {
  const places = new Map<ConversationId, Place>();
  const talks = new Map<UserId, Map<ConversationId, number>>();
  const open = (conversation: ConversationId): Place => {
    const known: Place = places.get(conversation) ?? {
      messages: new Map(),
      changes: [],
      watchers: new Set(),
      title: undefined,
    };
    places.set(conversation, known);
    return known;
  };
  const view = ({ messages, changes }: Place): BoardView => ({
    messages: [...messages.values()],
    place: String(changes.length),
  });

  return {
    async put(conversation, id, message) {
      const place = open(conversation);
      const old = place.messages.get(id);
      const fresh = { id, ...message };
      if (old !== undefined && JSON.stringify(old) === JSON.stringify(fresh)) return;
      place.messages.set(id, fresh);
      place.changes.push(id);
      if (message.kind === 'user') {
        place.title ??= titleOf(message.text);
        if (message.author !== undefined) {
          const own = talks.get(message.author) ?? new Map<ConversationId, number>();
          talks.set(message.author, own.set(conversation, clock.now()));
        }
      }
      for (const look of place.watchers) look();
    },
    async remove(conversation, id) {
      const place = open(conversation);
      if (!place.messages.delete(id)) return;
      place.changes.push(id);
      for (const look of place.watchers) look();
    },
    get: async (conversation, id) => open(conversation).messages.get(id),
    list: async (conversation) => view(open(conversation)),
    async *watch(conversation, after, signal) {
      const place = open(conversation);
      const { messages, changes, watchers } = place;
      let seen = after !== undefined && /^[1-9]\d*$/.test(after) ? Number(after) : Number.NaN;
      let wasBusy: boolean | undefined;
      if (!(seen <= changes.length)) {
        wasBusy = await conversations.isBusy(conversation);
        seen = changes.length;
        yield { ...view(place), isWhole: true, removed: [], isBusy: wasBusy };
      }
      while (!signal.aborted) {
        const isBusy = await conversations.isBusy(conversation);
        const ids = new Set(changes.slice(seen));
        if (ids.size > 0 || isBusy !== wasBusy) {
          wasBusy = isBusy;
          seen = changes.length;
          const changed = [...messages.values()].filter(({ id }) => ids.has(id));
          const removed = [...ids].filter((id) => !messages.has(id));
          yield { messages: changed, removed, place: String(seen), isWhole: false, isBusy };
          continue;
        }
        await new Promise<void>((resolve) => {
          const cancel = clock.after(lookEveryMs, () => look());
          const look = () => {
            cancel();
            watchers.delete(look);
            signal.removeEventListener('abort', look);
            resolve();
          };
          watchers.add(look);
          signal.addEventListener('abort', look, { once: true });
        });
      }
    },
    async talksOf(person) {
      return [...(talks.get(person) ?? [])]
        .map(([conversation, at]) => ({ conversation, at, title: open(conversation).title ?? '' }))
        .toSorted((a, b) => b.at - a.at);
    },
  };
}
