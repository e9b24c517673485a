/**
 * The worker's side of Slack on the fake in virtual time: screen, delivery, shared budget, surface and Slack's own client.
 * Only the network and the clock are not real.
 */
import { vi } from 'vitest';
import { slackPeople } from '../../../src/adapters/slack/people.ts';
import { conversationAt, placeName } from '../../../src/adapters/slack/place.ts';
import { slackPlaces } from '../../../src/adapters/slack/places.ts';
import { oneWorkspace, slackWeb } from '../../../src/adapters/slack/web.ts';
import { localRateBudgets } from '../../../src/delivery/local-rate-budgets.ts';
import { TurnId } from '../../../src/domain/ids.ts';
import type { Clock } from '../../../src/ports/runtime.ts';
import type { TurnPlace } from '../../../src/ports/surface.ts';
import { MessageScreen } from '../../../src/render/message-screen.ts';
import { wordsFor } from '../../../src/render/notices.ts';
import { memoryConversations } from '../../../src/store/memory.ts';
import { callMs } from '../pace/goals.ts';
import { quietLog } from '../quiet-log.ts';
import { beginMs, clockForAll } from '../virtual-time.ts';
import type { Controls } from './controls/controls.ts';
import type { ShownMessage } from './controls/views.ts';
import { inProcessSlack } from './in-process.ts';

export interface VirtualSlack {
  readonly controls: Controls;
  readonly clock: Clock;
  /** The screen of the turn that a message opened. */
  screenFor(question: Pick<ShownMessage, 'ts' | 'channelId' | 'author'>): MessageScreen;
  /** Lets time pass until it is done. */
  untilDone<Result>(work: Promise<Result>): Promise<Result>;
}

/** Everything that is done in `run` happens in virtual time, which begins at `beginMs`. */
export async function inVirtualTime<Result>(run: (world: VirtualSlack) => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ['Date'], now: beginMs });
  try {
    const { clock, network, untilDone } = clockForAll();
    const slack = inProcessSlack(network.clock);
    const { controls, apiUrl } = slack;
    controls.latency(callMs);
    const { token, teamId: team } = controls.ids();
    const send = network.watched((...call: Parameters<typeof fetch>) => slack.fetch(...call));
    const webFor = oneWorkspace(slackWeb({ token, apiUrl }, send));
    const open = slackPlaces({
      webFor,
      people: slackPeople(webFor),
      async sendBytes(url, bytes) {
        await send(url, { method: 'POST', body: bytes });
      },
      clock,
      log: quietLog,
      placement: 'thread',
    });
    const conversations = memoryConversations(clock);
    const budgets = localRateBudgets(clock);
    const screenFor: VirtualSlack['screenFor'] = ({ ts, channelId: channel, author }) => {
      const conversation = conversationAt({ team, channel, thread: ts });
      const place = placeName({ team, channel });
      const recipient = `${team}:${controls.idOf(author)}`;
      const address = { surface: 'slack', place, replyTo: ts, title: 'why?', recipient };
      return new MessageScreen({
        ...(open(place, { conversation, address }) as TurnPlace),
        budgets,
        ledger: conversations.ledger(conversation, TurnId('t')),
        clock,
        log: quietLog,
        signal: new AbortController().signal,
        key: `${conversation}:t`,
        words: wordsFor('en'),
      });
    };
    return await run({ controls, clock, screenFor, untilDone });
  } finally {
    vi.useRealTimers();
  }
}
