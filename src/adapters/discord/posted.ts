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

/** What it was to say, and the buttons it was to have. */
interface Expected {
  readonly content: string;
  readonly components: readonly { readonly components: readonly object[] }[];
}

/**
 * The id of the message that was posted under `key`: by what its buttons stand for, or by what it says, with the buttons
 * that it was to have. `messages` is a list as Discord gives it.
 */
export function postedIn(messages: unknown, key: string, expected: Expected | undefined): string | undefined {
  const ours = (listed.safeParse(messages).data ?? [])
    .filter(({ author }) => author.bot === true)
    .map(({ id, content, components = [] }) => ({
      id,
      content,
      ids: components.flatMap((row) => row.components ?? []).flatMap(({ custom_id }) => custom_id ?? []),
    }));
  const marked = ours.find(({ ids }) => ids.some((id) => standsFor(id, key)));
  if (marked !== undefined || expected === undefined) return marked?.id;
  const wanted = idsIn(expected.components).join();
  return ours.find(({ content, ids }) => content === expected.content && ids.join() === wanted)?.id;
}

function idsIn(rows: Expected['components']): string[] {
  const parts = rows.flatMap((row): readonly object[] => row.components);
  return parts.flatMap((part) => ('custom_id' in part ? String(part.custom_id) : []));
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
