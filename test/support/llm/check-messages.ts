/** The rules for messages: roles, contents, and that every call is followed at once by exactly one result, in order. */
import { badName, type Fields, isFields, isToolName, type Refusal, refuse } from './refusal.ts';

const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  system: ['content', 'name'],
  developer: ['content', 'name'],
  user: ['content', 'name'],
  assistant: ['content', 'name', 'tool_calls', 'refusal'],
  tool: ['content', 'tool_call_id'],
};

export function checkMessages(messages: unknown, withReasoning: boolean): Refusal | undefined {
  if (!Array.isArray(messages) || messages.length === 0) {
    return refuse(
      "Invalid 'messages': empty array. Expected an array with minimum length 1.",
      'messages',
      'empty_array',
    );
  }
  /** Ids that still need a result, in the order in which the results have to come. */
  let open: string[] = [];
  const used = new Set<string>();
  for (const [i, message] of messages.entries()) {
    const at = `messages[${i}]`;
    const wrong = checkMessage(message, at, withReasoning);
    if (wrong) return wrong;
    if (!isFields(message)) continue;
    if (message['role'] === 'tool') {
      const id = message['tool_call_id'];
      if (open.length === 0) {
        return refuse(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          `${at}.role`,
        );
      }
      if (id !== open[0]) {
        return refuse(`Invalid parameter: 'tool_call_id' of '${String(id)}' is not the next open call.`, at);
      }
      open = open.slice(1);
      continue;
    }
    if (open.length > 0) return unanswered(open, at);
    for (const id of idsOf(message)) {
      if (used.has(id)) return refuse(`Duplicate value for 'tool_call_id' of '${id}'.`, `${at}.tool_calls`);
      used.add(id);
      open.push(id);
    }
  }
  return open.length > 0 ? unanswered(open, `messages[${messages.length}]`) : undefined;
}

function unanswered(open: readonly string[], at: string): Refusal {
  return refuse(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`,
    `${at}.role`,
  );
}

function checkMessage(message: unknown, at: string, withReasoning: boolean): Refusal | undefined {
  if (!isFields(message)) return refuse(`Invalid type for '${at}': expected an object.`, at, 'invalid_type');
  const role = typeof message['role'] === 'string' ? message['role'] : '';
  const allowed = fieldsOf[role];
  if (!allowed) {
    return refuse(
      `Invalid value: '${role}'. Supported values are: 'system', 'assistant', 'user', 'tool', and 'developer'.`,
      `${at}.role`,
      'invalid_value',
    );
  }
  const extra = Object.keys(message).find(
    (key) => key !== 'role' && !allowed.includes(key) && !(withReasoning && key === 'reasoning_content'),
  );
  if (extra !== undefined) {
    return refuse(`Unknown parameter: '${at}.${extra}'.`, `${at}.${extra}`, 'unknown_parameter');
  }
  return role === 'assistant' ? checkAssistant(message, at) : checkContent(message, role, at);
}

function checkContent(message: Fields, role: string, at: string): Refusal | undefined {
  if (role === 'tool' && (typeof message['tool_call_id'] !== 'string' || message['tool_call_id'] === '')) {
    return refuse(
      `Missing parameter 'tool_call_id': ${at}`,
      `${at}.tool_call_id`,
      'missing_required_parameter',
    );
  }
  const { content } = message;
  if (typeof content === 'string') {
    return content === '' ? refuse(`Invalid '${at}.content': empty string.`, `${at}.content`) : undefined;
  }
  const kinds = role === 'user' ? ['text', 'image_url'] : ['text'];
  const isList = Array.isArray(content) && content.length > 0;
  if (isList && content.every((part: unknown) => isPart(part, kinds))) return undefined;
  return refuse(
    `Invalid type for '${at}.content': expected a string or an array of content parts.`,
    `${at}.content`,
    'invalid_type',
  );
}

function isPart(part: unknown, kinds: readonly string[]): boolean {
  if (!isFields(part) || !kinds.includes(String(part['type']))) return false;
  if (part['type'] === 'text') return typeof part['text'] === 'string' && part['text'] !== '';
  const url = isFields(part['image_url']) ? part['image_url']['url'] : undefined;
  return typeof url === 'string' && /^(?:https?:|data:)/.test(url);
}

function checkAssistant(message: Fields, at: string): Refusal | undefined {
  const { content, tool_calls: calls } = message;
  if (calls === undefined) {
    return typeof content === 'string' && content !== ''
      ? undefined
      : refuse(
          `Invalid value for '${at}.content': expected a string, got null.`,
          `${at}.content`,
          'invalid_type',
        );
  }
  if (content !== null && content !== undefined && (typeof content !== 'string' || content === '')) {
    return refuse(`Invalid type for '${at}.content'.`, `${at}.content`, 'invalid_type');
  }
  if (!Array.isArray(calls) || calls.length === 0) {
    return refuse(`Invalid '${at}.tool_calls': empty array.`, `${at}.tool_calls`, 'empty_array');
  }
  for (const [i, call] of calls.entries()) {
    const wrong = checkCall(call, `${at}.tool_calls[${i}]`);
    if (wrong) return wrong;
  }
  return undefined;
}

function checkCall(call: unknown, at: string): Refusal | undefined {
  if (!isFields(call) || call['type'] !== 'function' || !isFields(call['function'])) {
    return refuse(`Missing required parameter: '${at}.function'.`, at, 'missing_required_parameter');
  }
  if (typeof call['id'] !== 'string' || call['id'] === '') {
    return refuse(`Missing required parameter: '${at}.id'.`, `${at}.id`, 'missing_required_parameter');
  }
  const { name, arguments: args } = call['function'];
  if (!isToolName(name)) return badName(`${at}.function.name`);
  if (typeof args !== 'string' || !isJsonObject(args)) {
    return refuse(`Invalid '${at}.function.arguments': not a JSON object.`, `${at}.function.arguments`);
  }
  return undefined;
}

function isJsonObject(text: string): boolean {
  try {
    return isFields(JSON.parse(text));
  } catch {
    return false;
  }
}

function idsOf(message: Fields): readonly string[] {
  const calls = message['tool_calls'];
  return Array.isArray(calls) ? calls.flatMap((call) => (isFields(call) ? [String(call['id'])] : [])) : [];
}
