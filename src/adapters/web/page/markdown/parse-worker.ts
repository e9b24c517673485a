/** Runs beside the page: reading a long text takes longer than the page may stand still. */
import { blocksOf } from './parse.ts';

globalThis.addEventListener('message', ({ data }: MessageEvent<string>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
  globalThis.postMessage(blocksOf(data));
});
