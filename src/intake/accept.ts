/** The one door: whatever is said on a surface is judged, stored once, and somebody is told. */
import type { UserId } from '../domain/ids.ts';
import { filesOf } from '../domain/inbound.ts';
import type { Appended, Conversations } from '../ports/conversations.ts';
import type { FileFetches } from '../ports/files.ts';
import type { Meter } from '../ports/meter.ts';
import type { Clock, Logger } from '../ports/runtime.ts';
import type { TurnQueue } from '../ports/turn-queue.ts';
import { BotPace } from './bot-pace.ts';
import { type AccessRules, type Candidate, judge, type Refusal } from './policy.ts';

export interface IntakeServices {
  readonly conversations: Pick<Conversations, 'append'>;
  readonly queue: TurnQueue;
  readonly fetches: FileFetches;
  readonly config: { readonly access: AccessRules };
  readonly clock: Clock;
  readonly log: Logger;
  /** Absent: nobody looks. */
  readonly meter?: Meter;
}

/** As `Appended`; `queued` also when somebody was told. A refusal is to be said to the person, in private. */
export type Accepted = Exclude<Appended, 'wake'> | `refused_${Refusal}`;

export interface Accept {
  /**
   * Resolves when it is stored: from then on the platform may be told. Rejects when the store is away, and nothing is
   * known of it then: the adapter keeps it and tries again, as often as it likes.
   */
  (candidate: Candidate): Promise<Accepted>;
  /** Resolves when no wake or stop is under way any more: to be awaited before the queue is closed. */
  settled(): Promise<void>;
}

export function acceptInbound(services: IntakeServices): Accept {
  const { conversations, queue, fetches, config, clock, log, meter } = services;
  const botPace = new BotPace(clock);
  const sending = new Set<Promise<void>>();

  async function accept(candidate: Candidate): Promise<Accepted> {
    const { conversation, item } = candidate;
    const bot = botIn(candidate);
    const verdict = judge(candidate, config.access, bot === undefined ? 0 : botPace.lately(bot));
    if (verdict.kind === 'refused') return `refused_${verdict.reason}`;
    if (verdict.kind === 'ignored') {
      const level = verdict.why === 'bot_loop' ? 'warn' : 'debug';
      log[level]({ conversation, author: item.author, why: verdict.why }, 'what was said is ignored');
      return 'ignored';
    }

    const from = clock.now();
    const appended = await conversations.append(verdict.inbound);
    meter?.time('ack', clock.now() - from);
    if (bot !== undefined && appended !== 'duplicate') botPace.add(bot);
    const files = filesOf(conversation, verdict.inbound.item);
    // An address may expire before a turn has time for it.
    if (files !== undefined && (appended === 'wake' || appended === 'queued'))
      send(() => fetches.send(files), candidate);
    if (appended === 'stopping') send(() => queue.stop(conversation), candidate);
    if (appended !== 'wake') return appended;
    send(() => queue.wake(conversation), candidate);
    return 'queued';
  }

  /**
   * Not waited for: the acknowledgement costs one round trip, and what is lost here the sweep makes good, for files the
   * turn that waits for them.
   */
  function send(tell: () => Promise<void>, candidate: Candidate): void {
    const told = sent(tell, candidate).then(() => void sending.delete(told));
    sending.add(told);
  }

  async function sent(tell: () => Promise<void>, { conversation, item }: Candidate): Promise<void> {
    try {
      await tell();
    } catch (error) {
      const fields = { conversation, event: item.id, error };
      log.warn(fields, 'a worker could not be told of what is stored; the sweep tells it');
    }
  }

  return Object.assign(accept, {
    settled: async () => void (await Promise.all(sending)),
  });
}

function botIn({ item, from }: Candidate): UserId | undefined {
  return from?.isBot ? item.author : undefined;
}
