/** What the practice model is asked: a chat-completions request, reduced to what it can make use of. */

export interface PracticeRequest {
  readonly messages: readonly PracticeMessage[];
  /** Names of the tools that may be called; empty when `tool_choice` is none. */
  readonly tools: ReadonlySet<string>;
}

export type PracticeMessage =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly PracticeCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly text: string };

export interface PracticeCall {
  readonly id: string;
  readonly name: string;
}

/** The body as sent, and how the answer is wanted. */
export interface CompletionRequest extends PracticeRequest {
  readonly stream: boolean;
  readonly includeUsage: boolean;
}

/** Reads a request body. A text says what is wrong with it, for the person who wrote the client. */
export function readCompletionRequest(body: unknown): CompletionRequest | string {
  const fields = fieldsOf(body);
  if (!Array.isArray(fields['messages']) || fields['messages'].length === 0) {
    return '"messages" must be a list with at least one message';
  }
  const messages: PracticeMessage[] = [];
  for (const [at, raw] of fields['messages'].entries()) {
    const message = readMessage(raw);
    if (message === undefined)
      return `messages[${at}]: "role" must be system, developer, user, assistant or tool`;
    messages.push(message);
  }
  const offered = fields['tool_choice'] === 'none' ? [] : listOf(fields['tools']);
  return {
    messages,
    tools: new Set(offered.map((tool) => textOf(fieldsOf(fieldsOf(tool)['function'])['name']))),
    stream: fields['stream'] === true,
    includeUsage: fieldsOf(fields['stream_options'])['include_usage'] === true,
  };
}

/** Where several people speak, each message says whose it is; here all are treated alike. */
const speaker = /^\[[^[\]\n]+ says:\]\n/;

function readMessage(raw: unknown): PracticeMessage | undefined {
  const fields = fieldsOf(raw);
  const text = contentText(fields['content']);
  switch (fields['role']) {
    case 'system':
    case 'developer':
      return { role: 'system', text };
    case 'user':
      return { role: 'user', text: text.replace(speaker, '') };
    case 'assistant':
      return {
        role: 'assistant',
        text,
        calls: listOf(fields['tool_calls']).map((call) => ({
          id: textOf(fieldsOf(call)['id']),
          name: textOf(fieldsOf(fieldsOf(call)['function'])['name']),
        })),
      };
    case 'tool':
      return { role: 'tool', callId: textOf(fields['tool_call_id']), text };
    default:
      return undefined;
  }
}

/** Text parts joined by line breaks; pictures and files are left out. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => textOf(fieldsOf(part)['text']))
    .filter((text) => text !== '')
    .join('\n');
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
