/** Answers as a model sends them, shown by the real adapter on the fake in virtual time, with what readers notice of them. */
import type { SentAnswer } from '../pace/answers.ts';
import type { ShownAnswer } from '../pace/run-answers.ts';
import { writesOf } from '../pace/writes.ts';
import { beginMs } from '../virtual-time.ts';
import type { WorkspaceKnobs } from './controls/knobs.ts';
import type { ShownMessage } from './controls/views.ts';
import { inVirtualTime } from './in-virtual-time.ts';
import { timeOf } from './world/timestamps.ts';

export interface OnSlack {
  readonly shown: readonly ShownAnswer[];
  /** The messages that each answer stands in. */
  readonly pages: readonly (readonly ShownMessage[])[];
  /** How long each person waited for a sign of life. Unit: milliseconds. */
  readonly signs: readonly number[];
  /** All calls, and those of them that were answered by 429. */
  readonly calls: number;
  readonly refused: number;
  /** Refusals and habits that no app should have. */
  readonly problems: readonly string[];
}

/** Each answer in a thread of its own, over so many channels. */
export async function answersOnSlack({
  answers,
  rooms,
  workspace = {},
}: {
  readonly answers: readonly SentAnswer[];
  readonly rooms: number;
  readonly workspace?: Partial<WorkspaceKnobs>;
}): Promise<OnSlack> {
  return inVirtualTime(async ({ controls, clock, screenFor, untilDone }) => {
    controls.workspace(workspace);
    const channels = Array.from({ length: rooms }, (_, room) => controls.addChannel(`room-${room}`));

    const show = async (answer: SentAnswer, index: number): Promise<string> => {
      await clock.sleep(answer.tokens[0] ?? 0);
      const question = controls.say(`mia-${index}`, '@Docent why?', { in: channels[index % rooms] ?? '' });
      const screen = screenFor(question);
      screen.show({ type: 'thinking.delta', text: 'Let me see.' });
      for (const [at, time] of answer.tokens.entries()) {
        const waitMs = beginMs + time - clock.now();
        if (waitMs > 0) await clock.sleep(waitMs);
        screen.show({ type: 'answer.delta', text: `x${at % 20 === 19 ? ' ' : ''}` });
      }
      await clock.sleep(Math.max(0, beginMs + answer.endsAt - clock.now()));
      await screen.finish({ kind: 'finish', answer: '' });
      return question.ts;
    };

    const questions = await untilDone(Promise.all(answers.map(show)));
    const calls = controls.calls();
    const said = controls.botMessages();
    const pages = questions.map((thread) =>
      said.filter((each) => each.thread === thread && each.shown.startsWith('x')),
    );
    const shown = answers.map((answer, index): ShownAnswer => {
      const texts = pages[index]?.map(({ shownBefore, times }) => ({ texts: shownBefore, times })) ?? [];
      return { answer, writes: writesOf(texts, answer, beginMs), refused: 0 };
    });
    const signs = questions.map((thread) => {
      const status = calls.find(
        ({ method, args }) => method === 'assistant.threads.setStatus' && args['thread_ts'] === thread,
      );
      return (status?.at ?? Number.POSITIVE_INFINITY) - timeOf(thread);
    });
    const refused = calls.filter(({ status }) => status === 429).length;
    const problems = [
      ...controls.violations().map(({ rule, method }) => `${rule} ${method}`),
      ...controls
        .notices()
        .filter(({ kind }) => kind !== 'too_fast')
        .map(({ kind, what }) => `${kind} ${what}`),
    ];
    return { shown, pages, signs, calls: calls.length, refused, problems };
  });
}
