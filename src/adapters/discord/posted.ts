/** A message of ours among those of a place, for a post of which nobody heard whether it was done. Pure. */
import { z } from 'zod';
import { CallId } from '../../domain/ids.ts';
import { isOfCall, readCardHandle } from './card-handle.ts';
import { readButtonId } from './custom-ids.ts';

const button = z.object({ custom_id: z.string().optional() });
const listed = z.array(
  z.object({
    id: z.string(),
    author: z.object({ bot: z.boolean().optional() }),
    content: z.string(),
    components: z.array(z.object({ components: z.array(button).optional() })).optional(),
  }),
);

/**
 * The id of the message that was posted under `key`: by what its buttons stand for, or, without buttons, by what it says.
 * `messages` is a list as Discord gives it.
 */
export function postedIn(messages: unknown, key: string, text: string | undefined): string | undefined {
  const ours = (listed.safeParse(messages).data ?? [])
    .filter(({ author }) => author.bot === true)
    .map(({ id, content, components = [] }) => ({
      id,
      content,
      ids: components.flatMap((row) => row.components ?? []).flatMap(({ custom_id }) => custom_id ?? []),
    }));
  const marked = ours.find(({ ids }) => ids.some((id) => standsFor(id, key)));
  return (marked ?? ours.find(({ content, ids }) => ids.length === 0 && content === text))?.id;
}

const card = ':question:';

/** A message that follows another one under the same name has a `+` more, which no button tells. */
function standsFor(customId: string, key: string): boolean {
  const name = key.replace(/\++$/, '');
  const handle = readButtonId(customId);
  if (handle !== undefined) return name === `${handle.conversation}:${handle.turn}:${handle.slot}`;
  const asked = readCardHandle(customId);
  const at = name.indexOf(card);
  return (
    asked !== undefined &&
    at >= 0 &&
    name.startsWith(`${asked.conversation}:`) &&
    isOfCall(asked, CallId(name.slice(at + card.length)))
  );
}
