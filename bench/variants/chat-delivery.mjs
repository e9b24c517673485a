/**
 * The same answers through a thread of the package `chat`, which posts and edits by its own timer, 500 ms. Items: answers.
 * Plain JavaScript, because its packages are installed on demand (`npm ci --prefix bench`).
 */
import { createMemoryState } from '@chat-adapter/state-memory';
import { ThreadImpl } from 'chat';
import { showAll } from '../support/paced-pieces.ts';

export function prepare() {
  const stateAdapter = createMemoryState();
  let places = 0;

  return () =>
    showAll(async (written) => {
      const id = `bench:${(places += 1)}`;
      let shown = '';
      const say = async (threadId, message) => {
        shown = message.markdown ?? message;
        return { id: '1', threadId, raw: {} };
      };
      const adapter = {
        name: 'bench',
        postMessage: say,
        editMessage: (threadId, _messageId, message) => say(threadId, message),
      };
      const thread = new ThreadImpl({
        id,
        channelId: id,
        adapter,
        stateAdapter,
        fallbackStreamingPlaceholderText: null,
      });
      await thread.post(eachOf(written));
      return shown;
    });
}

/** It takes one piece at a time. */
async function* eachOf(written) {
  for await (const pieces of written) yield* pieces;
}
