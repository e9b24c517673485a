/** Our messages as the chat-completions interface wants them. */
import type { ChatCompletionContentPart } from 'openai/resources/chat/completions';
import type { AssistantMessage, ModelMessage, UserContent } from '../domain/message.ts';
import type { ChatMessage } from './chat-message.ts';
import { cleanText } from './clean-text.ts';
import { messagesInTurn } from './messages-in-turn.ts';
import { callsAsText, objectOf, resultAsText } from './text-tools.ts';

/** What this service can take. */
export interface MessageForm {
  /** The model being asked: reasoning goes back only to the model that wrote it. */
  readonly model: string;
  readonly toolsAsText: boolean;
  /** Stands at the end of the system message, for example the description of text tools. */
  readonly systemSuffix: string;
  readonly images: boolean;
  readonly reasoning: boolean;
  readonly systemRole: boolean;
  readonly rolesInTurn: boolean;
}

const unseenPicture = '[A picture was sent here. You cannot see it: this model takes no pictures.]';

/**
 * Empty assistant messages are left out. A request never ends with an assistant message: some services would go on
 * writing that one, so a short user line follows it.
 */
export function chatMessages(messages: readonly ModelMessage[], form: MessageForm): ChatMessage[] {
  const out: ChatMessage[] = [];
  let suffix = form.systemSuffix;
  for (const message of messages) {
    switch (message.role) {
      case 'system':
        out.push(...systemMessage(join(message.content, suffix), form));
        suffix = '';
        break;
      case 'user':
        out.push({ role: 'user', content: userContent(message.content, form) });
        break;
      case 'assistant':
        out.push(...assistantMessage(message, form));
        break;
      case 'tool':
        out.push(
          form.toolsAsText
            ? { role: 'user', content: cleanText(resultAsText(message)) }
            : {
                role: 'tool',
                tool_call_id: message.callId,
                content: cleanText(message.content) || '(empty)',
              },
        );
        break;
    }
  }
  out.unshift(...systemMessage(suffix, form));
  const last = out.at(-1)?.role;
  if (last !== 'user' && last !== 'tool') out.push({ role: 'user', content: 'Go on.' });
  return form.rolesInTurn || !form.systemRole ? messagesInTurn(out) : out;
}

function systemMessage(text: string, form: MessageForm): ChatMessage[] {
  const content = cleanText(text);
  return content === '' ? [] : [{ role: form.systemRole ? 'system' : 'user', content }];
}

function assistantMessage(message: AssistantMessage, form: MessageForm): ChatMessage[] {
  const { calls, reasoning } = message;
  const content = cleanText(form.toolsAsText ? join(message.content, callsAsText(calls)) : message.content);
  const native = form.toolsAsText ? [] : calls;
  if (content === '' && native.length === 0) return [];
  return [
    {
      role: 'assistant',
      content: content === '' ? null : content,
      ...(native.length > 0 && {
        tool_calls: native.map((call) => ({
          id: call.id,
          type: 'function' as const,
          function: { name: toolName(call.name), arguments: argumentsText(call.args) },
        })),
      }),
      ...(form.reasoning &&
        reasoning !== undefined &&
        reasoning.model === form.model &&
        reasoning.text !== '' && { reasoning_content: cleanText(reasoning.text) }),
    },
  ];
}

function userContent(content: UserContent, form: MessageForm): string | ChatCompletionContentPart[] {
  if (typeof content === 'string') return cleanText(content) || '(empty message)';
  const parts = content.flatMap((part): ChatCompletionContentPart[] => {
    if (part.type === 'image' && form.images) return [{ type: 'image_url', image_url: { url: part.url } }];
    const text = part.type === 'image' ? unseenPicture : cleanText(part.text);
    return text === '' ? [] : [{ type: 'text', text }];
  });
  // Text alone goes as text: some services know no lists.
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === parts.length ? texts.join('\n') || '(empty message)' : parts;
}

/** Services refuse a whole request for one name that breaks their pattern, whoever invented it. */
function toolName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
}

/** Arguments that are no JSON object would be refused with every later request; the journal keeps the raw text. */
function argumentsText(args: string): string {
  const text = cleanText(args);
  return objectOf(text) ? text : '{}';
}

function join(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}
