/** One turn from claim to commit: the only place that knows this order. */
import { AnswerLeftError, TurnParkedError } from '../domain/errors.ts';
import { type ConversationId, type EventId, TurnId } from '../domain/ids.ts';
import type { InboxItem } from '../domain/inbound.ts';
import type { OpenPause } from '../domain/pause.ts';
import { recover } from '../loop/recover.ts';
import { defaultLoopSettings } from '../loop/settings.ts';
import type { Claim } from '../ports/conversations.ts';
import { wordsFor } from '../render/notices.ts';
import { ClaimedTurn, type RunningTurn } from './claimed-turn.ts';
import { strategyFor } from './context.ts';
import { type Drive, drive } from './drive.ts';
import { earlierNote } from './earlier.ts';
import { keepFilesOfAnswers, keepQuestionOpen, storedQuestion } from './question.ts';
import { arrivedOf, closedQuestion, type Decision, decide, hasText, repeatable } from './resume.ts';
import type { TurnServices } from './services.ts';
import { addressFor } from './wishes.ts';

/**
 * Runs what a conversation has to do. `more`: its inbox holds something that wants a turn of its own. Throws
 * `LeaseLostError` when another worker took over, `TurnParkedError` when the signal said so, and whatever the store
 * throws; the conversation is then simply claimed again.
 */
export async function runTurn(
  services: TurnServices,
  conversation: ConversationId,
  signal: AbortSignal,
): Promise<'more' | 'idle'> {
  const claim = await services.conversations.claim(conversation);
  try {
    await deal(new ClaimedTurn(services, conversation, claim, signal));
  } catch (error) {
    if (error instanceof AnswerLeftError) return leave(services, conversation, claim);
    if (error instanceof TurnParkedError) await claim.append([{ type: 'turn/parked' }]);
    throw error;
  }
  return claim.commit();
}

/** The turn stays open: its answer is shown to its end when the bot may write there again. */
async function leave(
  { noteLeft, logFor }: TurnServices,
  conversation: ConversationId,
  claim: Claim,
): Promise<'more' | 'idle'> {
  logFor({ conversation }).warn(
    {},
    'an answer cannot be shown to its end now; it is, when the bot may write there again',
  );
  await noteLeft(conversation.slice(0, conversation.indexOf(':')), conversation);
  return claim.commit();
}

/** Decides what there is to do, and does it. */
async function deal(claimed: ClaimedTurn): Promise<void> {
  const { claim, services } = claimed;
  if (claim.unreadable !== undefined) return tellUnreadable(claimed, claim.unreadable);
  const { capability, protocol, model, tools } = services;
  // An open turn keeps the protocol it was begun with.
  const strategy = strategyFor(capability, claimed.startRecord?.protocol ?? (await protocol.for(model.name)));
  const settings = { ...defaultLoopSettings, ...services.settings, ...capability.budget };
  const recovered = readable(() =>
    recover(claim.records, strategy, settings, (tool) => tools.get(tool)?.effect ?? 'unsafe'),
  );
  if (recovered instanceof Error) return tellUnreadable(claimed, recovered);
  const pause = await storedQuestion(claimed, recovered);
  const at = new Date(services.clock.now()).toISOString();
  const decision = decide(recovered.recovery, pause, claim.opening, claim.stopRequested, at);
  const how: Drive = { recovered, strategy, settings };
  switch (decision.do) {
    case 'nothing':
      return;
    case 'open':
      return open(claimed, decision.items, how);
    case 'begin_anew':
      claim.accept(decision.items);
      return claim.append([{ type: 'conversation/new', item: decision.item }]);
    case 'again':
      return openAgain(claimed, decision, how);
    case 'recover':
      return takeOver(claimed, how);
    case 'close':
      if (pause !== undefined) return closeQuestion(claimed, pause, decision, how);
      return;
    case 'keep_open':
      if (pause !== undefined) return keepQuestionOpen(claimed, pause, decision, recovered);
      return;
  }
}

/** A new turn, for the first person among those who wrote. */
async function open(claimed: ClaimedTurn, items: readonly InboxItem[], how: Drive): Promise<void> {
  const { claim, services } = claimed;
  claim.accept(items);
  const messages = items.filter(hasText);
  const first = messages.find((item) => item.kind !== 'note');
  if (first === undefined) return;
  const { author: asker } = first;
  const address =
    asker === undefined ? first.address : addressFor(first.address, await services.people.preferences(asker));
  const isScheduled = first.scheduled === true;
  const turn = { id: TurnId(services.newId()), address, asker, isScheduled };
  if (asker !== undefined && !isScheduled) {
    const quota = await services.quotas.message(asker);
    if (!quota.ok) return refuse(claimed, turn, first.id, quota.freeAt);
  }
  const complete = async () => {
    const arrived = [...(await earlierNote(claimed, first)), ...messages.map(arrivedOf)];
    return (await claimed.withFiles(arrived)).map(({ record }) => record);
  };
  await drive(claimed, turn, { kind: 'open', messages: complete }, how);
}

/** The newest turn once more: same words, same messages of ours, a budget of its own. */
async function openAgain(
  claimed: ClaimedTurn,
  { item, items }: Extract<Decision, { do: 'again' }>,
  how: Drive,
): Promise<void> {
  const { claim, services } = claimed;
  claim.accept(items);
  const isHarmless = (tool: string) => services.tools.get(tool)?.effect === 'none';
  const start = repeatable(claim.records, item, isHarmless);
  const address = start?.address ?? item.address;
  if (start === undefined) {
    const refused = { id: TurnId(`again-${item.id}`), address, asker: item.author, isScheduled: false };
    await claimed.screen(refused).tell(`again:${item.id}`, wordsFor(address.locale).notAgain);
    return;
  }
  const turn = { id: start.turn, address, asker: start.asker, isScheduled: start.scheduled === true };
  if (turn.asker !== undefined) {
    const quota = await services.quotas.message(turn.asker);
    if (!quota.ok) return refuse(claimed, turn, item.id, quota.freeAt);
  }
  await drive(claimed, turn, { kind: 'open', messages: async () => [], again: item.id }, how);
}

/** The question has its answer, or will have none: the same turn goes on with it. */
async function closeQuestion(
  claimed: ClaimedTurn,
  pause: OpenPause,
  decision: Extract<Decision, { do: 'close' }>,
  how: Drive,
): Promise<void> {
  const turn = claimed.openTurn();
  const card = claimed.screen(turn).closeCard(pause, decision.card, decision.answers);
  card.catch(() => {}); // the loop may fail before it is waited for
  for (const record of await keepFilesOfAnswers(claimed, decision.items)) {
    how.recovered.fold.add(record);
    how.recovered.state.add(record);
  }
  await drive(claimed, turn, { kind: 'answer', callId: pause.callId, ...decision }, how);
  await card;
}

/** Another process left the turn as the journal says; what it may not have come to is done here. */
async function takeOver(claimed: ClaimedTurn, how: Drive): Promise<void> {
  const { claim, late } = claimed;
  const turn = claimed.openTurn();
  const own = claim.records.slice(claim.records.findLastIndex(({ type }) => type === 'turn/start'));
  if (!own.some(({ type }) => type === 'step/start')) {
    const messages = claim.opening.filter(hasText);
    claim.accept(messages);
    late.push(...(await earlierNote(claimed, messages[0])), ...messages.map(arrivedOf));
  }
  const closed = closedQuestion(own);
  const card = closed && claimed.screen(turn).closeCard(closed.pause, closed.card, closed.answers);
  card?.catch(() => {}); // the loop may fail before it is waited for
  await drive(claimed, turn, { kind: 'recover' }, how);
  await card;
}

async function refuse(
  claimed: ClaimedTurn,
  refused: RunningTurn,
  item: EventId,
  freeAt: number,
): Promise<void> {
  const time = new Date(freeAt).toISOString().slice(11, 16);
  // Named for the message: a process that dies here must not say it twice.
  const turn = { ...refused, id: TurnId(`refused-${item}`) };
  await claimed.screen(turn).tell(`quota:${item}`, wordsFor(turn.address.locale).tooMany(`${time} UTC`));
}

/** A record of a known kind may still have another shape than this version's. */
function readable<T>(read: () => T): T | Error {
  try {
    return read();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function tellUnreadable(claimed: ClaimedTurn, error: Error): Promise<void> {
  const { claim, services, conversation } = claimed;
  services.logFor({ conversation }).error({ error }, 'a conversation cannot be read');
  claim.accept(claim.opening);
  const item = claim.opening.find(hasText);
  if (item === undefined) return;
  const { address, author: asker } = item;
  const turn = { id: TurnId(`unreadable-${item.id}`), address, asker, isScheduled: false };
  await claimed.screen(turn).tell('unreadable', wordsFor(address.locale).unreadable);
}
