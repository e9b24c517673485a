/** Words that are commands when they are the whole message, where a platform has no commands inside threads. */
import type { Heard, Said } from './said.ts';

const begins: ReadonlySet<string> = new Set(['new', 'neu', '新', '重新开始']);
const later = /^(?:next|danach|接着)\s*[:：]\s*(?=\S)/iu;

/** `new`: what was said before is to be forgotten. `next: …`: it is for when the bot is done. */
export function withBareWords(said: Heard): Said {
  const { content, files, id, author, name, address } = said.item;
  if (typeof content !== 'string' || files !== undefined) return said;
  const line = content.trim();
  if (begins.has(line.replace(/[.!。！\s]+$/u, '').toLowerCase())) {
    const item = { kind: 'new', id, address, ...(author && { author }), ...(name && { name }) } as const;
    return { ...said, item };
  }
  return later.test(line)
    ? { ...said, item: { ...said.item, kind: 'next', content: line.replace(later, '') } }
    : said;
}
