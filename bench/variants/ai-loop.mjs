/**
 * The same rounds through `streamText` of the package `ai`. Items: rounds. Plain JavaScript, because its packages are
 * installed on demand (`npm ci --prefix bench`) and the type check of the repository must not need them.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { ToolRuns, toolDescription } from '../support/tool-loop.ts';
import { question, system, toolRounds, turnsPerSample } from '../support/workload.ts';

export function prepare(baseURL) {
  const service = createOpenAICompatible({ name: 'bench', baseURL, apiKey: 'none', includeUsage: true });
  const runs = new ToolRuns();
  const look_up = tool({
    description: toolDescription,
    inputSchema: z.object({ query: z.string() }),
    execute: async ({ query }) => runs.run(query),
  });

  async function turn() {
    const result = streamText({
      model: service('rounds'),
      system,
      prompt: question,
      tools: { look_up },
      stopWhen: stepCountIs(toolRounds + 5),
    });
    let answer = '';
    for await (const piece of result.textStream) answer += piece;
    return answer;
  }

  return async () => {
    for (let done = 0; done < turnsPerSample; done++) await turn();
    return runs.rounds();
  };
}
