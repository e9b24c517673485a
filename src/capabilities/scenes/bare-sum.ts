/** A message that is nothing but a sum: computed exactly before the model is asked, which only has to explain it. */
import type { Scene } from '../../loop/scene.ts';
import { bareSum as readSum } from '../../maths/bare-sum.ts';

export const bareSum: Scene = {
  name: 'bare_sum',
  match(text) {
    const sum = readSum(text);
    return sum === undefined ? { confidence: 0, words: [] } : { confidence: 1, words: [sum.expression] };
  },
  async prepare(text) {
    const sum = readSum(text);
    if (sum === undefined) return undefined;
    return sum.decimal === undefined
      ? sum.value
      : `${sum.value} (${sum.decimal.startsWith('≈') ? sum.decimal : `= ${sum.decimal}`})`;
  },
  template: (text, result) =>
    `${text}\n\n[Computed exactly by the program, not said by the learner: the result is ${result}. Give this result and show in one to three short lines how to get there. Answer in the language of the message above.]`,
};
