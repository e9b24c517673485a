/** A message as Discord takes it: text, buttons, and whom it may ping. */
import { ButtonStyle, ComponentType, MessageFlags } from 'discord.js';
import { cutText } from '../../domain/cut-text.ts';
import type { ConversationId } from '../../domain/ids.ts';
import type { SurfaceMessage } from '../../domain/surface-message.ts';
import { stopId } from './custom-ids.ts';

const maxChars = 2_000;

/**
 * The body of a create or an edit. `mayPing`: the person who is replied to hears of it; whoever is asked a question always
 * does, since nobody is told of a thread they have not joined.
 */
export function payloadOf(message: SurfaceMessage, conversation: ConversationId, mayPing: boolean) {
  const asked = askedIn(message);
  return {
    // An answer comes in pages that fit; a trace or a long card is cut.
    content: cutText(asked === undefined ? textOf(message) : `<@${asked}> ${textOf(message)}`, maxChars),
    // Always whole: what is left out falls back to everything.
    allowed_mentions: {
      parse: [],
      roles: [],
      users: asked === undefined ? [] : [asked],
      replied_user: mayPing && message.kind === 'answer',
    },
    components: message.kind === 'answer' && message.state === 'live' ? [stopRow(conversation)] : [],
    // Previews of links would stand between answer and buttons.
    flags: MessageFlags.SuppressEmbeds,
  };
}

function stopRow(conversation: ConversationId) {
  const stop = { style: ButtonStyle.Secondary, label: 'Stop', custom_id: stopId(conversation) };
  return { type: ComponentType.ActionRow, components: [{ type: ComponentType.Button, ...stop }] };
}

/** The trace is small print. */
function textOf({ kind, text }: SurfaceMessage): string {
  return kind === 'trace' ? text.replaceAll(/^(?=.)/gmu, '-# ') : text;
}

function askedIn({ state, card }: SurfaceMessage): string | undefined {
  return state === 'open' ? card?.asker?.slice('discord:'.length) : undefined;
}
