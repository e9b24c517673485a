/** Words that are commands when they are the whole message, where a platform has no commands inside threads. */

const begins: ReadonlySet<string> = new Set(['new', 'neu', '新', '重新开始']);
const later = /^(?:next|danach|接着)\s*[:：]\s*(?=\S)/iu;

/** `new`: what was said before is to be forgotten. `next`: what follows is for when the bot is done. */
export function bareWord(text: string): 'new' | { readonly next: string } | undefined {
  const line = text.trim();
  if (begins.has(line.replace(/[.!。！\s]+$/u, '').toLowerCase())) return 'new';
  return later.test(line) ? { next: line.replace(later, '') } : undefined;
}
