/** The trace of a turn, or its sources, as a page that one person sees. */
import type { types } from '@slack/bolt';
import { mrkdwn } from './mrkdwn.ts';
import { section } from './response-url.ts';

/** Slack's limits of a page. Unit: characters, and blocks; less than there may be, so that all of it is small enough. */
const maxSection = 2_900;
const maxBlocks = 40;
const maxTitle = 24;

export function lookView(title: string, lines: readonly string[]): types.ModalView {
  const parts: string[] = [];
  for (const line of lines) {
    const shown = mrkdwn(line, maxSection);
    const last = parts.at(-1);
    if (last !== undefined && last.length + shown.length < maxSection)
      parts[parts.length - 1] = `${last}\n${shown}`;
    else parts.push(shown);
  }
  const isWhole = parts.length <= maxBlocks;
  // The end says what came of it.
  const kept = isWhole ? parts : ['…', ...parts.slice(1 - maxBlocks)];
  return {
    type: 'modal',
    title: { type: 'plain_text', text: title.slice(0, maxTitle) },
    blocks: (kept.length === 0 ? ['…'] : kept).map((part) => section(part === '' ? '…' : part)),
  };
}
