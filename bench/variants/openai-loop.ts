/** The same rounds through a loop written by hand on the openai SDK, as short as it can be. Items: rounds. */
import { OpenAI } from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { z } from 'zod';
import type { Prepare } from '../support/pairs.ts';
import { ToolRuns, toolDescription, toolName } from '../support/tool-loop.ts';
import { question, system, turnsPerSample } from '../support/workload.ts';

export const prepare: Prepare = (baseURL) => {
  const client = new OpenAI({ baseURL, apiKey: 'none' });
  const runs = new ToolRuns();
  const args = z.object({ query: z.string() });
  const parameters = z.toJSONSchema(args);
  const tools: ChatCompletionTool[] = [
    { type: 'function', function: { name: toolName, description: toolDescription, parameters } },
  ];

  async function turn(): Promise<string> {
    const messages: ChatCompletionMessageParam[] = [
      { role: 'system', content: system },
      { role: 'user', content: question },
    ];
    for (;;) {
      const stream = await client.chat.completions.create({
        model: 'rounds',
        messages,
        tools,
        stream: true,
        stream_options: { include_usage: true },
      });
      let content = '';
      const calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[] = [];
      for await (const chunk of stream) {
        const delta = chunk.choices[0]?.delta;
        content += delta?.content ?? '';
        for (const part of delta?.tool_calls ?? []) {
          const call = (calls[part.index] ??= {
            id: '',
            type: 'function',
            function: { name: '', arguments: '' },
          });
          call.id ||= part.id ?? '';
          call.function.name += part.function?.name ?? '';
          call.function.arguments += part.function?.arguments ?? '';
        }
      }
      if (calls.length === 0) return content;
      messages.push({ role: 'assistant', content, tool_calls: calls });
      for (const call of calls) {
        const { query } = args.parse(JSON.parse(call.function.arguments));
        messages.push({ role: 'tool', tool_call_id: call.id, content: runs.run(query) });
      }
    }
  }

  return async () => {
    for (let done = 0; done < turnsPerSample; done++) await turn();
    return runs.rounds();
  };
};
