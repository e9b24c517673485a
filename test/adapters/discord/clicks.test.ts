// What becomes of a click when Discord does not take the first answer to it.
import { once } from 'node:events';
import {
  type APIInteraction,
  type APIMessageComponentInteraction,
  ComponentType,
  InteractionType,
} from 'discord.js';
import { expect, test } from 'vitest';
import { Clicks, type ClicksMeans } from '../../../src/adapters/discord/clicks.ts';
import { buttonId } from '../../../src/adapters/discord/custom-ids.ts';
import { Inflow } from '../../../src/adapters/discord/inflow.ts';
import { idBefore } from '../../../src/adapters/discord/missed.ts';
import { ConversationId, TurnId, UserId } from '../../../src/domain/ids.ts';
import type { JournalRecord } from '../../../src/domain/journal.ts';
import { systemClock } from '../../../src/observe/clock.ts';
import { quietLog } from '../../support/quiet-log.ts';

const conversation = ConversationId('discord:7');
const turn = TurnId('turn');

/** Mia has asked; her vote is pressed while Discord answers every call with a fault of its own. */
test('a click that Discord hears nothing of is carried out once, and what is said behind it is heard', async () => {
  const leaving = new AbortController();
  const votes: string[] = [];
  const inflow = new Inflow({
    clock: systemClock,
    log: quietLog,
    signal: new AbortController().signal,
    maxKept: 10,
  });
  const means: Partial<ClicksMeans> = {
    rest: async () => {
      throw new Error('503');
    },
    inflow,
    journalOf: async () => [
      { type: 'turn/start', turn, author: UserId('discord:1') } as unknown as JournalRecord,
    ],
    vote: async ({ vote }) => void votes.push(vote ?? ''),
    isAdmin: () => false,
    // Whoever would tell the person waits until the end; the first answer is over at once.
    clock: {
      ...systemClock,
      sleep: async (_ms, signal) =>
        signal && (await once(signal, 'abort').then(() => signal.throwIfAborted())),
    },
    signal: leaving.signal,
    log: quietLog,
  };
  const clicks = new Clicks(means as ClicksMeans);
  clicks.take(pressed(buttonId({ action: 'up', conversation, turn, slot: 'answer:1' })));
  let isHeard = false;
  const hears = inflow.take('7', async () => {
    isHeard = true;
  });
  await hears;
  leaving.abort();
  await clicks.settled();
  expect({ votes, isHeard }).toEqual({ votes: ['up'], isHeard: true });
});

function pressed(customId: string): APIInteraction {
  return {
    type: InteractionType.MessageComponent,
    id: idBefore(Date.now()),
    token: 'token',
    application_id: '8',
    locale: 'en-US',
    user: { id: '1', username: 'mia', global_name: null },
    channel: { id: '7' },
    data: { custom_id: customId, component_type: ComponentType.Button },
  } as unknown as APIMessageComponentInteraction;
}
