/** A REST request as it came in, and what is wrong with it before any route is asked. */
import type { Json } from './check-components.ts';
import { maxRequestBytes, type UploadedFiles } from './check-message.ts';
import { Form, refusal } from './refusal.ts';
import type { Route } from './routes.ts';

export interface Incoming {
  readonly method: string;
  /** Decoded, without `/api/v10`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly userAgent: string | undefined;
  readonly contentType: string | undefined;
  /** Text of the body, or of its part `payload_json`. */
  readonly json: string;
  readonly files: UploadedFiles;
  /** Unit: bytes. */
  readonly size: number;
}

/** The parsed body; an empty object when there is none. Throws what Discord would answer. */
export function checkRequest(incoming: Incoming, route: Route, token: string): Json {
  if (route.needsToken && incoming.authorization !== `Bot ${token}`) throw refusal('unauthorized');
  if (!/^DiscordBot \(.+\)/.test(incoming.userAgent ?? '')) throw refusal('user_agent', incoming.userAgent);
  if (incoming.size > maxRequestBytes) throw refusal('file_size');
  if (incoming.size === 0) return {};
  const form = new Form();
  const isKnown = /^(?:application\/json|multipart\/form-data)/.test(incoming.contentType ?? '');
  form.expect(isKnown, 'body', 'content_type');
  form.done();
  if (incoming.json === '') return {};
  try {
    const parsed: unknown = JSON.parse(incoming.json);
    // Lists stand in `list`, so that every body is an object.
    if (Array.isArray(parsed)) return { list: parsed };
    if (typeof parsed === 'object' && parsed !== null) return parsed as Json;
  } catch {
    // answered below
  }
  throw refusal('not_json');
}
