// The surface against the strict fake, over real HTTP.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { slackPeople } from '../../../src/adapters/slack/people.ts';
import { conversationAt, placeName } from '../../../src/adapters/slack/place.ts';
import { slackPlaces } from '../../../src/adapters/slack/places.ts';
import { sendTo } from '../../../src/adapters/slack/upload.ts';
import { oneWorkspace, slackWeb } from '../../../src/adapters/slack/web.ts';
import { CallId, TurnId, UserId } from '../../../src/domain/ids.ts';
import type { SurfaceMessage } from '../../../src/domain/surface-message.ts';
import { systemClock } from '../../../src/observe/clock.ts';
import type { Route, Surface, TurnPlace } from '../../../src/ports/surface.ts';
import { type SurfaceWorld, surfaceContract } from '../../contracts/surface.contract.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { type FakeSlack, startSlack } from '../../support/slack/server.ts';

const never = new AbortController().signal;
const answer = (text: string): SurfaceMessage => ({ kind: 'answer', state: 'live', text });
const notice = (text: string): SurfaceMessage => ({ kind: 'notice', state: 'final', text });

let slack: FakeSlack;
let rooms = 0;
beforeAll(async () => {
  slack = await startSlack();
  await slack.rates({ isOn: false });
});
afterAll(() => slack.close());
afterEach(() => slack.clearFaults());

function places(placement: 'channel' | 'thread' = 'thread') {
  const webFor = oneWorkspace(slackWeb({ token: slack.token, apiUrl: slack.apiUrl }));
  return slackPlaces({
    webFor,
    people: slackPeople(webFor),
    sendBytes: sendTo([new URL(slack.url).origin]),
    clock: systemClock,
    log: quietLog,
    placement,
  });
}

interface Asked {
  readonly room: string;
  readonly ts: string;
  open(): TurnPlace;
  /** What the bot said there, oldest first. */
  said(): ReturnType<FakeSlack['messages']>;
}

async function asked({
  room,
  thread,
  placement = 'thread',
}: {
  readonly room?: string;
  readonly thread?: string;
  readonly placement?: 'channel' | 'thread';
} = {}): Promise<Asked> {
  const where = room ?? `room-${(rooms += 1)}`;
  if (room === undefined) await slack.addChannel(where);
  const { ts, channelId: channel } = await slack.say('mia', '@Docent why?', {
    in: where,
    ...(thread !== undefined && { thread }),
  });
  const team = slack.teamId;
  const root = thread ?? ts;
  return {
    room: where,
    ts,
    open: () =>
      places(placement)(placeName({ team, channel, ...(thread !== undefined && { thread }) }), {
        conversation: conversationAt({ team, channel, thread: root }),
        address: {
          surface: 'slack',
          place: '',
          replyTo: ts,
          title: 'why?',
          recipient: `${team}:${recipient}`,
        },
      }) as TurnPlace,
    said: async () => (await slack.messages(where, { onlyFor: 'mia' })).filter(({ author }) => author === 'Docent'),
  };
}

let recipient = '';
beforeAll(async () => {
  recipient = await slack.idOf('mia');
});

surfaceContract(
  'Slack',
  async (): Promise<SurfaceWorld> => {
    const { room, open, said } = await asked();
    const methods: Record<Route, string> = {
      post: 'chat.postMessage',
      edit: 'chat.update',
      remove: 'chat.delete',
      start: 'chat.startStream',
      append: 'chat.appendStream',
      stop: 'chat.stopStream',
    };
    const last = async () => (await said()).at(-1)?.ts ?? '';
    return {
      keys: 'found',
      fresh: async () => open().answer,
      shown: async () => (await said()).map(({ shown }) => shown),
      loseAnswer: (route) => slack.fault({ on: methods[route], how: 'lost' }),
      fail: (route) => slack.fault({ on: methods[route], how: 'refused' }),
      limit: (route, retryAfterMs) =>
        slack.fault({
          on: methods[route],
          how: 'limited',
          ...(retryAfterMs !== undefined && { retryAfter: retryAfterMs / 1_000 }),
        }),
      deleteLast: async () => slack.deleteMessage(await last()),
      closeLast: () => slack.fault({ on: 'chat.update', how: 'error', rule: 'edit_window_closed' }),
      endStream: async () => {
        await slack.advance(301_000);
      },
      deletePlace: () => slack.archive(room),
    };
  },
  // Whole seconds.
  { hasStream: true, shortWaitMs: 2_000 },
);
