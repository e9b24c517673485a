/** Waiting with an end. */
import type { Clock } from '../ports/runtime.ts';

/** What `work` resolves with, or `late` when that takes longer than `ms`; the work itself goes on. */
export async function within<T, L>(clock: Clock, ms: number, work: Promise<T>, late: L): Promise<T | L> {
  let cancel = () => {};
  const timer = new Promise<L>((resolve) => {
    cancel = clock.after(ms, () => resolve(late));
  });
  try {
    return await Promise.race([work, timer]);
  } finally {
    cancel();
  }
}
