/** What a message that grows on Slack says: what was given to it, and what of that was sent. */
import { certainMarkdown, slackMarkdown } from './markdown.ts';

export interface Growing {
  /** Markdown as it was given. */
  readonly source: string;
  /** What Slack was sent of it, in its own dialect. */
  readonly sent: string;
}

export const nothingYet: Growing = { source: '', sent: '' };

/** With `text` behind it; undefined when that changes what was sent, so that it can only be edited. `isEnd`: no more comes. */
export function grown(before: Growing, text: string, isEnd: boolean): Growing | undefined {
  const source = before.source + text;
  const shown = isEnd ? slackMarkdown(source) : certainMarkdown(source);
  return shown.startsWith(before.sent) ? { source, sent: shown } : undefined;
}
