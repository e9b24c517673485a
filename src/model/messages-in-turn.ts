/** For chat templates that accept user and assistant only in turn, as those of Mistral and Gemma do. */
import type { ChatCompletionContentPart } from 'openai/resources/chat/completions';
import type { ChatMessage } from './chat-message.ts';

/**
 * Joins neighbours of one role; a user's text right after a tool result is appended to that result. Calls and their
 * results are never touched otherwise.
 */
export function messagesInTurn(messages: readonly ChatMessage[]): ChatMessage[] {
  const out: ChatMessage[] = [];
  for (const message of messages) {
    const last = out.at(-1);
    const joined = last && joinedWith(last, message);
    if (joined) out.splice(-1, 1, joined);
    else out.push(message);
  }
  return out;
}

function joinedWith(last: ChatMessage, next: ChatMessage): ChatMessage | undefined {
  if (last.role === 'user' && next.role === 'user') {
    if (typeof last.content === 'string' && typeof next.content === 'string') {
      return { ...last, content: `${last.content}\n\n${next.content}` };
    }
    return { ...last, content: [...partsOf(last.content), ...partsOf(next.content)] };
  }
  if (last.role === 'tool' && next.role === 'user') {
    if (typeof last.content !== 'string' || typeof next.content !== 'string') return undefined;
    return { ...last, content: `${last.content}\n\n${next.content}` };
  }
  if (last.role === 'assistant' && next.role === 'assistant' && !last.tool_calls) {
    return { ...next, content: [textOf(last), textOf(next)].filter((text) => text !== '').join('\n\n') };
  }
  return undefined;
}

function partsOf(content: string | ChatCompletionContentPart[]): ChatCompletionContentPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** Assistant messages hold text or nothing here. */
function textOf({ content }: ChatMessage): string {
  return typeof content === 'string' ? content : '';
}
