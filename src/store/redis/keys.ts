/**
 * Every Redis key of the store. All keys of one conversation share its hash tag, so that a script stays on one slot of
 * a cluster; conversation ids contain no braces.
 *
 * | key of a conversation | type | life | written by |
 * |---|---|---|---|
 * | `inbox` | list of `kind|item id` | until recorded or committed | append, claim's writes, commit |
 * | `items` | hash item id → item | as `inbox` | as `inbox` |
 * | `seen:<item id>` | string | 72 h | append |
 * | `wake` | string | from the append that woke to the commit that found nothing | append, claim, commit |
 * | `fence` | counter | retention | claim |
 * | `stop` | string: the item | until the commit | append |
 * | `journal` | stream of records | retention | the claim that holds the fence |
 * | `pause` | hash: call, for, pause, card, answers, told, closing | until the question is closed | claim; `closing` by append |
 * | `followed` | string | retention | append |
 * | `ledger:<turn>` | hash slot → entry | retention | the claim that holds the fence |
 * | `live` | capped stream of turn events | 7 days | the worker that runs the turn |
 * | `seen-live` | string: place in `live` | 7 days | whoever shows the events |
 *
 * | global key | type | life | written by |
 * |---|---|---|---|
 * | `waiting` | sorted set conversation by due time | until the commit | append, claim, commit; read by the sweep |
 * | `ref:<surface>:<place>:<id>` | string: conversation | retention | ledger |
 * | `person:<user>` | sorted set conversation by last message | retention | append |
 * | `sweep` | lock | 9 s | the worker that looks for lost wakes |
 * | `workers` | sorted set worker by time until which it is alive | – | presence |
 * | `note:<key>` | string | as said | model notes |
 * | `memory:<user>` | hash id → memory | until forgotten | memories |
 * | `quota:messages:<user>` | counter | a minute from the first message | quotas |
 * | `quota:tokens:<user>` | counter | a day from the first token | quotas |
 *
 * | key of reminders, all on one slot | type | life | written by |
 * |---|---|---|---|
 * | `of:<user>` | hash id → reminder, and `last`, the newest number | until it fired for the last time or is removed; `last` stays | reminders |
 * | `due` | sorted set `id user` by due time | as the reminder | reminders; read by their sweep |
 * | `made:<request>` | string: what the request made | 72 h | reminders |
 */
import type { MessageRef } from '../../domain/address.ts';
import type { ConversationId, EventId, TurnId, UserId } from '../../domain/ids.ts';

const root = 'docent';

export function conversationKeys(id: ConversationId) {
  const at = (name: string) => `${root}:{${id}}:${name}`;
  return {
    inbox: at('inbox'),
    items: at('items'),
    wake: at('wake'),
    fence: at('fence'),
    stop: at('stop'),
    journal: at('journal'),
    pause: at('pause'),
    followed: at('followed'),
    live: at('live'),
    seenLive: at('seen-live'),
    seen: (item: EventId) => at(`seen:${item}`),
    ledger: (turn: TurnId) => at(`ledger:${turn}`),
  };
}

export const globalKeys = {
  waiting: `${root}:waiting`,
  ref: ({ surface, place, id }: MessageRef) => `${root}:ref:${surface}:${place}:${id}`,
  person: (user: UserId) => `${root}:person:${user}`,
  workers: `${root}:workers`,
  note: (key: string) => `${root}:note:${key}`,
  memory: (user: UserId) => `${root}:memory:${user}`,
} as const;

/** What `globalKeys` does not hold: the limiter joins its prefix and the person itself. */
export const quotaPrefixes = {
  messages: `${root}:quota:messages`,
  tokens: `${root}:quota:tokens`,
} as const;

export const reminderKeys = {
  of: (user: UserId) => `${root}:{reminders}:of:${user}`,
  made: (request: string) => `${root}:{reminders}:made:${request}`,
  due: `${root}:{reminders}:due`,
} as const;
