import { ConfigError, TutorError } from '../domain/errors.ts';

/** Why Docent cannot start, for the person at the terminal: what happened and what to do. */
export function startFailure(error: unknown): string {
  if (error instanceof ConfigError) return `Docent cannot start with these settings:\n${error.message}`;
  if (error instanceof TutorError)
    return `Docent cannot start: ${error.message.replace(/\.$/, '')}. ${error.hint}`;
  return `Docent cannot start: ${error instanceof Error ? error.message : String(error)}`;
}
