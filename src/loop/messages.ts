/** The journal folded into what the model may see. There is no second list. */
import type { Fate, JournalRecord } from '../domain/journal.ts';
import type { AssistantMessage, ModelMessage, ToolMessage, UserSource } from '../domain/message.ts';
import { Speakers } from './speakers.ts';

/** How a journaled response reads in a request; `Strategy.replay`. */
export type Replay = (content: string, fate: Fate | undefined, hasCalls: boolean) => string;

const peoplesSources: ReadonlySet<UserSource> = new Set<UserSource>(['person', 'steer', 'inject']);

/** Messages of a conversation, kept equal to its journal record by record. */
export class MessageFold {
  private system: string | undefined;
  /** Stands behind the system prompt: it changes with every turn, the prompt does not. */
  private now: string | undefined;
  private readonly rest: ModelMessage[] = [];
  private readonly speakers = new Speakers();
  /** Where the messages of the newest turn begin. */
  private turnAt = 0;
  /** Place of the last message with calls: its results stand behind it in the order of the calls, whenever they came. */
  private batchAt = -1;

  constructor(private readonly replay: Replay) {}

  add(record: JournalRecord): void {
    switch (record.type) {
      case 'turn/start':
        this.now = record.now ?? this.now;
        if (record.again === undefined) this.turnAt = this.rest.length;
        else this.startAgain();
        return;
      case 'conversation/new':
        this.rest.length = 0;
        this.speakers.forget();
        this.turnAt = 0;
        this.batchAt = -1;
        return;
      case 'turn/resumed':
        this.now = record.now ?? this.now;
        return;
      case 'system/message':
        this.system = record.content;
        return;
      case 'user/message':
        return this.addUser(record);
      case 'assistant/message':
        this.addAssistant(record);
        return;
      case 'tool/result':
        this.addResult({
          role: 'tool',
          callId: record.callId,
          name: record.name,
          content: record.content,
          status: record.status,
        });
        return;
      default:
    }
  }

  get systemText(): string | undefined {
    return this.system;
  }

  /** A fresh array; the messages in it are shared and never change. */
  messages(): ModelMessage[] {
    const rest = this.rest.map((message) => this.speakers.show(message));
    if (this.system === undefined) return rest;
    const content = this.now === undefined ? this.system : `${this.system}\n\n${this.now}`;
    return [{ role: 'system', content }, ...rest];
  }

  /** The calls of the last response that have no result yet, in order. */
  openCalls(): AssistantMessage['calls'] {
    const batch = this.rest[this.batchAt];
    if (batch?.role !== 'assistant') return [];
    const answered = new Set<string>();
    for (const message of this.rest.slice(this.batchAt + 1)) {
      if (message.role === 'tool') answered.add(message.callId);
    }
    return batch.calls.filter((call) => !answered.has(call.id));
  }

  /** Of the newest turn only what people said is left. */
  private startAgain(): void {
    const said = this.rest
      .slice(this.turnAt)
      .filter((message) => message.role === 'user' && peoplesSources.has(message.source));
    this.rest.splice(this.turnAt, this.rest.length, ...said);
    this.batchAt = this.rest.findLastIndex(
      (message) => message.role === 'assistant' && message.calls.length > 0,
    );
  }

  private addUser(record: Extract<JournalRecord, { type: 'user/message' }>): void {
    const { content, source, author, name } = record;
    const message = { role: 'user', content, source } as const;
    this.rest.push(message);
    if (author !== undefined && name !== undefined) this.speakers.heard(message, author, name);
  }

  private addAssistant(record: Extract<JournalRecord, { type: 'assistant/message' }>): void {
    if (record.content === '' && record.calls.length === 0) return;
    const content = this.replay(record.content, record.fate, record.calls.length > 0);
    const message: AssistantMessage = { role: 'assistant', content, calls: record.calls };
    this.rest.push(record.reasoning === undefined ? message : { ...message, reasoning: record.reasoning });
    if (record.calls.length > 0) this.batchAt = this.rest.length - 1;
  }

  private addResult(result: ToolMessage): void {
    const batch = this.rest[this.batchAt];
    if (batch?.role !== 'assistant') return;
    const place = (callId: string) => batch.calls.findIndex((call) => call.id === callId);
    let at = this.batchAt + 1;
    for (let next = this.rest[at]; next?.role === 'tool'; next = this.rest[at]) {
      if (place(next.callId) > place(result.callId)) break;
      at += 1;
    }
    this.rest.splice(at, 0, result);
  }
}

/** What the model may see of a whole journal. */
export function messagesFrom(records: Iterable<JournalRecord>, replay: Replay): ModelMessage[] {
  const fold = new MessageFold(replay);
  for (const record of records) fold.add(record);
  return fold.messages();
}
