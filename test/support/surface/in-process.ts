/** The fake platform without a process of its own: for tests in which nothing dies. */
import { SurfaceError } from '../../../src/domain/errors.ts';
import type { Clock } from '../../../src/ports/runtime.ts';
import type { Surface } from '../../../src/ports/surface.ts';
import type { FakePlatform } from './platform.ts';
import { surfaceOver } from './surface-over.ts';

/** Answers take the platform's latency on `clock`. */
export function inProcessSurface(platform: FakePlatform, clock: Clock): (place: string) => Surface {
  return (place) =>
    surfaceOver(
      async (call, signal) => {
        const { answer, afterMs } = platform.handle(call);
        await clock.sleep(afterMs, signal);
        if (answer === 'cut') throw new SurfaceError('the connection was cut');
        return answer;
      },
      place,
      'this process',
      platform.limits,
    );
}
