/** The product's `Surface` over HTTP: what a worker process speaks to the fake platform with. */
import { SurfaceError } from '../../../src/domain/errors.ts';
import type { Surface } from '../../../src/ports/surface.ts';
import type { PlatformAnswer, PlatformControl, PlatformRules } from './platform-calls.ts';
import { surfaceOver } from './surface-over.ts';

/** `url` is the address that the platform process printed. */
export async function surfaceClient(url: string): Promise<(place: string) => Surface> {
  const limits = (await (await fetch(`${url}/rules`)).json()) as PlatformRules;
  const by = String(process.pid);
  return (place) => surfaceOver((call, signal) => send(`${url}/call`, call, signal), place, by, limits);
}

/** Something happens in the world outside the bot. */
export async function control(url: string, order: PlatformControl): Promise<void> {
  await send(`${url}/control`, order);
}

async function send(url: string, body: object, signal?: AbortSignal): Promise<PlatformAnswer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
    return (await response.json()) as PlatformAnswer;
  } catch (error) {
    signal?.throwIfAborted();
    throw new SurfaceError('no answer', { cause: error });
  }
}
