/** Stands for a call in what a button sends back: the id that a model gave it may be longer than that. */
import { createHash } from 'node:crypto';
import type { CallId } from '../domain/ids.ts';

export function callMark(callId: CallId): string {
  return createHash('sha256').update(callId).digest('base64url').slice(0, 16);
}
