/** Somebody calls the bot into a talk that is under way: the model reads what was said there before, once. */
import { cutText } from '../domain/cut-text.ts';
import type { SaidItem } from '../domain/inbound.ts';
import type { EarlierMessage } from '../ports/earlier.ts';
import type { ArrivedItem } from '../ports/journal.ts';
import type { ClaimedTurn } from './claimed-turn.ts';

const maxMessages = 30;
/** Of all of them; the newest count. Unit: characters. */
const maxChars = 6_000;
/** The answer does not wait longer for it. Unit: milliseconds. */
const readLimitMs = 5_000;

/** As a note before the first message of a conversation; nothing where nobody spoke before, or it was read already. */
export async function earlierNote(
  { claim, services, stopper, conversation }: ClaimedTurn,
  first: SaidItem | undefined,
): Promise<readonly ArrivedItem[]> {
  const isKnown = claim.records.some(({ type }) => type === 'user/message');
  if (first?.joinsTalk !== true || isKnown) return [];
  const read = services.readEarlier(first.address, first.id, maxMessages, stopper.signal);
  const tooLate = services.clock.sleep(readLimitMs, stopper.signal).then(() => {
    throw new Error(`it took longer than ${readLimitMs / 1_000} s`);
  });
  tooLate.catch(() => {}); // the turn is stopped, or it was read in time
  try {
    const content = wordsOf(await Promise.race([read, tooLate]));
    return content === undefined ? [] : [note(content)];
  } catch (error) {
    services.logFor({ conversation }).warn({ error }, 'what was said before in a thread could not be read');
    return [note('[What was said in this thread before could not be read.]')];
  }
}

function note(content: string): ArrivedItem {
  return { kind: 'note', record: { type: 'user/message', source: 'inject', content } };
}

function wordsOf(messages: readonly EarlierMessage[]): string | undefined {
  const lines: string[] = [];
  let left = maxChars;
  for (const { name, text } of messages.toReversed()) {
    const line = `${name}: ${text.trim().replaceAll('\n', '\n  ')}`;
    if (lines.length > 0 && line.length > left) break;
    lines.unshift(cutText(line, left));
    left -= line.length;
  }
  if (lines.length === 0) return undefined;
  return `[Said in this thread before, not to you; you have only read it:]\n${lines.join('\n')}\n[End of what was said before.]`;
}
