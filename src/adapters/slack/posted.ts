/** A message of ours among those of a place, for a post of which nobody heard whether it was done. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { slackMarkdown } from './markdown.ts';

const eventType = 'docent_message';

/** Stands with every message of ours; other apps may read it, so it says nothing. */
export function metadataOf(key: string) {
  return { event_type: eventType, event_payload: { key: digest(key) } };
}

const listed = z.array(
  z.object({
    ts: z.string(),
    user: z.string().optional(),
    bot_id: z.string().optional(),
    text: z.string().optional(),
    metadata: z
      .object({
        event_type: z.string(),
        event_payload: z.object({ key: z.string() }).partial(),
      })
      .partial()
      .optional(),
  }),
);

export interface Sought {
  readonly key: string;
  /** What it is to say, where that is known. */
  readonly text: string | undefined;
  /** Slack's id of the bot. */
  readonly botUser: string;
  /** Messages that are known by another key. */
  readonly others: ReadonlySet<string>;
}

/**
 * `ts` of the message that was posted under the key. `messages` is a list as Slack gives it. A message that grows has no key
 * before its growth ends: the newest of those is the one, unless it says something else.
 */
function postedIn(messages: unknown, { key, text, botUser, others }: Sought): string | undefined {
  const ours = (listed.safeParse(messages).data ?? [])
    .filter(({ user, bot_id: bot, ts }) => user === botUser && bot !== undefined && !others.has(ts))
    .toSorted((one, other) => (one.ts < other.ts ? 1 : -1));
  const keyed = ours.find(
    ({ metadata }) => metadata?.event_type === eventType && metadata.event_payload?.key === digest(key),
  );
  if (keyed !== undefined) return keyed.ts;
  if (!mayGrow(key)) return undefined;
  return ours.find(
    ({ metadata, text: said = '' }) =>
      metadata?.event_type === undefined && (text === undefined || isSameBeginning(said, text)),
  )?.ts;
}

/** Pages of messages that are looked through. */
const maxPages = 5;
const pageSize = 100;
const page = z.object({
  messages: z.array(z.unknown()),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/** The arguments by which a page is asked for, with all that is needed to tell a message. */
export function pageOf(cursor: string | undefined) {
  return { include_all_metadata: true, limit: pageSize, cursor };
}

/** As `postedIn`, page by page; `read` rejects as it likes. */
export async function lookFor(
  sought: Sought,
  read: (cursor: string | undefined) => Promise<unknown>,
): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const { messages, response_metadata: more } = page.parse(await read(cursor));
    const found = postedIn(messages, sought);
    if (found !== undefined) return found;
    cursor = more?.next_cursor || undefined;
    if (cursor === undefined) return undefined;
  }
  return undefined;
}

/** Answers alone do. */
function mayGrow(key: string): boolean {
  return /:answer:[\d.]+\+*$/.test(key);
}

/** Whatever marks the platform writes between the letters. */
function isSameBeginning(said: string, wanted: string): boolean {
  const [one, other] = [lettersIn(said), lettersIn(slackMarkdown(wanted))];
  const length = Math.min(one.length, other.length, 40);
  return one.slice(0, length) === other.slice(0, length);
}

function lettersIn(text: string): string {
  return text.replaceAll(/&\w+;|[^\p{L}\p{N}]/gu, '');
}

function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
