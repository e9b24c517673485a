/** A question was edited after its answer: one line offers to answer it again. */
import type { TurnId } from '../../domain/ids.ts';
import type { Change } from '../../domain/inbound.ts';
import { buttonWords } from '../../gateway/button-words.ts';
import { clickWords } from '../../gateway/click-words.ts';
import type { Logger } from '../../ports/runtime.ts';
import { buttonId } from './custom-ids.ts';
import { placeOfConversation } from './place.ts';
import { metadataOf } from './posted.ts';
import { section } from './response-url.ts';
import type { WebFor } from './web.ts';

export interface OfferMeans {
  readonly webFor: WebFor;
  readonly log: Logger;
}

/** Said where the conversation goes on. A failure is only logged. */
export async function offerToAnswerAgain(
  { webFor, log }: OfferMeans,
  { conversation, id, address, version }: Change,
  turn: TurnId,
): Promise<void> {
  const { team, channel, thread } = placeOfConversation(conversation);
  const text = clickWords(address.locale).questionChanged;
  const button = {
    type: 'button',
    action_id: 'changed',
    text: { type: 'plain_text', text: buttonWords(address.locale).changed },
    value: buttonId({ action: 'changed', conversation, turn, slot: id }),
  };
  try {
    const web = await webFor(team);
    await web('chat.postMessage', {
      channel,
      text,
      blocks: [section(text), { type: 'actions', elements: [button] }],
      unfurl_links: false,
      unfurl_media: false,
      metadata: metadataOf(`changed:${id}:${version}`),
      ...(thread !== undefined && { thread_ts: thread }),
    });
  } catch (error) {
    log.debug({ error, conversation }, 'it could not be offered to answer a changed question again');
  }
}
