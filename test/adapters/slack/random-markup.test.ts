// Random answers, grown piece by piece, by the fake's own rules for who is notified. `TEST_FULL=1`: 10,000 of them.
import { expect, test } from 'vitest';
import { type Growing, grown, nothingYet } from '../../../src/adapters/slack/growing.ts';
import { payloadOf } from '../../../src/adapters/slack/payload.ts';
import { slackPeople } from '../../../src/adapters/slack/people.ts';
import { conversationAt } from '../../../src/adapters/slack/place.ts';
import { slackSurface } from '../../../src/adapters/slack/surface.ts';
import { sendTo } from '../../../src/adapters/slack/upload.ts';
import { oneWorkspace, slackWeb } from '../../../src/adapters/slack/web.ts';
import { StreamEndedError, WriteRefusedError } from '../../../src/domain/errors.ts';
import { type Chance, chance } from '../../support/chance.ts';
import { manualClock } from '../../support/clock.ts';
import { isFull } from '../../support/flows/full.ts';
import { inProcessSlack } from '../../support/slack/in-process.ts';
import { pingsIn } from '../../support/slack/world/pings.ts';

const count = isFull ? 10_000 : 500;
/** Also through the surface and the fake. */
const written = 60;
const never = new AbortController().signal;

const marks = [
  String.raw`@ < <! <@ ! &lt; &#60; &#x3C; &#33; &amp; > \ \\ \! \< * ** _ ~~ || ` +
    '` `` ``` ~~~ ![ [ ] ]( ) $ $$ | = ---',
  String.raw`\( \) \[ \] channel here everyone here> channel> subteam^S1> word Grüße 你好 😀 [p](https://x.org)`,
  '[<](!channel) <https://x.org|<!here>> <!-- --> <!DOCTYPE',
].flatMap((each) => each.split(' '));

function answerFrom(luck: Chance, mentions: readonly string[]): string {
  const bits = [
    ...mentions,
    ...mentions,
    ...marks,
    '\n',
    '\n\n',
    ' ',
    ' ',
    ' ',
    '# ',
    '> ',
    '- ',
    '1. ',
    '\n```\n',
  ];
  return Array.from({ length: 2 + luck.upTo(40) }, () => luck.of(bits)).join('');
}

function piecesOf(text: string, luck: Chance): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const to = at + 1 + luck.upTo(Math.max(3, Math.floor(text.length / 3)));
    pieces.push(text.slice(at, to));
    at = to;
  }
  return pieces;
}

const person = 'U0MIA';
const mentionsOf = (user: string) => [
  `<@${user}>`,
  `<@${user}|mia>`,
  '<!channel>',
  '<!here|here>',
  '<!everyone>',
  '<!subteam^S0TUTORS>',
];
const nobody = { users: [], groups: [] };

test(`${count} random answers notify nobody, however they are split over appends`, {
  timeout: isFull ? 3_600_000 : 60_000,
}, () => {
  const place = { conversation: conversationAt({ team: 'T1', channel: 'C1' }), locale: undefined };
  let grownWhole = 0;
  for (let seed = 1; seed <= count; seed += 1) {
    const luck = chance(seed);
    const text = answerFrom(luck, mentionsOf(person));
    let shown: Growing | undefined = nothingYet;
    let last = '';
    for (const piece of [...piecesOf(text, luck), '']) {
      shown = shown && grown(shown, piece, piece === '');
      last = shown?.sent ?? last;
    }
    if (shown !== undefined) grownWhole += 1;
    const streamed = pingsIn({ text: '', markdown: last, blocks: [] });
    const { text: notification = '', blocks = [] } = payloadOf(
      { kind: 'answer', state: 'final', text },
      place,
    );
    const { markdown_text: words = '' } = payloadOf({ kind: 'answer', state: 'final', text }, place, true);
    const posted = pingsIn({
      text: notification,
      markdown: words,
      blocks: JSON.parse(JSON.stringify(blocks)),
    });
    expect({ text, streamed, posted }).toEqual({ text, streamed: nobody, posted: nobody });
  }
  // Most of them grow to their end; the others are what nobody writes.
  expect(grownWhole / count).toBeGreaterThan(0.3);
});

test('nor do they when they are written', async () => {
  const clock = manualClock(1_800_000_000_000);
  const { controls, apiUrl, fetch } = inProcessSlack(clock);
  controls.rates({ isOn: false });
  const { token, teamId: team } = controls.ids();
  const webFor = oneWorkspace(slackWeb({ token, apiUrl }, fetch));
  const mia = controls.idOf('mia');
  const channel = controls.channelId('general');
  const { ts: question } = controls.say('mia', '@Docent why?');
  const spot = { team, channel, thread: question, question, recipient: { team, user: mia } };
  const talk = { conversation: conversationAt({ team, channel, thread: question }), locale: undefined };
  const means = { webFor, people: slackPeople(webFor), sendBytes: sendTo([]) };
  const mentions = mentionsOf(mia);
  for (let seed = 1; seed <= written; seed += 1) {
    const luck = chance(seed);
    const text = answerFrom(luck, mentions);
    if (text.trim() === '') continue;
    const [first = '', ...more] = piecesOf(text, luck);
    const surface = slackSurface(means, spot, talk);
    const { stream } = surface;
    const final = { kind: 'answer', state: 'final', text } as const;
    const { ref } =
      (await stream?.start({ ...final, state: 'live', text: first }, `k:answer:${seed}`, never)) ?? {};
    if (ref === undefined) throw new Error('nothing grows');
    let isWhole = true;
    for (const piece of more) {
      try {
        if (isWhole) await stream?.append(ref, piece, never);
      } catch (error) {
        // As delivery does: it is ended, and edited.
        if (!(error instanceof StreamEndedError || error instanceof WriteRefusedError)) throw error;
        isWhole = false;
      }
    }
    await stream?.stop(ref, '', final, never).catch((error: unknown) => {
      if (!(error instanceof StreamEndedError)) throw error;
    });
    await surface.edit(ref, final, never);
    expect({ text, pings: controls.message(ref.id)?.pings }).toEqual({
      text,
      pings: { users: [], groups: [] },
    });
  }
  expect(controls.pings()).toEqual([]);
});
