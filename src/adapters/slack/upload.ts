/** A file of ours, sent in Slack's three steps; the message that is to carry it names it by its id. */
import { z } from 'zod';
import type { AttachedFile } from '../../domain/surface-message.ts';
import type { Arguments, Reply } from './web.ts';

const room = z.object({ upload_url: z.string(), file_id: z.string() });

/** Sends bytes to an address that Slack gave; rejects when they were not taken. */
export type SendBytes = (url: string, bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal) => Promise<void>;

/** Returns the id of the file, which nobody sees before a message carries it. */
export async function upload(
  { name, text }: AttachedFile,
  call: (method: string, args: Arguments) => Promise<Reply>,
  send: SendBytes,
  signal: AbortSignal,
): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const { upload_url: url, file_id: id } = room.parse(
    await call('files.getUploadURLExternal', { filename: name, length: bytes.length }),
  );
  await send(url, bytes, signal);
  await call('files.completeUploadExternal', { files: [{ id, title: name }] });
  return id;
}

/** To one of these origins: an answer that names another one is not Slack's. */
export function sendTo(origins: readonly string[]): SendBytes {
  const allowed = new Set(origins);
  return async (url, bytes, signal) => {
    if (!URL.canParse(url) || !allowed.has(new URL(url).origin))
      throw new Error('a file was to be sent to an address that is not Slack');
    const response = await fetch(url, { method: 'POST', body: bytes, signal, redirect: 'error' });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`a file was not taken: ${response.status}`);
  };
}
