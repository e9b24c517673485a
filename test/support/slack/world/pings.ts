/** Whom a text notifies. Strict: what might be read as a mention counts as one, also inside code and in fallback texts. */
import type { Json, Pings, Version } from './world.ts';

const isText = (value: unknown): value is string => typeof value === 'string';

/** Texts that Slack reads for mentions; `plain_text` is not among them. */
function* markedTexts(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    for (const each of value) yield* markedTexts(each);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const part = value as Json;
  if (part['type'] === 'plain_text') return;
  if (part['type'] === 'broadcast') yield `<!${String(part['range'])}>`;
  if (part['type'] === 'usergroup') yield `<!subteam^${String(part['usergroup_id'])}>`;
  if (part['type'] === 'user') yield `<@${String(part['user_id'])}>`;
  if ((part['type'] === 'mrkdwn' || part['type'] === 'markdown') && isText(part['text'])) yield part['text'];
  for (const [name, each] of Object.entries(part))
    if (name !== 'text' || !isText(each)) yield* markedTexts(each);
}

/** `isLinked`: Slack was asked to find names by itself (`link_names`, `parse: full`). */
export function pingsIn(version: Omit<Version, 'at'>, more: readonly string[] = [], isLinked = false): Pings {
  const texts = [version.text, version.markdown ?? '', ...markedTexts(version.blocks), ...more];
  const users = new Set<string>();
  const groups = new Set<string>();
  for (const text of texts) {
    for (const [, id = ''] of text.matchAll(/<@([UW][A-Z0-9]+)(?:\|[^>]*)?>/g)) users.add(id);
    for (const [, name = ''] of text.matchAll(/<!(channel|here|everyone|group)(?:\|[^>]*)?>/g))
      groups.add(name);
    for (const [, id = ''] of text.matchAll(/<!subteam\^([A-Z0-9]+)(?:\|[^>]*)?>/g)) groups.add(id);
    if (isLinked) for (const [, name = ''] of text.matchAll(/@(channel|here|everyone)\b/g)) groups.add(name);
  }
  return { users: [...users], groups: [...groups] };
}

export const bothPings = (a: Pings, b: Pings): Pings => ({
  users: [...new Set([...a.users, ...b.users])],
  groups: [...new Set([...a.groups, ...b.groups])],
});
