/** A message as Discord takes it: text, buttons, and whom it may ping. */
import { ButtonStyle, ComponentType, MessageFlags } from 'discord.js';
import { cutText } from '../../domain/cut-text.ts';
import type { ConversationId } from '../../domain/ids.ts';
import type { SurfaceMessage } from '../../domain/surface-message.ts';
import { type CardPlace, type CardRow, cardRows } from './card.ts';
import { stopId } from './custom-ids.ts';
import { discordMarkup, maxMessageChars } from './markup.ts';

/**
 * The body of a create or an edit. `mayPing`: the person who is replied to hears of it; whoever is asked a question always
 * does, since nobody is told of a thread they have not joined.
 */
export function payloadOf(message: SurfaceMessage, place: CardPlace, mayPing: boolean) {
  const asked = askedIn(message);
  return {
    // An answer comes in pages that fit; a trace or a long card is cut.
    content: cutText(
      asked === undefined ? textOf(message) : `<@${asked}> ${textOf(message)}`,
      maxMessageChars,
    ),
    // Always whole: what is left out falls back to everything.
    allowed_mentions: {
      parse: [],
      roles: [],
      users: asked === undefined ? [] : [asked],
      replied_user: mayPing && message.kind === 'answer',
    },
    components: rowsOf(message, place),
    // Previews of links would stand between answer and buttons.
    flags: MessageFlags.SuppressEmbeds,
  };
}

function rowsOf({ kind, state, card }: SurfaceMessage, place: CardPlace): readonly CardRow[] {
  if (card !== undefined) return cardRows(card, state, place);
  return kind === 'answer' && state === 'live' ? [stopRow(place.conversation)] : [];
}

function stopRow(conversation: ConversationId): CardRow {
  const stop = { style: ButtonStyle.Secondary as const, label: 'Stop', custom_id: stopId(conversation) };
  return { type: ComponentType.ActionRow, components: [{ type: ComponentType.Button, ...stop }] };
}

/** The trace is small print. */
function textOf({ kind, text }: SurfaceMessage): string {
  if (kind !== 'trace') return discordMarkup(text);
  return text
    .split('\n')
    .map((line) => (line.trim() === '' ? '' : `-# ${discordMarkup(line)}`))
    .join('\n');
}

function askedIn({ state, card, calls }: SurfaceMessage): string | undefined {
  const person = calls ?? (state === 'open' ? card?.asker : undefined);
  return person?.slice('discord:'.length);
}
