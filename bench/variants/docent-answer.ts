/** One long answer through Docent: model, loop, labels, desired text. Items: chunks. */

import type { Prepare } from '../support/pairs.ts';
import { productModel, productTurn } from '../support/product-turn.ts';
import { answerChars, answerChunks } from '../support/workload.ts';

export const prepare: Prepare = (baseUrl) => {
  const model = productModel(baseUrl, 'answer');
  return async () => {
    const answer = await productTurn(model, []);
    if (answer.length < answerChars) throw new Error(`the answer has ${answer.length} characters`);
    return answerChunks;
  };
};
