/**
 * A child process: an OpenAI-compatible service whose answers are serialised beforehand. The name of the model says
 * what it answers: `answer` with a long text, `rounds` with one tool call per request and then a short text.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { answerStream, toolStream } from './streams.ts';
import { answerChars, toolRounds } from './workload.ts';

/** Events in one write: services send what has gathered since the last write, not one packet per token. */
const eventsPerWrite = 8;

const longAnswer = writes(answerStream(answerChars));
const shortAnswer = writes(answerStream(80));
const toolCalls = Array.from({ length: toolRounds }, (_, round) => writes(toolStream(round)));

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) =>
    response.destroy(error instanceof Error ? error : undefined),
  );
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { model, messages }: { model: string; messages: readonly { role: string }[] } = JSON.parse(
    (await buffer(request)).toString(),
  );
  const results = messages.filter((message) => message.role === 'tool').length;
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  for (const batch of model === 'answer' ? longAnswer : (toolCalls[results] ?? shortAnswer)) {
    if (!response.write(batch)) await once(response, 'drain');
    await nextTurn();
  }
  response.end();
}

function writes(events: readonly string[]): Buffer[] {
  const batches: Buffer[] = [];
  for (let at = 0; at < events.length; at += eventsPerWrite) {
    batches.push(Buffer.from(events.slice(at, at + eventsPerWrite).join('')));
  }
  return batches;
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) process.send?.(`http://127.0.0.1:${address.port}/v1`);
});
process.on('disconnect', () => process.exit());
