/** The events of a chat-completions stream, as text. Labels stand in it as our protocol asks; to others they are text. */
import { labelledPieces, pieces } from './answer-text.ts';

/** A final answer of `chars` UTF-16 units. */
export function answerStream(chars: number): string[] {
  return stream(
    labelledPieces(chars).map((content) => ({ content })),
    'stop',
  );
}

/** A sentence and one tool call whose arguments come in fragments, as they do. */
export function toolStream(round: number): string[] {
  const args = JSON.stringify({ query: `tides, part ${round + 1}` });
  const call = {
    index: 0,
    id: `call_${round + 1}`,
    type: 'function',
    function: { name: 'look_up', arguments: '' },
  };
  return stream(
    [
      ...pieces('``TOOL``\nI look up the next part.').map((content) => ({ content })),
      { tool_calls: [call] },
      ...pieces(args).map((part) => ({ tool_calls: [{ index: 0, function: { arguments: part } }] })),
    ],
    'tool_calls',
  );
}

function stream(deltas: readonly object[], reason: string): string[] {
  const head = {
    id: 'chatcmpl-bench',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'bench',
    system_fingerprint: 'fp_44709d6fcb',
  };
  const choice = (delta: object, finish: string | null) =>
    event({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], usage: null });
  const usage = {
    prompt_tokens: 100,
    completion_tokens: deltas.length,
    total_tokens: 100 + deltas.length,
  };
  return [
    choice({ role: 'assistant', content: '' }, null),
    ...deltas.map((delta) => choice(delta, null)),
    choice({}, reason),
    event({ ...head, choices: [], usage }),
    'data: [DONE]\n\n',
  ];
}

function event(body: object): string {
  return `data: ${JSON.stringify(body)}\n\n`;
}
