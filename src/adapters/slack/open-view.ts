/** Opens a page or a form behind a press, within the three seconds that Slack gives. */
import type { types } from '@slack/bolt';
import { clickWords } from '../../gateway/click-words.ts';
import type { Logger } from '../../ports/runtime.ts';
import type { BlockActions } from './payloads.ts';
import type { SlackPeople } from './people.ts';
import type { PrivateWords, Where } from './private-words.ts';
import type { WebFor } from './web.ts';

export interface OpenMeans {
  readonly webFor: WebFor;
  readonly people: SlackPeople;
  readonly words: PrivateWords;
  readonly log: Logger;
}

/** Too late, the person is told so. */
export async function openView(
  { webFor, people, words, log }: OpenMeans,
  { trigger_id: trigger }: BlockActions,
  where: Where,
  view: types.ModalView,
): Promise<void> {
  try {
    const web = await webFor(where.team);
    await web('views.open', { trigger_id: trigger, view });
  } catch (error) {
    log.warn({ error }, 'a form could not be opened');
    const profile = await people.profileOf(where.team, where.user);
    await words.show(where, clickWords(profile?.locale).tryAgain);
  }
}
