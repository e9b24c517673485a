/** One request of the chat-completions interface, with what this service is known to refuse left out or renamed. */
import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import type { ModelMessage } from '../domain/message.ts';
import type { ModelRequest, ToolSchema } from '../ports/model.ts';
import type { ChatMessage } from './chat-message.ts';
import { chatMessages } from './chat-messages.ts';
import type { Downgrade, Sent } from './downgrade.ts';
import { describeTools } from './text-tools.ts';

export interface RequestDefaults {
  readonly maxTokens?: number | undefined;
  readonly temperature?: number | undefined;
  /** Which name of the limit is tried first. */
  readonly limitField: 'max_tokens' | 'max_completion_tokens';
}

export interface ChatRequest {
  readonly body: ChatCompletionCreateParamsStreaming;
  /** What the body holds that a service may refuse. */
  readonly sent: Sent;
}

/** Builds the request for `model`. `known` is what the service refused before. */
export function chatRequest(
  request: ModelRequest,
  model: string,
  defaults: RequestDefaults,
  known: ReadonlySet<Downgrade>,
): ChatRequest {
  const toolsAsText = known.has('tools_as_text');
  const mayCall = request.toolChoice === 'auto' && request.tools.length > 0;
  const messages = chatMessages(request.messages, {
    model,
    toolsAsText,
    systemSuffix: toolsAsText && mayCall ? describeTools(request.tools) : '',
    images: !known.has('no_images'),
    reasoning: !known.has('no_reasoning_replay'),
    systemRole: !known.has('no_system_role'),
    rolesInTurn: known.has('roles_in_turn'),
  });
  const historyHasCalls = messages.some((message) => message.role === 'assistant' && message.tool_calls);
  const listed = toolsAsText ? [] : listedTools(request, mayCall, historyHasCalls && known.has('keep_tools'));
  const tools = listed.map(chatTool);
  const toolChoice = tools.length > 0 && !known.has('no_tool_choice');
  const limit = limitField(request.maxTokens ?? defaults.maxTokens, defaults, known);
  const temperature = known.has('no_temperature') ? undefined : (request.temperature ?? defaults.temperature);
  const streamOptions = !known.has('no_stream_options');
  return {
    body: {
      model,
      messages,
      stream: true,
      ...(streamOptions && { stream_options: { include_usage: true } }),
      ...(tools.length > 0 && { tools }),
      ...(toolChoice && { tool_choice: mayCall ? 'auto' : 'none' }),
      ...limit,
      ...(temperature !== undefined && { temperature }),
    },
    sent: {
      limit:
        'max_tokens' in limit
          ? 'max_tokens'
          : 'max_completion_tokens' in limit
            ? 'max_completion_tokens'
            : undefined,
      limitRenamed: known.has('max_tokens') || known.has('max_completion_tokens'),
      streamOptions,
      tools: tools.length > 0,
      toolChoice,
      callsWithoutTools: historyHasCalls && tools.length === 0,
      temperature: temperature !== undefined,
      images: messages.some(holdsPicture),
      reasoning: messages.some((message) => message.reasoning_content !== undefined),
      systemRole: messages.some((message) => message.role === 'system'),
      userOutOfTurn: messages.some((message, i) => {
        const before = messages[i - 1]?.role;
        return message.role === 'user' && (before === 'user' || before === 'tool');
      }),
    },
  };
}

/**
 * A response that must be text gets no tools, except where the service wants them listed because the history has
 * calls; then also made-up entries do, since they cannot be chosen.
 */
function listedTools(request: ModelRequest, mayCall: boolean, keep: boolean): readonly ToolSchema[] {
  if (mayCall) return request.tools;
  if (!keep) return [];
  return request.tools.length > 0 ? request.tools : toolsOfHistory(request.messages);
}

function toolsOfHistory(messages: readonly ModelMessage[]): ToolSchema[] {
  const names = new Set(
    messages.flatMap((m) => (m.role === 'assistant' ? m.calls.map((call) => call.name) : [])),
  );
  return [...names].map((name) => ({
    name,
    description: '',
    parameters: { type: 'object', properties: {} },
  }));
}

function chatTool({ name, description, parameters }: ToolSchema): ChatCompletionTool {
  return { type: 'function', function: { name, description, parameters: { ...parameters } } };
}

function limitField(
  maxTokens: number | undefined,
  { limitField: first }: RequestDefaults,
  known: ReadonlySet<Downgrade>,
): { max_tokens?: number; max_completion_tokens?: number } {
  if (maxTokens === undefined || known.has('no_max_tokens')) return {};
  const renamed = known.has('max_tokens') || known.has('max_completion_tokens');
  const field = renamed ? (known.has('max_tokens') ? 'max_tokens' : 'max_completion_tokens') : first;
  return field === 'max_tokens' ? { max_tokens: maxTokens } : { max_completion_tokens: maxTokens };
}

function holdsPicture(message: ChatMessage): boolean {
  return Array.isArray(message.content) && message.content.some((part) => part.type === 'image_url');
}
