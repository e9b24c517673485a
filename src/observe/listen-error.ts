/** Why a server cannot listen, worded for the person who starts it. */
import { TutorError } from '../domain/errors.ts';

/** HOST or PORT cannot be used on this machine. */
export class ListenError extends TutorError {
  readonly code = 'http.cannot_listen';
  constructor(
    message: string,
    readonly hint: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** `error`: what `listen` of a server failed with. */
export function listenFailure(error: unknown, host: string, port: number): ListenError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const { fact, remedy } = reasons(host, port)[code] ?? {
    fact: `PORT: cannot listen on ${port} at ${host} (${code})`,
    remedy: 'Set HOST and PORT to an address of this machine and a port that is free.',
  };
  return new ListenError(fact, remedy, { cause: error });
}

function reasons(
  host: string,
  port: number,
): Readonly<Record<string, { readonly fact: string; readonly remedy: string }>> {
  const noSuchHost = {
    fact: `HOST: expected a name or address of this machine, got ${host}`,
    remedy: 'Leave it out for 127.0.0.1, or use 0.0.0.0 for every network.',
  };
  return {
    EADDRINUSE: {
      fact: `PORT: ${port} is taken by another program`,
      remedy:
        'Stop that program, or set PORT to another number (0 takes a free one); each process on a machine needs its own.',
    },
    EACCES: {
      fact: `PORT: this user may not listen on ${port}`,
      remedy: 'Set PORT to a number above 1023.',
    },
    EADDRNOTAVAIL: noSuchHost,
    ENOTFOUND: noSuchHost,
    EAI_AGAIN: noSuchHost,
    EINVAL: noSuchHost,
  };
}
