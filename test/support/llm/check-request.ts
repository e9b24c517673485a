/**
 * Validates a chat-completions request the way OpenAI does, and a little harder: what any known service refuses is
 * refused here. Returns the error to answer with, `undefined` when there is none.
 */
import { checkMessages } from './check-messages.ts';
import { badName, type Fields, isFields, isToolName, type Refusal, refuse } from './refusal.ts';

const knownParameters = new Set(
  `model messages stream stream_options tools tool_choice parallel_tool_calls max_tokens max_completion_tokens
  temperature top_p n stop seed user response_format reasoning_effort presence_penalty frequency_penalty logit_bias
  logprobs top_logprobs metadata store service_tier prompt_cache_key safety_identifier verbosity`.split(
    /\s+/,
  ),
);

/** `body` is parsed JSON. `withReasoning`: replayed `reasoning_content` is known, because this service sent some. */
export function checkRequest(body: unknown, withReasoning: boolean): Refusal | undefined {
  if (!isFields(body)) return refuse('We could not parse the JSON body of your request.');
  const unknown = Object.keys(body).find((name) => !knownParameters.has(name));
  if (unknown !== undefined) return refuse(`Unrecognized request argument supplied: ${unknown}`);
  const nothing = Object.keys(body).find((name) => body[name] === null || body[name] === undefined);
  if (nothing !== undefined)
    return refuse(`Invalid type for '${nothing}': got null.`, nothing, 'invalid_type');
  const broken = brokenText(body, '');
  if (broken !== undefined) return refuse(`Invalid text in '${broken}': not well-formed Unicode.`, broken);
  if (typeof body['model'] !== 'string' || body['model'] === '') {
    return refuse('you must provide a model parameter');
  }
  return (
    checkStream(body) ??
    checkLimits(body) ??
    checkTools(body) ??
    checkMessages(body['messages'], withReasoning)
  );
}

function checkStream(body: Fields): Refusal | undefined {
  if (body['stream'] !== undefined && typeof body['stream'] !== 'boolean') {
    return refuse("Invalid type for 'stream': expected a boolean.", 'stream', 'invalid_type');
  }
  const options = body['stream_options'];
  if (options === undefined) return undefined;
  if (body['stream'] !== true) {
    return refuse(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      'stream_options',
    );
  }
  const isKnown = isFields(options) && Object.keys(options).every((key) => key === 'include_usage');
  return isKnown ? undefined : refuse('Unknown stream option.', 'stream_options', 'unknown_parameter');
}

function checkLimits(body: Fields): Refusal | undefined {
  if ('max_tokens' in body && 'max_completion_tokens' in body) {
    return refuse(
      'Setting max_tokens and max_completion_tokens at the same time is not supported.',
      'max_tokens',
    );
  }
  for (const name of ['max_tokens', 'max_completion_tokens']) {
    const value = body[name];
    if (value !== undefined && !(Number.isInteger(value) && Number(value) >= 1)) {
      return refuse(`Invalid '${name}': integer below minimum value.`, name, 'integer_below_min_value');
    }
  }
  const temperature = body['temperature'];
  if (temperature === undefined) return undefined;
  const inRange = typeof temperature === 'number' && temperature >= 0 && temperature <= 2;
  return inRange ? undefined : refuse("Invalid 'temperature'.", 'temperature', 'decimal_above_max_value');
}

function checkTools(body: Fields): Refusal | undefined {
  const { tools, tool_choice: choice } = body;
  if (tools === undefined) {
    return choice === undefined
      ? undefined
      : refuse(
          "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
          'tool_choice',
        );
  }
  if (!Array.isArray(tools) || tools.length === 0) {
    return refuse(
      "Invalid 'tools': empty array. Expected an array with minimum length 1.",
      'tools',
      'empty_array',
    );
  }
  if (tools.length > 128)
    return refuse("Invalid 'tools': array too long.", 'tools', 'array_above_max_length');
  const names = new Set<unknown>();
  for (const [i, tool] of tools.entries()) {
    const wrong = checkTool(tool, `tools[${i}]`);
    if (wrong) return wrong;
    const name = isFields(tool) && isFields(tool['function']) ? tool['function']['name'] : undefined;
    if (names.has(name)) return refuse('Tool names must be unique.', 'tools');
    names.add(name);
  }
  if (choice === undefined || choice === 'auto' || choice === 'none' || choice === 'required')
    return undefined;
  return refuse("Invalid value for 'tool_choice'.", 'tool_choice', 'invalid_value');
}

function checkTool(tool: unknown, at: string): Refusal | undefined {
  if (!isFields(tool) || tool['type'] !== 'function' || !isFields(tool['function'])) {
    return refuse(
      `Missing required parameter: '${at}.function'.`,
      `${at}.function`,
      'missing_required_parameter',
    );
  }
  const { name, description, parameters } = tool['function'];
  if (!isToolName(name)) return badName(`${at}.function.name`);
  if (description !== undefined && (typeof description !== 'string' || description.length > 1024)) {
    return refuse(`Invalid '${at}.function.description': string too long.`, `${at}.function.description`);
  }
  if (!isObjectSchema(parameters)) {
    return refuse(
      `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"'.`,
      `${at}.function.parameters`,
      'invalid_function_parameters',
    );
  }
  return undefined;
}

function isObjectSchema(schema: unknown): boolean {
  if (!isFields(schema) || schema['type'] !== 'object') return false;
  const { properties, required } = schema;
  if (properties !== undefined && !isFields(properties)) return false;
  if (required === undefined) return true;
  return (
    Array.isArray(required) && required.every((name) => isFields(properties) && String(name) in properties)
  );
}

/** The place of the first text that holds half a surrogate pair or a control character. */
function brokenText(value: unknown, at: string): string | undefined {
  if (typeof value === 'string') return /(?![\t\n])[\p{Cc}\p{Cs}]/u.test(value) ? at : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = brokenText(inner, at === '' ? key : `${at}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
