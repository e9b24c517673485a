/**
 * Every Redis key of the store. What one step of a conversation changes lies in one shard, a slot of a cluster, so that
 * the step is one script. Conversation ids contain no braces.
 *
 * | key of a conversation | type | life | written by |
 * |---|---|---|---|
 * | `state` | hash, see below | retention | append, claim, commit |
 * | `inbox` | list of items | until recorded or committed | append, claim's writes, commit |
 * | `seen:<item id>` | string | 72 h | append |
 * | `journal` | list of numbered records | retention | the claim that holds the fence |
 * | `pause` | hash: the open question | until the question is closed | the claim that holds the fence |
 * | `ledger:<turn>` | hash slot → entry | retention | the claim that holds the fence |
 * | `files:<item id>` | hash file → what became of it | 7 days | the worker that fetched it |
 * | `pages` | hash address → page of the web that was read | an hour | whoever reads one |
 * | `live` | capped stream of turn events | 7 days | the worker that runs the turn |
 * | `seen-live` | string: place in `live` | 7 days | whoever shows the events |
 * | `board` | hash id → message on the web page, `last` and `title` | retention | board |
 * | `changes` | capped stream of ids in `board` | retention | board |
 * | `votes` | hash person and answer → vote | retention | votes |
 *
 * | field of `state` | what it says | life |
 * |---|---|---|
 * | `fence` | number of the newest claim | as `state` |
 * | `wake` | a worker was told, or works | from the append that woke to the commit that found nothing |
 * | `followed` | what is said here is meant for the bot: the place where that began | as `state` |
 * | `stop` | item: the running turn is to end | until the commit |
 * | `again` | the turn that is answered anew | until the commit |
 * | `removed` | the turn whose answer was taken away last | as `state` |
 * | `call`, `for` | the open question, who may answer it | until the question is closed |
 * | `closing` | something that closes the question is in the inbox | until the question is closed |
 *
 * | key of a shard | type | life | written by |
 * |---|---|---|---|
 * | `waiting` | sorted set conversation by due time | until the commit | append, signs of life, commit; read by the sweep |
 * | `person:<user>` | sorted set conversation by last message | retention | append |
 *
 * | global key | type | life | written by |
 * |---|---|---|---|
 * | `ref:<surface>:<place>:<id>` | string: conversation and turn | retention | ledger |
 * | `cursor:<surface>` | string: id of the newest message up to which all are stored; `<surface>-commands`: where the commands are | retention | gateways |
 * | `directs:<surface>` | sorted set place of direct messages by time of the last one; `<surface>-left`: conversations with an answer that could not be shown to its end | retention, the newest 10,000 | gateways, workers |
 * | `installation:<surface>:<team>` | string: token and name, encrypted with the secret | until it is uninstalled | gateways |
 * | `sweep` | lock | 9 s | the worker that looks for lost wakes |
 * | `workers` | sorted set worker by time until which it is alive | – | presence |
 * | `writable` | string | 10 s | every process, to see whether Redis takes writes |
 * | `note:<key>` | string | as said | model notes |
 * | `once:<thing>` | string | 15 min, or an hour | whoever does it first |
 * | `memory:<user>` | hash id → memory | until forgotten | memories |
 * | `quota:messages:<user>` | counter | a minute from the first message | quotas |
 * | `quota:tokens:<user>` | counter | a day from the first token | quotas |
 * | `talks:<user>` | sorted set web conversation by last message | retention | board |
 * | `rate:<surface>:<route>:<scope>` | string: state of a rate budget (MessagePack) | an hour, or as long as the platform refuses | rate budgets |
 *
 * | key of reminders, all on one slot | type | life | written by |
 * |---|---|---|---|
 * | `of:<user>` | hash id → reminder, and `last`, the newest number | until it fired for the last time or is removed; `last` stays | reminders |
 * | `due` | sorted set `id user` by due time | as the reminder | reminders; read by their sweep |
 * | `made:<request>` | string: what the request made | 72 h | reminders |
 * | `said:<user>/<id>` | string: the reminder as it was when it came last | 30 days | reminders |
 *
 * | key of people, all on one slot | type | life | written by |
 * |---|---|---|---|
 * | `account:<user>` | hash: `language`, `zone`, `style`, `locale`, `platformZone`, `zoneAsked`, and `person` when linked | – | people |
 * | `accounts:<person>` | set of linked accounts | until one is left | people |
 * | `code:<code>` | string: the account that made it | 10 min, or until used | people |
 *
 * | key of files, all on one slot | type | life | written by |
 * |---|---|---|---|
 * | `blob:<hash>` | hash: `size`, `kept`, `of <user>` for each owner | as its chunks | blobs |
 * | `chunk:<hash>:<n>` | string of at most 512 KB | 7 days from the last time it was put or read, or until removed | blobs |
 * | `lapses` | sorted set `hash:size` by the end of its life | as the file | blobs |
 * | `used` | number of bytes, written and reserved | – | blobs |
 * | `files-of:<user>` | sorted set hash by last time | as the last of them | blobs |
 */
import type { MessageRef } from '../../domain/address.ts';
import type { BlobHash, ConversationId, EventId, TurnId, UserId } from '../../domain/ids.ts';
import type { BudgetName } from '../../ports/rate-budget.ts';

const root = 'docent';

const shards = 16;
const shardTag = (shard: number) => `{c${shard}}`;

export function conversationKeys(id: ConversationId): ConversationKeys {
  return new ConversationKeys(id);
}

/** A key costs nothing until it is asked for. */
export class ConversationKeys {
  private readonly shard: string;
  private readonly root: string;

  constructor(id: ConversationId) {
    this.shard = shardTag(shardOf(id));
    this.root = `${root}:${this.shard}:${id}`;
  }

  get state() {
    return `${this.root}:state`;
  }
  get inbox() {
    return `${this.root}:inbox`;
  }
  get journal() {
    return `${this.root}:journal`;
  }
  get pause() {
    return `${this.root}:pause`;
  }
  get live() {
    return `${this.root}:live`;
  }
  get seenLive() {
    return `${this.root}:seen-live`;
  }
  get waiting() {
    return waitingIn(this.shard);
  }
  get pages() {
    return `${this.root}:pages`;
  }
  seen(item: EventId) {
    return `${this.root}:seen:${item}`;
  }
  files(item: EventId) {
    return `${this.root}:files:${item}`;
  }
  ledger(turn: TurnId) {
    return `${this.root}:ledger:${turn}`;
  }
  person(user: UserId) {
    return personIn(this.shard, user);
  }
}

/** What the web page shows of a conversation. */
export function boardKeys(id: ConversationId) {
  const at = (name: string) => `${root}:${shardTag(shardOf(id))}:${id}:${name}`;
  return { board: at('board'), changes: at('changes'), votes: at('votes') };
}

/** Where a conversation is named when its board changes, or when work on it begins or ends. */
export const boardChannel = `${root}:board`;

/** `waiting` of every shard. */
export const waitingKeys: readonly string[] = Array.from({ length: shards }, (_, shard) =>
  waitingIn(shardTag(shard)),
);

/** `person` of every shard. */
export function personKeys(user: UserId): readonly string[] {
  return Array.from({ length: shards }, (_, shard) => personIn(shardTag(shard), user));
}

function personIn(shard: string, user: UserId): string {
  return `${root}:person:${shard}:${user}`;
}

function waitingIn(shard: string): string {
  return `${root}:waiting:${shard}`;
}

/** Never changes: a conversation stays where it is. */
function shardOf(id: ConversationId): number {
  let sum = 0;
  for (let at = 0; at < id.length; at++) sum = (sum * 31 + id.charCodeAt(at)) % 65_521;
  return sum % shards;
}

export const globalKeys = {
  ref: ({ surface, place, id }: MessageRef) => `${root}:ref:${surface}:${place}:${id}`,
  cursor: (surface: string) => `${root}:cursor:${surface}`,
  directs: (surface: string) => `${root}:directs:${surface}`,
  workers: `${root}:workers`,
  writable: `${root}:writable`,
  note: (key: string) => `${root}:note:${key}`,
  memory: (user: UserId) => `${root}:memory:${user}`,
  installation: (surface: string, team: string) => `${root}:installation:${surface}:${team}`,
  once: (thing: string) => `${root}:once:${thing}`,
  talks: (user: UserId) => `${root}:talks:${user}`,
} as const;

/** What `globalKeys` does not hold: the limiter joins its prefix and the person itself. */
export const quotaPrefixes = {
  messages: `${root}:quota:messages`,
  tokens: `${root}:quota:tokens`,
} as const;

export const reminderKeys = {
  of: (user: UserId) => `${root}:{reminders}:of:${user}`,
  made: (request: string) => `${root}:{reminders}:made:${request}`,
  said: (user: UserId, id: string) => `${root}:{reminders}:said:${user}/${id}`,
  due: `${root}:{reminders}:due`,
} as const;

export const peopleKeys = {
  account: (user: UserId) => `${root}:{people}:account:${user}`,
  code: (code: string) => `${root}:{people}:code:${code}`,
  /** Scripts join these with what they find. */
  accountPrefix: `${root}:{people}:account:`,
  accountsPrefix: `${root}:{people}:accounts:`,
} as const;

export const blobKeys = {
  blob: (hash: BlobHash) => `${root}:{blobs}:blob:${hash}`,
  chunk: (hash: BlobHash, n: number) => `${root}:{blobs}:chunk:${hash}:${n}`,
  /** Without a person: a key that nobody writes. */
  person: (user: UserId | undefined) => `${root}:{blobs}:files-of:${user ?? ''}`,
  lapses: `${root}:{blobs}:lapses`,
  used: `${root}:{blobs}:used`,
} as const;

/** A slot of its own for each: budgets of busy places lie on different nodes of a cluster. */
export const rateBudgetKey = ({ surface, route, scope }: BudgetName) =>
  `${root}:rate:{${surface}:${route}:${scope}}`;
