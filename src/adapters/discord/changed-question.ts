/** A question was edited after its answer: one line offers to answer it again. */
import { createHash } from 'node:crypto';
import { ButtonStyle, ComponentType, MessageFlags, Routes } from 'discord.js';
import type { TurnId } from '../../domain/ids.ts';
import type { Change } from '../../domain/inbound.ts';
import { buttonWords } from '../../gateway/button-words.ts';
import { clickWords } from '../../gateway/click-words.ts';
import type { Logger } from '../../ports/runtime.ts';
import { buttonId } from './custom-ids.ts';
import type { Rest } from './rest.ts';

export interface OfferMeans {
  readonly rest: Rest;
  readonly log: Logger;
}

/** Said where the conversation goes on, once for each version. A failure is only logged. */
export async function offerToAnswerAgain(
  { rest, log }: OfferMeans,
  { conversation, id, address, version }: Change,
  turn: TurnId,
): Promise<void> {
  const button = {
    type: ComponentType.Button,
    style: ButtonStyle.Secondary,
    label: buttonWords(address.locale).changed,
    custom_id: buttonId({ action: 'changed', conversation, turn, slot: id }),
  };
  const body = {
    content: clickWords(address.locale).questionChanged,
    components: [{ type: ComponentType.ActionRow, components: [button] }],
    flags: MessageFlags.SuppressNotifications,
    allowed_mentions: { parse: [], users: [], roles: [], replied_user: false },
    nonce: createHash('sha256').update(`changed:${id}:${version}`).digest('base64url').slice(0, 25),
    enforce_nonce: true,
  };
  try {
    const route = Routes.channelMessages(conversation.slice('discord:'.length));
    await rest({ method: 'POST', route, body });
  } catch (error) {
    log.debug({ error, conversation }, 'it could not be offered to answer a changed question again');
  }
}
