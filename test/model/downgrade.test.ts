import { describe, expect, test } from 'vitest';
import { type Downgrade, downgradeFor, type Sent } from '../../src/model/downgrade.ts';
import { serviceErrorOf } from '../../src/model/service-error.ts';
import { isPairingError } from '../../src/model/service-error-kinds.ts';

/** A request that uses everything a service might refuse. */
const everything: Sent = {
  limit: 'max_tokens',
  limitRenamed: false,
  streamOptions: true,
  tools: true,
  toolChoice: true,
  callsWithoutTools: false,
  temperature: true,
  images: true,
  reasoning: true,
  systemRole: true,
  userOutOfTurn: true,
};
const newerLimit: Sent = { ...everything, limit: 'max_completion_tokens' };
const closing: Sent = { ...everything, tools: false, toolChoice: false, callsWithoutTools: true };

const openAi = (message: string, param: string | null = null, code: string | null = null) => ({
  error: { message, type: 'invalid_request_error', param, code },
});

describe('a refusal that names what was sent', () => {
  test.each<[service: string, status: number, body: unknown, change: Downgrade, sent?: Sent]>([
    [
      'OpenAI, reasoning models',
      400,
      openAi(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        'max_tokens',
        'unsupported_parameter',
      ),
      'max_completion_tokens',
    ],
    [
      'Azure, older version',
      400,
      openAi('Unrecognized request argument supplied: max_completion_tokens'),
      'max_tokens',
      newerLimit,
    ],
    [
      'Mistral',
      422,
      {
        object: 'error',
        message: {
          detail: [
            {
              type: 'extra_forbidden',
              loc: ['body', 'max_completion_tokens'],
              msg: 'Extra inputs are not permitted',
              input: 500,
            },
          ],
        },
        type: 'invalid_request_error',
        param: null,
        code: null,
      },
      'max_tokens',
      newerLimit,
    ],
    [
      'a service that knows neither name',
      400,
      openAi('Unrecognized request argument supplied: max_tokens'),
      'no_max_tokens',
      { ...everything, limitRenamed: true },
    ],
    [
      'OpenAI, limit above the model’s own',
      400,
      openAi(
        'max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.',
        'max_tokens',
        'invalid_value',
      ),
      'no_max_tokens',
    ],
    [
      'vLLM, limit above what the prompt leaves',
      400,
      {
        object: 'error',
        message:
          "'max_tokens' or 'max_completion_tokens' is too large: 8000. This model's maximum context length is 4096 tokens and your request has 118 input tokens (8000 > 4096 - 118).",
        type: 'BadRequestError',
        param: null,
        code: 400,
      },
      'no_max_tokens',
    ],
    [
      'Azure, stream options',
      400,
      openAi('Unrecognized request argument supplied: stream_options'),
      'no_stream_options',
    ],
    [
      'Azure AI, by path',
      400,
      {
        error: {
          code: 'BadRequest',
          message: 'Validation error at #/stream_options: Extra inputs are not permitted',
        },
      },
      'no_stream_options',
    ],
    [
      'FastAPI',
      422,
      {
        detail: [
          { type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' },
        ],
      },
      'no_stream_options',
    ],
    [
      'vLLM, a printed Python list',
      400,
      {
        object: 'error',
        message:
          "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted', 'input': {'include_usage': True}}]",
        type: 'BadRequestError',
        code: 400,
      },
      'no_stream_options',
    ],
    [
      'Mistral behind a proxy, JSON in a string',
      422,
      {
        object: 'error',
        message:
          '{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}',
        type: 'internal_error_proxy',
        code: '1000',
      },
      'no_stream_options',
    ],
    [
      'Ollama',
      400,
      {
        error: {
          message: 'registry.ollama.ai/library/gemma3:4b does not support tools',
          type: 'api_error',
          param: null,
          code: null,
        },
      },
      'tools_as_text',
    ],
    [
      'Ollama, native form',
      400,
      { error: 'registry.ollama.ai/library/llama2:latest does not support tools' },
      'tools_as_text',
    ],
    [
      'llama.cpp without --jinja',
      500,
      { error: { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' } },
      'tools_as_text',
    ],
    [
      'llama.cpp, older',
      500,
      { code: 500, message: 'Unsupported param: tools', type: 'server_error' },
      'tools_as_text',
    ],
    [
      'vLLM without a tool parser',
      400,
      {
        object: 'error',
        message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        type: 'BadRequestError',
        param: null,
        code: 400,
      },
      'tools_as_text',
    ],
    [
      'OpenRouter, no provider with tools',
      404,
      {
        error: {
          message:
            'No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing',
          code: 404,
        },
      },
      'tools_as_text',
    ],
    [
      'Groq, model without tools',
      400,
      openAi('`tool calling` is not supported with this model'),
      'tools_as_text',
    ],
    [
      'DeepSeek reasoner',
      400,
      openAi('deepseek-reasoner does not support Function Calling', null, 'invalid_request_error'),
      'tools_as_text',
    ],
    [
      'OpenAI, tool choice',
      400,
      openAi(
        "Unsupported parameter: 'tool_choice' is not supported with this model.",
        'tool_choice',
        'unsupported_parameter',
      ),
      'no_tool_choice',
    ],
    [
      'LM Studio, tool choice by words',
      400,
      { error: "Invalid tool_choice type: 'string'." },
      'no_tool_choice',
    ],
    [
      'OpenAI, temperature',
      400,
      openAi(
        "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
        'temperature',
        'unsupported_value',
      ),
      'no_temperature',
    ],
    [
      'TGI, temperature',
      422,
      { error: 'Input validation error: `temperature` must be strictly positive', error_type: 'validation' },
      'no_temperature',
    ],
    [
      'OpenAI, images',
      400,
      openAi(
        'Invalid content type. image_url is only supported by certain models.',
        'messages.[0].content.[1].type',
      ),
      'no_images',
    ],
    [
      'DeepSeek, images',
      400,
      openAi(
        'Failed to deserialize the JSON body into the target type: messages[0]: unknown variant `image_url`, expected `text` at line 1 column 120',
      ),
      'no_images',
    ],
    [
      'DeepSeek, images, another build',
      422,
      'Failed to deserialize the JSON body into the target type: messages[2]: invalid type: sequence, expected a string at line 1 column 2901',
      'no_images',
    ],
    [
      'llama.cpp without mmproj',
      500,
      {
        error: {
          code: 500,
          message:
            'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
          type: 'server_error',
        },
      },
      'no_images',
    ],
    [
      'LM Studio, images',
      400,
      { error: 'Model does not support images. Please use a model that does.' },
      'no_images',
    ],
    [
      'vLLM, images',
      400,
      {
        object: 'error',
        message: 'At most 0 image(s) may be provided in one prompt.',
        type: 'BadRequestError',
        code: 400,
      },
      'no_images',
    ],
    [
      'OpenRouter, images',
      404,
      { error: { message: 'No endpoints found that support image input', code: 404 } },
      'no_images',
    ],
    [
      'OpenRouter, the provider’s own words',
      400,
      {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: {
            raw: '{"error":{"message":"Unsupported parameter: \'temperature\'","param":"temperature"}}',
            provider_name: 'Azure',
          },
        },
      },
      'no_temperature',
    ],
    [
      'Groq, reasoning sent back',
      400,
      openAi(
        "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
      ),
      'no_reasoning_replay',
    ],
    [
      'Cerebras, reasoning sent back',
      400,
      {
        message:
          "messages.2.assistant.reasoning_content: property 'messages.2.assistant.reasoning_content' is unsupported",
        type: 'invalid_request_error',
        param: 'validation_error',
        code: 'wrong_api_format',
      },
      'no_reasoning_replay',
    ],
    [
      'Mistral, reasoning sent back',
      422,
      {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['body', 'messages', 31, 'assistant', 'reasoning_content'],
            msg: 'Extra inputs are not permitted',
          },
        ],
      },
      'no_reasoning_replay',
    ],
    [
      'vLLM, Gemma 1 template',
      400,
      { object: 'error', message: 'System role not supported', type: 'BadRequestError', code: 400 },
      'no_system_role',
    ],
    [
      'OpenAI o1-mini',
      400,
      openAi(
        "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
        'messages[0].role',
        'unsupported_value',
      ),
      'no_system_role',
    ],
    [
      'llama.cpp, Mistral template',
      500,
      {
        error: {
          code: 500,
          message:
            "\n------------\nWhile executing CallExpression at line 189, column 32 in source:\n...== 0) %}↵            {{- raise_exception('After the optional system message, con...\n                                           ^\nError: Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.",
          type: 'server_error',
        },
      },
      'roles_in_turn',
    ],
    [
      'Mistral, a note after a tool result',
      400,
      {
        object: 'error',
        message: "Unexpected role 'user' after role 'tool'",
        type: 'invalid_request_message_order',
        code: '3230',
      },
      'roles_in_turn',
    ],
    [
      'LiteLLM to Bedrock, closing call',
      400,
      openAi(
        "litellm.UnsupportedParamsError: Bedrock doesn't support tool calling without `tools=` param specified. Pass `tools=` param OR set `litellm.modify_params = True`",
      ),
      'keep_tools',
      closing,
    ],
    [
      'Bedrock, closing call',
      400,
      openAi('The toolConfig field must be defined when using toolUse and toolResult content blocks.'),
      'keep_tools',
      closing,
    ],
    [
      'Anthropic, closing call',
      400,
      openAi('Requests which include `tool_use` or `tool_result` blocks must define tools'),
      'keep_tools',
      closing,
    ],
    [
      'Google, a list around the error',
      400,
      [
        {
          error: {
            code: 400,
            message: 'Function calling is not enabled for models/gemma-3-27b-it',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
      'tools_as_text',
    ],
  ])('%s: %i %j → %s', (_service, status, body, change, sent = everything) => {
    expect(downgradeFor(serviceErrorOf(body, status), sent)).toBe(change);
  });
});

describe('a refusal that is none of these', () => {
  const nothing: Sent = {
    ...everything,
    limit: undefined,
    streamOptions: false,
    tools: false,
    toolChoice: false,
    temperature: false,
    images: false,
    reasoning: false,
    systemRole: false,
    userOutOfTurn: false,
  };

  test.each<[string, number, string, Sent?]>([
    ['names a parameter that was not sent', 400, "Unsupported parameter: 'temperature'", nothing],
    ['names tools that were not sent', 400, 'this model does not support tools', nothing],
    ['names nothing', 400, 'Bad request'],
    [
      'is about the content',
      400,
      'The response was filtered due to the prompt triggering the content policy.',
    ],
    [
      'is about the window',
      400,
      "This model's maximum context length is 4097 tokens, however you requested 5000 tokens (1000 in the messages, 4000 in max_tokens). Please reduce the length of the messages.",
    ],
    ['is an unknown model with a telling name', 404, 'The model `gpt-4-vision-tools` does not exist'],
    ['is about the key', 401, 'temperature tools images'],
    ['is a limit of requests', 429, "Unsupported parameter: 'temperature'"],
    ['is an ordinary failure', 500, 'Internal error at temperature sensor'],
    ['is an overload', 503, 'tools not supported'],
  ])('changes nothing when it %s', (_name, status, message, sent = everything) => {
    expect(downgradeFor({ status, message }, sent)).toBeUndefined();
  });
});

describe('an error about unpaired calls is never a downgrade', () => {
  test.each([
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1",
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    "Duplicate value for 'tool_call_id' of 'call_1' in message[3].",
    'messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.',
    'messages.3.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1.',
    'Expected toolResult blocks at messages.2.content for the following Ids: tooluse_1',
    'Not the same number of function calls and responses',
  ])('%s', (message) => {
    const error = serviceErrorOf(openAi(message, 'messages'), 400);
    expect([isPairingError(error), downgradeFor(error, everything)]).toEqual([true, undefined]);
  });
});
