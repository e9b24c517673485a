/**
 * Processes that die at a chosen place: a port is wrapped so that a call of one method kills the process it runs in. The
 * product has no switch for it.
 */

/** One place in the life of a process. */
export interface CrashPlan {
  /** `claim.append`: the port and its method. */
  readonly at: string;
  readonly when: 'before' | 'after';
  /** Only calls whose arguments hold this text as JSON, for example a kind of record. Default: any. */
  readonly having?: string;
  /** Which of them, from 1. Default: the first. */
  readonly nth?: number;
}

/** How a test hands the plan to its worker. */
export const crashVariable = 'TEST_CRASH';

/** Wraps ports so that the plan comes true; without one they are left as they are. */
export class Crasher {
  private seen = 0;

  constructor(private readonly plan: CrashPlan | undefined) {}

  /** The same port, but for the call that the plan names. `name` is the part before the point of `at`. */
  wrap<Port extends object>(
    name: string,
    port: Port,
    also: (method: string, result: unknown) => unknown = same,
  ): Port {
    if (this.plan === undefined) return port;
    return new Proxy(port, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== 'function') return value;
        const method = String(property);
        return (...args: readonly unknown[]) => {
          const isIt = this.isIt(`${name}.${method}`, args);
          if (isIt && this.plan?.when === 'before') return die();
          const result: unknown = Reflect.apply(value, target, args);
          if (isIt) return Promise.resolve(result).then(die);
          return result instanceof Promise
            ? result.then((settled) => also(method, settled))
            : also(method, result);
        };
      },
    });
  }

  private isIt(at: string, args: readonly unknown[]): boolean {
    const { plan } = this;
    if (plan === undefined || plan.at !== at) return false;
    if (plan.having !== undefined && !JSON.stringify(args).includes(plan.having)) return false;
    this.seen += 1;
    return this.seen === (plan.nth ?? 1);
  }
}

function same(_method: string, result: unknown): unknown {
  return result;
}

/** Nothing runs after this, not even what was about to be written. */
function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
}
