/** Answers as a model sends them, shown by the real adapter on the fake in virtual time, with what readers notice of them. */
import type { SentAnswer } from '../pace/answers.ts';
import type { ShownAnswer } from '../pace/run-answers.ts';
import { writesOf } from '../pace/writes.ts';
import { beginMs } from '../virtual-time.ts';
import { inVirtualTime } from './in-virtual-time.ts';
import type { RateKnobs } from './rest/rates.ts';

export interface AnswersAtOnce {
  readonly answers: readonly SentAnswer[];
  /** Answers are shared out among so many channels. */
  readonly rooms: number;
  readonly limits: Partial<RateKnobs>;
}

export interface OnDiscord {
  readonly shown: readonly ShownAnswer[];
  /** All calls, and those of them that were answered by 429. */
  readonly calls: number;
  readonly refused: number;
}

export async function answersOnDiscord({ answers, rooms, limits }: AnswersAtOnce): Promise<OnDiscord> {
  return inVirtualTime(limits, async ({ controls, clock, screenFor, untilDone }) => {
    const channels = Array.from({ length: rooms }, (_, room) => controls.addChannel(`room-${room}`));

    const show = async (answer: SentAnswer, index: number): Promise<void> => {
      const channel = channels[index % rooms] ?? '';
      await clock.sleep(answer.tokens[0] ?? 0);
      const screen = screenFor(controls.say('mia', `@Docent question ${index}`, { in: channel }));
      screen.show({ type: 'thinking.delta', text: 'Let me see.' });
      for (const [at, time] of answer.tokens.entries()) {
        const waitMs = beginMs + time - clock.now();
        if (waitMs > 0) await clock.sleep(waitMs);
        screen.show({ type: 'answer.delta', text: `${letterOf(index, rooms)}${at % 20 === 19 ? ' ' : ''}` });
      }
      await clock.sleep(Math.max(0, beginMs + answer.endsAt - clock.now()));
      await screen.finish({ kind: 'finish', answer: '' });
    };

    await untilDone(Promise.all(answers.map(show)));
    const calls = controls.calls();
    const said = controls.botMessages();
    const shown = answers.map((answer, index): ShownAnswer => {
      const pages = said.filter(
        ({ channelId, content }) =>
          channelId === channels[index % rooms] && content.startsWith(letterOf(index, rooms)),
      );
      return { answer, writes: writesOf(pages, answer, beginMs), refused: 0 };
    });
    return { shown, calls: calls.length, refused: calls.filter(({ status }) => status === 429).length };
  });
}

/** Each answer of a channel has a letter of its own. */
const letterOf = (index: number, rooms: number): string =>
  String.fromCharCode('a'.charCodeAt(0) + Math.floor(index / rooms));
