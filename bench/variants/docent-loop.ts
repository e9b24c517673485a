/** Tool rounds through Docent: journal, guards, checked arguments, dispatch. Items: rounds. */
import { z } from 'zod';
import { defineTool } from '../../src/tools/define-tool.ts';
import type { Prepare } from '../support/pairs.ts';
import { productModel, productTurn } from '../support/product-turn.ts';
import { ToolRuns, toolDescription, toolName } from '../support/tool-loop.ts';
import { turnsPerSample } from '../support/workload.ts';

export const prepare: Prepare = (baseUrl) => {
  const model = productModel(baseUrl, 'rounds');
  const runs = new ToolRuns();
  const lookUp = defineTool({
    name: toolName,
    description: toolDescription,
    args: z.object({ query: z.string() }),
    mode: 'parallel',
    effect: 'none',
    run: async ({ query }) => ({ kind: 'text', text: runs.run(query) }),
  });
  return async () => {
    for (let turn = 0; turn < turnsPerSample; turn++) await productTurn(model, [lookUp]);
    return runs.rounds();
  };
};
