import { expect, test } from 'vitest';
import type { ModelMessage } from '../../src/domain/message.ts';
import { seeingModel } from '../../src/files/seeing-model.ts';
import type { ModelRequest } from '../../src/ports/model.ts';
import { memoryBlobs } from '../../src/store/memory-files.ts';
import { manualClock } from '../support/clock.ts';

const never = new AbortController().signal;

function start() {
  const requests: ModelRequest[] = [];
  const blobs = memoryBlobs(manualClock(), 100_000_000);
  const model = seeingModel(
    {
      name: 'm',
      async *stream(request) {
        requests.push(request);
        yield { type: 'text', text: 'ok' };
      },
    },
    blobs,
  );
  return {
    blobs,
    async ask(...messages: ModelMessage[]) {
      const chunks = [];
      for await (const chunk of model.stream({ messages, tools: [], toolChoice: 'none' }, never))
        chunks.push(chunk);
      expect(chunks).toEqual([{ type: 'text', text: 'ok' }]);
      return requests.at(-1)?.messages ?? [];
    },
  };
}

const said = (text: string): ModelMessage => ({ role: 'user', source: 'person', content: text });
const picture = (hash: string): ModelMessage => ({
  role: 'user',
  source: 'person',
  content: [
    { type: 'text', text: 'look' },
    { type: 'image', url: `blob:image/png;${hash}` },
  ],
});

test('a stored picture is shown by its bytes, everything else stays as it is', async () => {
  const { blobs, ask } = start();
  const hash = await blobs.put(Buffer.from('picture'));
  const web: ModelMessage = {
    role: 'user',
    source: 'person',
    content: [{ type: 'image', url: 'https://x.example/a.png' }],
  };
  expect(await ask(said('hi'), picture(hash), web)).toEqual([
    said('hi'),
    {
      role: 'user',
      source: 'person',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image', url: `data:image/png;base64,${Buffer.from('picture').toString('base64')}` },
      ],
    },
    web,
  ]);
});

test('one that is not kept any more is said to be missing', async () => {
  const { ask } = start();
  const [message] = await ask(picture('0'.repeat(64)));
  expect(message?.content).toContainEqual({ type: 'text', text: '[A picture that is not kept any more.]' });
});

test('of more than 20 MB the oldest are only mentioned', async () => {
  const { blobs, ask } = start();
  const messages: ModelMessage[] = [];
  for (let n = 0; n < 5; n += 1)
    messages.push(picture(await blobs.put(new Uint8Array(5 * 1024 * 1024).fill(n))));
  const kinds = (await ask(...messages)).map(
    ({ content }) => typeof content !== 'string' && content[1]?.type,
  );
  expect(kinds).toEqual(['text', 'image', 'image', 'image', 'image']);
});
