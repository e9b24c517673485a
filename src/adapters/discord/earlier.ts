/** What was said in a thread before the bot was called into it, over REST. */
import { MessageType, Routes } from 'discord.js';
import { z } from 'zod';
import type { EarlierMessage, ReadEarlier } from '../../ports/earlier.ts';
import { textOf } from './normalize.ts';
import type { Rest } from './rest.ts';

const user = z.object({ id: z.string(), username: z.string(), global_name: z.string().nullish() });
const message = z.object({
  type: z.number(),
  author: user,
  content: z.string(),
  mentions: z.array(user),
  attachments: z.array(z.object({ filename: z.string() })),
});
/** What people write; all else is said by Discord. */
const said: ReadonlySet<number> = new Set([MessageType.Default, MessageType.Reply]);
const starter: number = MessageType.ThreadStarterMessage;
const listed = z.array(message.extend({ referenced_message: message.nullish() }));

export function discordEarlier(rest: Rest): ReadEarlier {
  return async ({ place }, before, maxMessages, signal) => {
    const query = new URLSearchParams({ before, limit: String(maxMessages) });
    const { body } = await rest({ method: 'GET', route: Routes.channelMessages(place), query, signal });
    return listed
      .parse(body)
      .toReversed()
      .flatMap((each) => {
        // A thread that was started from a message begins with a pointer to it.
        const shown = each.type === starter ? each.referenced_message : each;
        return shown === null || shown === undefined ? [] : earlierOf(shown);
      });
  };
}

function earlierOf({
  type,
  author,
  content,
  mentions,
  attachments,
}: z.output<typeof message>): EarlierMessage[] {
  if (!said.has(type)) return [];
  const named = mentions.map((each) => ({ ...each, global_name: each.global_name ?? null }));
  const words = textOf({ content, mentions: named }, { botId: '', botRoles: [] });
  const text = [words, ...attachments.map(({ filename }) => `[file: ${filename}]`)].filter(
    (part) => part !== '',
  );
  return text.length === 0 ? [] : [{ name: author.global_name ?? author.username, text: text.join(' ') }];
}
