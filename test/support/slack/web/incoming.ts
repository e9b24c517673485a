/** Reads a call as Slack does: form fields or JSON, lists and objects as JSON in fields, the token from header or field. */
import type { Incoming } from '../slack.ts';
import type { Json } from '../world/world.ts';

/** Fields that carry JSON when they come in a form. */
const nested = new Set([
  'attachments',
  'blocks',
  'chunks',
  'file_ids',
  'files',
  'loading_messages',
  'metadata',
  'prompts',
  'view',
]);

export async function readIncoming(
  method: string,
  header: (name: string) => string | undefined,
  bytes: Buffer,
): Promise<Incoming> {
  const type = header('content-type') ?? '';
  let args: Record<string, unknown> = {};
  let problem: string | undefined;
  try {
    args = type.startsWith('application/json')
      ? (JSON.parse(bytes.toString() || '{}') as Record<string, unknown>)
      : decoded(await fieldsOf(type, bytes));
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  const bearer = /^Bearer (.+)$/.exec(header('authorization') ?? '')?.[1];
  const field = args['token'];
  const token = bearer ?? (typeof field === 'string' ? field : '');
  return { method, token, args, ...(problem !== undefined && { problem }) };
}

async function fieldsOf(type: string, bytes: Buffer): Promise<Readonly<Record<string, string>>> {
  if (!type.startsWith('multipart/form-data'))
    return Object.fromEntries(new URLSearchParams(bytes.toString()));
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  return Object.fromEntries([...form].map(([name, value]) => [name, typeof value === 'string' ? value : '']));
}

const decoded = (fields: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]): [string, unknown] => [
      name,
      nested.has(name) ? (JSON.parse(value) as Json) : value,
    ]),
  );
