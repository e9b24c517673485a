/** Work that ends at once when it is aborted, whatever it is waiting for. */

/** The result of `work`, or the signal's reason as soon as it is aborted; the work itself goes on unheard. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Why a signal is aborted whose items nobody wants any more. */
const left = Symbol('left');

/**
 * Items that can be left at any moment. A plain generator keeps `return()` waiting until its pending `next()` has
 * settled, which for a silent connection is never; here `return()` aborts `ending` then, and that `next()` is done.
 * While none is pending the generator's own `finally` decides how to part. `ending` is aborted with `signal` as well.
 */
export function endable<T>(
  signal: AbortSignal,
  start: (ending: AbortSignal) => AsyncGenerator<T, void>,
): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => endableItems(signal, start) };
}

function endableItems<T>(
  signal: AbortSignal,
  start: (ending: AbortSignal) => AsyncGenerator<T, void>,
): AsyncIterator<T, void> {
  const ending = new AbortController();
  const onAbort = () => ending.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  const unlink = () => signal.removeEventListener('abort', onAbort);

  const items = start(ending.signal);
  let pending = 0;
  const onItem = (item: IteratorResult<T, void>) => {
    pending--;
    if (item.done) unlink();
    return item;
  };
  const onError = (error: unknown): IteratorResult<T, void> => {
    pending--;
    unlink();
    if (error === left) return { done: true, value: undefined };
    throw error;
  };
  return {
    next() {
      pending++;
      return items.next().then(onItem, onError);
    },
    async return() {
      unlink();
      if (pending > 0) ending.abort(left);
      await items.return();
      return { done: true, value: undefined };
    },
  };
}
