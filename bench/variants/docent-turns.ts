/**
 * Turns that do nothing: message, inbox, wake, claim, commit. Items: messages, in so many conversations (`4000/500`);
 * those that wait together in one are one turn.
 */
import { Countdown } from '../support/countdown.ts';
import { inFlight } from '../support/in-flight.ts';
import type { Prepare } from '../support/pairs.ts';
import { said } from '../support/said.ts';
import { turnService } from '../support/turn-service.ts';

export const prepare: Prepare = async (url, argument) => {
  const [messages = 0, conversationCount = 0] = argument.split('/').map(Number);
  const { accept, conversations, work } = turnService(url);
  const ended = new Countdown();
  await work(async (conversation) => {
    const claim = await conversations.claim(conversation);
    claim.accept(claim.opening);
    const rest = await claim.commit();
    ended.done(claim.opening.length);
    return rest;
  });
  let sent = 0;
  return async () => {
    const all = ended.wait(messages);
    await inFlight(messages, (n) => accept(said(n % conversationCount, sent++)));
    await all;
    return messages;
  };
};
