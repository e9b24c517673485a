/** Label protocol: the first line says what a response is; a response that breaks the rules is repaired. */

import { type LabelProtocol, writeLabel } from './label-protocol.ts';
import { LabelProbe } from './reading/label-probe.ts';
import { judgeLabel } from './reading/label-violations.ts';
import { stripThinking } from './reading/think-tags.ts';
import type { ReadMode, Reply, ReplyReader, ReplySinks, Strategy, Verdict } from './strategy.ts';

const UNKNOWN = 'UNKNOWN';

export function labelStrategy(protocol: LabelProtocol, prompt: string): Strategy {
  const isFinal = (label: string) => protocol.final.includes(label);
  const answerLabel = protocol.terminal.find(isFinal) ?? protocol.terminal[0] ?? UNKNOWN;
  const labelOf = (content: string) => judgeLabel(content, 0, protocol);

  return {
    name: 'label',
    prompt: () => prompt,
    reader: (mode, to) => reader(protocol, mode, to),

    judge(reply: Reply, mode: ReadMode): Verdict {
      if (reply.text.trim() === '' && reply.calls.length === 0 && mode.kind === 'step')
        return { kind: 'nudge' };
      const { label, rest, violation } = judge(reply, mode);
      if (violation !== null) return { kind: 'repair', problem: violation };
      if (reply.calls.length > 0 && label === protocol.tool) return { kind: 'tools' };
      const cut = reply.stop === 'length' || reply.stop === 'cut';
      if (cut) return { kind: 'continue' };
      if (protocol.terminal.includes(label)) {
        if (isFinal(label) && rest.trim() === '' && mode.kind === 'step') return { kind: 'nudge' };
        return { kind: 'finish', text: isFinal(label) ? rest : '', label };
      }
      if (protocol.intermediate.includes(label)) {
        return { kind: 'keep', text: rest, shown: isFinal(label), label };
      }
      return { kind: 'repair', problem: 'unknown_action' };
    },

    write: (answer) => `${writeLabel(answerLabel)}\n${answer}`,
    labelIn: (content) => labelOf(content).label,
    answerIn(content) {
      const { label, rest } = labelOf(content);
      if (label === UNKNOWN) return stripThinking(content);
      return isFinal(label) ? rest : '';
    },
    replay(content, fate, hasCalls) {
      const isBare = fate === undefined && labelOf(content).label === UNKNOWN;
      if (!isBare) return content;
      return `${writeLabel(hasCalls && protocol.tool !== null ? protocol.tool : answerLabel)}\n${content}`;
    },
  };

  function judge(reply: Reply, mode: ReadMode) {
    const calls = reply.calls.length;
    if (calls > 0 && protocol.blankCallsAre !== undefined && reply.text.trim() === '') {
      return { label: protocol.blankCallsAre, rest: '', violation: null };
    }
    const judged = judgeLabel(reply.text, calls, protocol);
    // A continuation need not say again what it is.
    if (mode.kind === 'continuation' && judged.label === UNKNOWN && calls === 0) {
      return { label: mode.label, rest: stripThinking(reply.text), violation: null };
    }
    // The label came, the output limit or the line cut what should have followed it.
    const unfinished = reply.stop === 'length' || reply.stop === 'cut';
    if (judged.violation === 'tool_without_calls' && unfinished) return { ...judged, violation: null };
    return judged;
  }
}

function reader(protocol: LabelProtocol, mode: ReadMode, to: ReplySinks): ReplyReader {
  const probe = new LabelProbe(protocol.allowed);
  let toAnswer = false;
  const route = (pieces: ReturnType<LabelProbe['feed']>) => {
    for (const piece of pieces) {
      if (piece.kind === 'label') {
        toAnswer = isAnswer(piece.label);
        if (piece.label !== UNKNOWN) to.label(piece.label);
      } else if (toAnswer) to.answer(piece.text);
      else to.thinking(piece.text);
    }
  };
  return { feed: (text) => route(probe.feed(text)), end: () => route(probe.end()) };

  function isAnswer(label: string): boolean {
    if (mode.kind === 'closing') return true;
    if (label === UNKNOWN) return mode.kind === 'continuation' && protocol.final.includes(mode.label);
    return protocol.final.includes(label);
  }
}
