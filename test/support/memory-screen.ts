/** Screens for tests: what a person would see of each turn, as plain data. */
import type { OpenPause } from '../../src/domain/pause.ts';
import type { TurnEvent } from '../../src/domain/turn.ts';
import type { Screens } from '../../src/ports/screen.ts';
import { shownBy } from './dialogue.ts';

export interface MemoryScreens extends Screens {
  readonly events: TurnEvent[];
  readonly cards: { callId: string; state: string; answers: number }[];
  readonly told: string[];
  answers(): string[];
}

export function memoryScreens(): MemoryScreens {
  const events: TurnEvent[] = [];
  const cards: MemoryScreens['cards'] = [];
  const told: string[] = [];
  const slots = new Set<string>();
  const card = ({ callId, answers }: OpenPause, state: string) => {
    const known = cards.find((each) => each.callId === callId);
    if (known !== undefined) Object.assign(known, { state, answers: answers.length });
    else cards.push({ callId, state, answers: answers.length });
  };
  return {
    events,
    cards,
    told,
    answers: () => shownBy(events).messages,
    open: ({ turn, address }) => ({
      show: (event) => void events.push(event),
      finish: async () => {},
      takeBack: async () => void events.push({ type: 'answer.retracted', keep: 0, draft: '', why: 'retry' }),
      ask: async (pause) => {
        card(pause, 'open');
        return { surface: address.surface, place: address.place, id: `card-${pause.callId}` };
      },
      closeCard: async (pause, as, answers) => card({ ...pause, answers }, as),
      tell: async (slot, text) => {
        if (slots.has(`${turn}:${slot}`)) return true;
        slots.add(`${turn}:${slot}`);
        told.push(text);
        return true;
      },
    }),
  };
}
