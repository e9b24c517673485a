/** Reads one HTTP request into what the fake answers: path without the version, JSON text, uploaded files. */
import type { UploadedFile } from './check-message.ts';
import type { Incoming } from './request.ts';

const prefix = '/api/v10';

/** `header` looks one up by its lower-case name. */
export async function readIncoming(
  method: string,
  url: URL,
  header: (name: string) => string | undefined,
  bytes: Buffer,
): Promise<Incoming> {
  const contentType = header('content-type');
  const isForm = contentType?.startsWith('multipart/form-data') === true;
  const { json, files } = isForm
    ? await parts(bytes, contentType)
    : { json: bytes.toString(), files: new Map<number, UploadedFile>() };
  return {
    method,
    path: pathOf(url.pathname),
    query: url.searchParams,
    authorization: header('authorization'),
    userAgent: header('user-agent'),
    contentType,
    json,
    files,
    size: bytes.length,
  };
}

/** Without the version. Empty when it is not ours, so that no route fits. */
function pathOf(pathname: string): string {
  if (!pathname.startsWith(`${prefix}/`)) return '';
  try {
    return decodeURIComponent(pathname.slice(prefix.length));
  } catch {
    return ''; // not an encoding: no route fits
  }
}

async function parts(bytes: Buffer, contentType: string) {
  const files = new Map<number, UploadedFile>();
  let json = '';
  const form = await new Response(new Uint8Array(bytes), {
    headers: { 'content-type': contentType },
  }).formData();
  for (const [name, value] of form) {
    if (name === 'payload_json') json = typeof value === 'string' ? value : await value.text();
    const number = /^files\[(\d+)\]$/.exec(name)?.[1];
    if (number === undefined || typeof value === 'string') continue;
    const content = Buffer.from(await value.arrayBuffer());
    files.set(Number(number), { filename: value.name, contentType: value.type, bytes: content });
  }
  return { json, files };
}
