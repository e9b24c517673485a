/** Features that a scripted service can be told not to know, each refused in the words a real one uses. */
import { assertNever } from '../../../src/domain/errors.ts';
import { type Fields, isFields, type Refusal, refuse } from './refusal.ts';

export const features = [
  'stream_options',
  'tools',
  'tool_choice',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'images',
  'reasoning_content',
  'system',
  'roles_out_of_turn',
  'calls_without_tools',
] as const;
export type Feature = (typeof features)[number];

/** The first refused feature that the request uses. `body` has been found valid. */
export function refusedFeature(body: unknown, refused: readonly Feature[]): Refusal | undefined {
  if (!isFields(body)) return undefined;
  const found = refused.find((feature) => uses(feature, body));
  return found && answers[found];
}

function uses(feature: Feature, body: Fields): boolean {
  const messages = Array.isArray(body['messages']) ? body['messages'].filter(isFields) : [];
  const roles = messages.map((message) => message['role']);
  const hasCalls = messages.some((message) => 'tool_calls' in message);
  switch (feature) {
    case 'tools':
      return 'tools' in body || hasCalls || roles.includes('tool');
    case 'images':
      return messages.some(
        ({ content }) =>
          Array.isArray(content) && content.some((part) => isFields(part) && part['type'] === 'image_url'),
      );
    case 'reasoning_content':
      return messages.some((message) => 'reasoning_content' in message);
    case 'system':
      return roles.includes('system');
    case 'roles_out_of_turn':
      return roles.some((role, i) => role === 'user' && (roles[i - 1] === 'user' || roles[i - 1] === 'tool'));
    case 'calls_without_tools':
      return hasCalls && !('tools' in body);
    case 'stream_options':
    case 'tool_choice':
    case 'max_tokens':
    case 'max_completion_tokens':
    case 'temperature':
      return feature in body;
    default:
      return assertNever(feature, 'uses');
  }
}

const answers: Readonly<Record<Feature, Refusal>> = {
  stream_options: refuse('Unrecognized request argument supplied: stream_options'),
  tools: refuse('this-model does not support tools'),
  tool_choice: refuse("Unsupported parameter: 'tool_choice'.", 'tool_choice', 'unsupported_parameter'),
  max_tokens: refuse(
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    'max_tokens',
    'unsupported_parameter',
  ),
  max_completion_tokens: refuse('Unrecognized request argument supplied: max_completion_tokens'),
  temperature: refuse(
    "Unsupported value: 'temperature' does not support this value with this model. Only the default (1) value is supported.",
    'temperature',
    'unsupported_value',
  ),
  images: refuse('Invalid content type. image_url is only supported by certain models.'),
  reasoning_content: refuse("property 'reasoning_content' is unsupported"),
  system: refuse('System role not supported'),
  roles_out_of_turn: refuse('Conversation roles must alternate user/assistant/user/assistant/...'),
  calls_without_tools: refuse("Bedrock doesn't support tool calling without `tools=` param specified."),
};
