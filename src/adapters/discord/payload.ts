/** A message as Discord takes it: text, buttons, and whom it may ping. */
import { type APIButtonComponentWithCustomId, ButtonStyle, ComponentType, MessageFlags } from 'discord.js';
import { cutText } from '../../domain/cut-text.ts';
import type { SurfaceMessage } from '../../domain/surface-message.ts';
import type { AnswerAction } from '../../gateway/answer-press.ts';
import { buttonWords } from '../../gateway/button-words.ts';
import { type CardPlace, type CardRow, cardRows } from './card.ts';
import { cardHandle } from './card-handle.ts';
import { controlRows } from './control-rows.ts';
import { buttonId } from './custom-ids.ts';
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

function rowsOf(message: SurfaceMessage, place: CardPlace): readonly CardRow[] {
  const { kind, state, card, handle, again, sources, waitsFor, controls } = message;
  if (card !== undefined) return cardRows(card, state, place);
  if (controls !== undefined) return controlRows(controls);
  if (waitsFor !== undefined) {
    const custom_id = cardHandle('ask_anyway', place.conversation, waitsFor.callId);
    return [row([{ ...plain, label: buttonWords(place.locale).askAnyway, custom_id }])];
  }
  if (handle === undefined) return [];
  const words = buttonWords(place.locale);
  const idOf = (action: AnswerAction) => buttonId({ ...handle, action, conversation: place.conversation });
  const named = (action: AnswerAction, label: string): Button => ({
    ...plain,
    label,
    custom_id: idOf(action),
  });
  const drawn = (action: AnswerAction, name: string): Button => ({
    ...plain,
    emoji: { name },
    custom_id: idOf(action),
  });
  if (kind === 'trace') return [row([named('thinking', words.thinking)])];
  if (kind !== 'answer') return [];
  if (state === 'live') return [row([named('stop', words.stop)])];
  const isAnswer = state === 'final';
  return [
    row([
      ...(again === undefined ? [] : [named('again', state === 'failed' ? words.retry : words.again)]),
      ...(sources === undefined ? [] : [named('sources', `${words.sources} (${sources})`)]),
      ...(isAnswer ? [drawn('up', '👍'), drawn('down', '👎')] : []),
      drawn('remove', '🗑️'),
    ]),
  ];
}

type Button = APIButtonComponentWithCustomId;
const plain = { type: ComponentType.Button, style: ButtonStyle.Secondary } as const;

function row(components: readonly Button[]): CardRow {
  return { type: ComponentType.ActionRow, components: [...components] };
}

/** The trace is small print. Whom the bot waits for is shown by name; nobody is notified of that. */
function textOf({ kind, text, waitsFor }: SurfaceMessage): string {
  if (kind !== 'trace') {
    const id = waitsFor?.asker.slice('discord:'.length);
    const shown = discordMarkup(text);
    return id === undefined ? shown : shown.replaceAll(id, `<@${id}>`);
  }
  return text
    .split('\n')
    .map((line) => (line.trim() === '' ? '' : `-# ${discordMarkup(line)}`))
    .join('\n');
}

function askedIn({ state, card, calls }: SurfaceMessage): string | undefined {
  const person = calls ?? (state === 'open' ? card?.asker : undefined);
  return person?.slice('discord:'.length);
}
