/** A reply in the form of the chat-completions API: whole, or as the deltas of a stream. */
import type { Reply } from './tutor.ts';

export interface Delta {
  readonly role?: 'assistant';
  readonly content?: string;
  readonly tool_calls?: readonly {
    readonly index: number;
    readonly id?: string;
    readonly type?: 'function';
    readonly function: { readonly name?: string; readonly arguments?: string };
  }[];
}

/** The whole text of a reply, its label on a line of its own where labels are asked for. */
export function replyText(reply: Reply): string {
  if (reply.labelled) return `\`\`${reply.label}\`\`\n${reply.text}`;
  // Without labels a reply with a call says nothing but the call.
  return reply.call === undefined ? reply.text : '';
}

export function finishReason(reply: Reply): 'stop' | 'tool_calls' {
  return reply.call === undefined ? 'stop' : 'tool_calls';
}

/** The deltas in order: the label with the first word, then word by word, then the call with its arguments in pieces. */
export function deltasOf(reply: Reply, callId: string): readonly Delta[] {
  const words = replyText(reply).match(/^``[A-Z]+``\n\S*\s*|\S+\s*|\s+/gu) ?? [];
  const text: Delta[] = words.flatMap(pieces).map((content) => ({ content }));
  return [{ role: 'assistant', content: '' }, ...text, ...callDeltas(reply, callId)];
}

/** The message of an answer that is not streamed. */
export function messageOf(reply: Reply, callId: string): Readonly<Record<string, unknown>> {
  const content = replyText(reply);
  return {
    role: 'assistant',
    content: content === '' ? null : content,
    ...(reply.call !== undefined && {
      tool_calls: [
        {
          id: callId,
          type: 'function',
          function: { name: reply.call.name, arguments: JSON.stringify(reply.call.args) },
        },
      ],
    }),
  };
}

function callDeltas({ call }: Reply, id: string): readonly Delta[] {
  if (call === undefined) return [];
  const begin: Delta = {
    tool_calls: [{ index: 0, id, type: 'function', function: { name: call.name, arguments: '' } }],
  };
  const parts = JSON.stringify(call.args).match(/.{1,24}/gsu) ?? [];
  return [
    begin,
    ...parts.map((part): Delta => ({ tool_calls: [{ index: 0, function: { arguments: part } }] })),
  ];
}

/** Chinese has no spaces between words: long words are cut, so that every text moves. */
function pieces(word: string): readonly string[] {
  return word.length <= 24 || word.startsWith('``') ? [word] : (word.match(/.{1,8}/gsu) ?? [word]);
}
