/**
 * One definition → a `Tool`: the zod schema becomes the JSON schema for the model, the required names, and the check
 * before `run`. A call that does not fit is answered, never thrown.
 */
import { z } from 'zod';
import type { Tool, ToolContext, ToolResult } from '../ports/tool.ts';
import { argumentProblems, type JsonSchema } from './argument-problems.ts';

export interface ToolDefinition<Args extends z.ZodObject> {
  /** Letters, digits, `_` and `-`, at most 64: what providers accept. */
  readonly name: string;
  readonly description: string;
  readonly args: Args;
  readonly mode: Tool['mode'];
  readonly effect: Tool['effect'];
  /** Default 30 s. */
  readonly timeoutMs?: number;
  readonly isQuestion?: boolean;
  run(args: z.output<Args>, context: ToolContext): Promise<ToolResult>;
}

const DEFAULT_TIMEOUT_MS = 30_000;

export function defineTool<Args extends z.ZodObject>(definition: ToolDefinition<Args>): Tool {
  const { name, description, args: schema, mode, effect, timeoutMs = DEFAULT_TIMEOUT_MS } = definition;
  if (!/^[\w-]{1,64}$/.test(name)) {
    throw new Error(`tool name "${name}": use letters, digits, _ and -, at most 64 characters`);
  }
  const parameters = parametersOf(schema);
  return {
    schema: { name, description, parameters },
    required: Array.isArray(parameters.required) ? parameters.required.map(String) : [],
    mode,
    effect,
    timeoutMs,
    ...(definition.isQuestion === undefined ? {} : { isQuestion: definition.isQuestion }),
    run: async (args, context) => {
      const parsed = schema.safeParse(args);
      if (parsed.success) return definition.run(parsed.data, context);
      return {
        kind: 'failed',
        badArgs: true,
        text: argumentProblems(name, parameters, args, parsed.error.issues),
      };
    },
  };
}

/** What the model may write, hence the input side: a name with a default is not required. */
function parametersOf(schema: z.ZodObject): JsonSchema {
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.type === 'object' && jsonSchema.properties !== undefined) {
        jsonSchema.additionalProperties ??= false;
      }
      // zod states the safe-integer bounds of every integer: words without news for the model.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return parameters;
}
