/** Long Markdown, read by a worker: one text after the other, in the order in which they are asked for. */
import { type Block, blocksOf } from './parse.ts';

interface Asked {
  readonly text: string;
  readonly resolve: (blocks: readonly Block[]) => void;
}

let worker: Worker | undefined;
let asked: Asked[] = [];

export function readBeside(text: string): Promise<readonly Block[]> {
  worker ??= start();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
  worker.postMessage(text);
  return new Promise((resolve) => asked.push({ text, resolve }));
}

function start(): Worker {
  const started = new Worker('/page/parse-worker.js', { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<readonly Block[]>) =>
    asked.shift()?.resolve(data),
  );
  started.addEventListener('error', () => {
    // It could not be loaded, or had too little memory: slower, the page reads as well.
    started.terminate();
    worker = undefined;
    const left = asked;
    asked = [];
    for (const { text, resolve } of left) resolve(blocksOf(text));
  });
  return started;
}
