/** Whether what a role depends on is there, since when, and one log line each time that changes. */
import { cutText } from '../domain/cut-text.ts';
import { maskSecrets } from '../domain/secrets.ts';
import type { Contact } from '../ports/contact.ts';
import type { Clock, Logger } from '../ports/runtime.ts';

export interface Check {
  readonly name: string;
  /** Without a `required` one the role cannot work; without a `degradable` one it works less well. */
  readonly kind: 'required' | 'degradable';
  readonly state: 'ok' | 'away';
  /** Unit: milliseconds since 1970. */
  readonly since: number;
  /** Why it is away. Free of secrets. */
  readonly detail?: string;
}

const MAX_DETAIL_CHARS = 300;

/** One thing that can be away: `title` begins its log lines ("Redis is away, waiting."). It is away until it is there. */
export class Watched implements Contact {
  private current: Check;
  /** Nothing was heard of it yet, so that its first `ok` is no return. */
  private isNew = true;

  constructor(
    private readonly what: Pick<Check, 'name' | 'kind'> & { readonly title: string },
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {
    const { name, kind } = what;
    this.current = { name, kind, state: 'away', since: clock.now(), detail: 'not reached yet' };
  }

  get check(): Check {
    return this.current;
  }

  ok(): void {
    const { name, kind, state, since } = this.current;
    if (state === 'ok') return;
    const now = this.clock.now();
    this.current = { name, kind, state: 'ok', since: now };
    if (!this.isNew) {
      const awayMs = now - since;
      this.log.info({ check: name, awayMs }, `${this.what.title} is back after ${inWords(awayMs)}.`);
    }
    this.isNew = false;
  }

  away(why: unknown): void {
    const { name, kind, state, since } = this.current;
    const detail = reasonOf(why);
    const isChange = state === 'ok' || this.isNew;
    this.current = { name, kind, state: 'away', since: isChange ? this.clock.now() : since, detail };
    if (isChange) this.log.warn({ check: name, detail }, `${this.what.title} is away, waiting.`);
    this.isNew = false;
  }
}

/** An error of several connection attempts has an empty message; its code says what happened. */
function reasonOf(why: unknown): string {
  const code = why instanceof Error && 'code' in why ? String(why.code) : '';
  const text = why instanceof Error ? why.message || code || why.name : String(why);
  return cutText(maskSecrets(text), MAX_DETAIL_CHARS);
}

function inWords(ms: number): string {
  const s = Math.round(ms / 1000);
  if (s < 1) return 'less than a second';
  if (s < 60) return `${s} s`;
  const min = Math.floor(s / 60);
  if (min < 60) return `${min} min ${s % 60} s`;
  return `${Math.floor(min / 60)} h ${min % 60} min`;
}
