/** The same answer through the bare openai SDK with its default `fetch`. Items: chunks. */
import { OpenAI } from 'openai';
import type { Prepare } from '../support/pairs.ts';
import { answerChars, answerChunks, question, system } from '../support/workload.ts';

export const prepare: Prepare = (baseURL) => {
  const client = new OpenAI({ baseURL, apiKey: 'none' });
  return async () => {
    const stream = await client.chat.completions.create({
      model: 'answer',
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: question },
      ],
      stream: true,
      stream_options: { include_usage: true },
    });
    let answer = '';
    for await (const chunk of stream) answer += chunk.choices[0]?.delta.content ?? '';
    if (answer.length < answerChars) throw new Error(`the answer has ${answer.length} characters`);
    return answerChunks;
  };
};
