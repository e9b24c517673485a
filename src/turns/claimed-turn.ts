/** A claimed conversation while one worker deals with it: its open turn, its screens, and what ends it. */
import type { SurfaceAddress } from '../domain/address.ts';
import { TurnParkedError } from '../domain/errors.ts';
import type { ConversationId, TurnId, UserId } from '../domain/ids.ts';
import type { JournalRecord } from '../domain/journal.ts';
import type { Claim } from '../ports/conversations.ts';
import type { ArrivedItem, StepInbox } from '../ports/journal.ts';
import type { TurnScreen } from '../ports/screen.ts';
import type { TurnServices } from './services.ts';

/** A turn as the people in it know it. */
export interface RunningTurn {
  readonly id: TurnId;
  readonly address: SurfaceAddress;
  readonly asker: UserId | undefined;
  readonly isScheduled: boolean;
}

export class ClaimedTurn {
  /** Ends the turn: a person said stop, or this process ends. */
  readonly stopper = new AbortController();
  /** What opened a turn whose process died before it was recorded; the first step takes it. */
  readonly late: ArrivedItem[] = [];
  /** Ends all writing to the surface: only when this process ends. A stopped turn still shows that it was stopped. */
  private readonly silencer = new AbortController();
  private readonly screens = new Map<TurnId, TurnScreen>();

  constructor(
    readonly services: TurnServices,
    readonly conversation: ConversationId,
    readonly claim: Claim,
    signal: AbortSignal,
  ) {
    const stop = () => {
      this.stopper.abort(signal.reason);
      if (signal.reason instanceof TurnParkedError) this.silencer.abort(signal.reason);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  }

  /** The start of the turn that is open, or undefined between turns. */
  get startRecord(): Extract<JournalRecord, { type: 'turn/start' }> | undefined {
    const last = this.claim.records.findLast(({ type }) => type === 'turn/start' || type === 'turn/end');
    return last?.type === 'turn/start' ? last : undefined;
  }

  openTurn(): RunningTurn {
    const start = this.startRecord;
    if (start === undefined) throw new Error(`${this.conversation} has no open turn`);
    const address = start.address ?? this.claim.opening[0]?.address ?? { surface: '', place: '' };
    return { id: start.turn, address, asker: start.asker, isScheduled: start.scheduled === true };
  }

  /** One screen for each turn, however often it is asked for. */
  screen({ id, address }: RunningTurn): TurnScreen {
    const { conversation, claim, services } = this;
    const { signal } = this.silencer;
    const open = () =>
      services.screens.open({ conversation, turn: id, address, ledger: claim.ledger(id), signal });
    const known = this.screens.get(id) ?? open();
    this.screens.set(id, known);
    return known;
  }

  /** The step inbox, which is also where a stop is noticed when the message about it was lost. */
  inbox(): StepInbox {
    const { claim, stopper, late } = this;
    const look = <T>(seen: T): T => {
      if (claim.stopRequested) stopper.abort('user');
      return seen;
    };
    if (claim.stopRequested) stopper.abort('user');
    return {
      waiting: async () => look(await claim.waiting()),
      take: async (maxMessages) => {
        const taken = look(await claim.take(maxMessages));
        for (const { kind, address, record } of taken)
          if (kind === 'message' && address !== undefined && record.item !== undefined)
            this.services.markUsed(address, record.item);
        return this.withFiles([...late.splice(0), ...taken]);
      },
    };
  }

  /** What people said, with what came with it. Throws when this process ends: the next one waits for the files anew. */
  async withFiles(arrived: readonly ArrivedItem[]): Promise<readonly ArrivedItem[]> {
    const { services, conversation, stopper } = this;
    const { signal } = stopper;
    const complete = arrived.map((item) => services.files.complete(conversation, item, signal));
    const items = await Promise.all(complete);
    const isWaitedFor = arrived.some((item) => item.withFiles !== undefined);
    if (isWaitedFor && signal.reason instanceof TurnParkedError) throw signal.reason;
    return items;
  }
}
