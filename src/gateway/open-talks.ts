/** What is open for a person on a platform: where the bot is at work for them, or waits for an answer. */
import { cutText } from '../domain/cut-text.ts';
import { UnreadableJournalError } from '../domain/errors.ts';
import type { ConversationId, UserId } from '../domain/ids.ts';
import type { JournalRecord } from '../domain/journal.ts';
import { textOf } from '../domain/message.ts';
import type { OpenPause } from '../domain/pause.ts';

export interface OpenTalksMeans {
  /** Where the person spoke, the latest first. */
  readonly spokenIn: (person: UserId) => Promise<readonly ConversationId[]>;
  readonly isBusy: (conversation: ConversationId) => Promise<boolean>;
  readonly pauseOf: (conversation: ConversationId) => Promise<OpenPause | undefined>;
  readonly journalOf: (conversation: ConversationId) => Promise<readonly JournalRecord[]>;
}

export interface Talk {
  readonly conversation: ConversationId;
  /** How the newest question of a person begins; empty when it is not known. */
  readonly title: string;
  readonly state: 'works' | 'waits' | 'idle';
}

const titleChars = 70;

/** At most `max`, the latest first; rejects while the store is away. */
export async function talksOf(means: OpenTalksMeans, person: UserId, max: number): Promise<readonly Talk[]> {
  const spoken = (await means.spokenIn(person)).slice(0, max);
  return Promise.all(
    spoken.map(async (conversation) => {
      const [pause, isBusy, journal] = await Promise.all([
        means.pauseOf(conversation),
        means.isBusy(conversation),
        means.journalOf(conversation).catch((error: unknown) => {
          if (error instanceof UnreadableJournalError) return [];
          throw error;
        }),
      ]);
      const state = pause !== undefined ? 'waits' : isBusy ? 'works' : 'idle';
      return { conversation, title: titleIn(journal), state } as const;
    }),
  );
}

function titleIn(journal: readonly JournalRecord[]): string {
  const asked = journal.findLast((record) => record.type === 'user/message' && record.source === 'person');
  if (asked?.type !== 'user/message') return '';
  return cutText(textOf(asked.content).replaceAll(/\s+/g, ' ').trim(), titleChars);
}
