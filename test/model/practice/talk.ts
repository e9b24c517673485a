/** Talks to the practice model as the loop does: a THINK reply is followed by the next request at once. */
import type { PracticeMessage } from '../../../src/model/practice/request.ts';
import { type Reply, tutor } from '../../../src/model/practice/tutor.ts';

export interface Talk {
  /** One or more messages in a row; resolves the replies they lead to, as `LABEL text`. */
  says(...texts: readonly string[]): readonly string[];
  /** Answers the open card with the result of the call. */
  answers(result: unknown): readonly string[];
  /** The last reply's text, without the introduction. */
  readonly answer: string;
  readonly card: CardArguments;
}

export interface CardArguments {
  readonly intro?: string;
  readonly questions: readonly {
    readonly id: string;
    readonly prompt: string;
    readonly options: readonly { readonly label: string; readonly description?: string }[];
  }[];
}

export const labelPrompt =
  'You are a tutor. Begin every reply with one of\n``FINISH``\n``TOOL``\n``THINK``\n``PAUSE``';

export function talk(options: { readonly prompt?: string; readonly tools?: readonly string[] } = {}): Talk {
  const { prompt = labelPrompt, tools = ['ask_user'] } = options;
  const messages: PracticeMessage[] = [{ role: 'system', text: prompt }];
  let last: Reply | undefined;

  const replies = (): readonly string[] => {
    const shown: string[] = [];
    do {
      last = tutor({ messages, tools: new Set(tools) });
      const text = last.labelled ? `\`\`${last.label}\`\`\n${last.text}` : last.text;
      const calls = last.call === undefined ? [] : [{ id: `call_${messages.length}`, name: last.call.name }];
      messages.push({ role: 'assistant', text, calls });
      shown.push(`${last.label} ${withoutIntroduction(last.text)}`);
    } while (last.label === 'THINK' && shown.length < 5);
    return shown;
  };

  return {
    says(...texts) {
      messages.push(...texts.map((text): PracticeMessage => ({ role: 'user', text })));
      return replies();
    },
    answers(result) {
      const asked = messages.findLast((message) => message.role === 'assistant');
      const callId = asked?.role === 'assistant' ? (asked.calls[0]?.id ?? '') : '';
      messages.push({
        role: 'tool',
        callId,
        text: typeof result === 'string' ? result : JSON.stringify(result),
      });
      return replies();
    },
    get answer() {
      return withoutIntroduction(last?.text ?? '');
    },
    get card() {
      // The shape is what these tests are about; a wrong one fails where it is read.
      return JSON.parse(JSON.stringify(last?.call?.args ?? { questions: [] }));
    },
  };
}

/** The result of a card on which one option was chosen, or something written. */
export function answered(answer: { readonly selected?: readonly string[]; readonly text?: string }): object {
  const { selected = [], text = '' } = answer;
  const given = { id: 'q1', selected, text, status: 'answered' };
  return { answers: [given], by: 'term:me', at: '2026-11-30T09:00:00.000Z' };
}

function withoutIntroduction(text: string): string {
  return text.replace(/^> .*\n\n/, '');
}
