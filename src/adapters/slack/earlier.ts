/** What was said in a thread before the bot was called into it, over the Web API. */
import { z } from 'zod';
import type { EarlierMessage, ReadEarlier } from '../../ports/earlier.ts';
import { saidKinds } from './normalize.ts';
import { type SaidMessage, saidMessage } from './payloads.ts';
import type { SlackPeople } from './people.ts';
import { readPlace } from './place.ts';
import { mentionedIn, saidText } from './said-text.ts';
import type { WebFor } from './web.ts';

const page = z.object({
  messages: z.array(saidMessage),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/** Slack begins with the oldest: of a very long thread the end is not reached. */
const maxPages = 10;
const pageSize = 200;

export function slackEarlier(webFor: WebFor, people: SlackPeople): ReadEarlier {
  return async ({ place }, before, maxMessages, signal) => {
    const { team, channel, thread } = readPlace(place);
    if (thread === undefined) return [];
    const web = await webFor(team);
    let newest: readonly SaidMessage[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < maxPages; pages += 1) {
      const args = { channel, ts: thread, latest: before, limit: pageSize, cursor };
      const { messages, response_metadata: more } = page.parse(
        await web('conversations.replies', args, signal),
      );
      // The first message of the thread may come with every page.
      const fresh = messages.filter(
        ({ ts, subtype }) =>
          ts < before && saidKinds.has(subtype) && !newest.some((known) => known.ts === ts),
      );
      newest = [...newest, ...fresh].slice(-maxMessages);
      cursor = more?.next_cursor || undefined;
      if (cursor === undefined) break;
    }
    const bot = await people.bot(team, signal);
    const read = await Promise.all(newest.map((each) => earlierOf(each, team, bot, signal)));
    return read.flat();
  };

  async function earlierOf(
    { user, username, text, files }: SaidMessage,
    team: string,
    bot: string,
    signal: AbortSignal,
  ): Promise<EarlierMessage[]> {
    const names = new Map<string, string>();
    for (const id of [...mentionedIn(text ?? ''), ...(user ? [user] : [])])
      names.set(id, await people.nameOf(team, id, signal));
    const words = saidText(text ?? '', (id) => names.get(id), bot);
    const parts = [words, ...(files ?? []).map(({ name, id }) => `[file: ${name ?? id}]`)];
    const said = parts.filter((part) => part !== '').join(' ');
    return said === '' ? [] : [{ name: names.get(user ?? '') ?? username ?? 'somebody', text: said }];
  }
}
