/** Where a turn on Slack shows what: all of it in the thread of the question, or the answer in the channel. */
import { Recent } from '../../gateway/recent.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import type { OpenPlace } from '../../ports/surface.ts';
import { showWork } from './at-work.ts';
import { placeOfConversation, readPlace } from './place.ts';
import { type Spot, type SurfaceMeans, slackSurface } from './surface.ts';

export interface PlacesMeans extends SurfaceMeans {
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether the answer to a message at the root of a channel stands there too, or in its thread. */
  readonly placement: 'channel' | 'thread';
}

/** A workspace may be let grow them later. Unit: milliseconds. */
const noGrowthMs = 10 * 60_000;
const maxChannels = 1_000;

export function slackPlaces(means: PlacesMeans): OpenPlace {
  /** Channels in which Slack lets no messages grow, and until when that is believed. */
  const still = new Recent<number>(maxChannels);
  return (place, { conversation, address: { replyTo: question, title, locale, recipient } }) => {
    const { team, channel, thread: said } = readPlace(place);
    const { thread } = placeOfConversation(conversation);
    const talk = { conversation, locale };
    const isDirect = channel.startsWith('D');
    const at = { team, channel, ...(question !== undefined && { question }) };
    const work = () => {
      const root = thread ?? question;
      if (root === undefined) return () => {};
      const isNew = isDirect && root === question;
      return showWork(means, {
        team,
        channel,
        thread: root,
        question,
        locale,
        title: isNew ? title : undefined,
      });
    };
    // A direct conversation without threads.
    if (thread === undefined) {
      const answer = slackSurface(means, at, talk);
      return { answer, side: answer, work };
    }
    const { clock } = means;
    const mayGrow = (still.get(`${team}:${channel}`) ?? 0) <= clock.now();
    const inThread: Spot = {
      ...at,
      thread,
      instead: {},
      ...(mayGrow && readRecipient(recipient)),
      noGrowth: () => still.set(`${team}:${channel}`, clock.now() + noGrowthMs),
    };
    const side = slackSurface(means, inThread, talk);
    const isInChannel = means.placement === 'channel' && said === undefined && !isDirect;
    return {
      answer: isInChannel ? slackSurface(means, { ...at, instead: { thread } }, talk) : side,
      side,
      work,
    };
  };
}

/** As `recipientOf` wrote it. */
function readRecipient(recipient: string | undefined): Pick<Spot, 'recipient'> {
  const [team, user] = recipient?.split(':') ?? [];
  return team === undefined || user === undefined ? {} : { recipient: { team, user } };
}
