/** How Discord writes what answers to commands and presses are made of. */
import type { Dialect } from '../../domain/command.ts';
import { commandIn } from './command-list.ts';
import { escapeText, harmless } from './escape.ts';
import { maxMessageChars } from './markup.ts';
import { discordTime } from './shown-time.ts';

export function dialectFor(locale: string): Dialect {
  return {
    maxChars: maxMessageChars,
    command: (name) => commandIn(locale, name),
    time: (at) => discordTime(at),
    text: (words) => harmless(escapeText(words, 'text', false)),
  };
}
