/**
 * The same rounds through `@openai/agents` on chat completions. Items: rounds. Plain JavaScript, because its packages
 * are installed on demand (`npm ci --prefix bench`) and the type check of the repository must not need them.
 */
import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } from '@openai/agents';
import { OpenAI } from 'openai';
import { z } from 'zod';
import { ToolRuns, toolDescription, toolName } from '../support/tool-loop.ts';
import { question, system, toolRounds, turnsPerSample } from '../support/workload.ts';

export function prepare(baseURL) {
  // Traces would be sent to the service of OpenAI; nobody else in this comparison keeps any.
  setTracingDisabled(true);
  const client = new OpenAI({ baseURL, apiKey: 'none' });
  const runs = new ToolRuns();
  const agent = new Agent({
    name: 'Tutor',
    instructions: system,
    model: new OpenAIChatCompletionsModel(client, 'rounds'),
    tools: [
      tool({
        name: toolName,
        description: toolDescription,
        parameters: z.object({ query: z.string() }),
        execute: async ({ query }) => runs.run(query),
      }),
    ],
  });

  async function turn() {
    const result = await run(agent, question, { stream: true, maxTurns: toolRounds + 5 });
    let answer = '';
    for await (const piece of result.toTextStream()) answer += piece;
    await result.completed;
    return answer;
  }

  return async () => {
    for (let done = 0; done < turnsPerSample; done++) await turn();
    return runs.rounds();
  };
}
