/** How an attachment of Discord is found: its address, which expires after a day, and the message where a new one stands. */
import { Routes } from 'discord.js';
import { z } from 'zod';
import { FileUnavailableError } from '../../domain/errors.ts';
import type { FetchFile } from '../../ports/files.ts';
import { isRefused } from './failures.ts';
import type { Rest } from './rest.ts';

interface FileSource {
  readonly channel: string;
  readonly message: string;
  readonly attachment: string;
  readonly url: string;
}

export function fileSource({ channel, message, attachment, url }: FileSource): string {
  return `${channel}/${message}/${attachment} ${url}`;
}

function readFileSource(source: string): FileSource {
  const [, channel = '', message = '', attachment = '', url = ''] =
    /^(\d+)\/(\d+)\/(\d+) (.*)$/u.exec(source) ?? [];
  return { channel, message, attachment, url };
}

const attachments = z.object({ attachments: z.array(z.object({ id: z.string(), url: z.string() })) });
const withFiles = attachments.extend({
  message_snapshots: z.array(z.object({ message: attachments })).optional(),
});

/** `download` takes an address. What is not there any more is looked for once more, under the address of today. */
export function discordFiles(rest: Rest, download: FetchFile): FetchFile {
  return async (source, signal) => {
    const file = readFileSource(source);
    try {
      return await download(file.url, signal);
    } catch (error) {
      if (!(error instanceof FileUnavailableError) || error.why === 'too_large') throw error;
      const url = await newAddress(file, signal);
      if (url === undefined || url === file.url) throw error;
      return download(url, signal);
    }
  };

  async function newAddress(
    { channel, message, attachment }: FileSource,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    try {
      const { body } = await rest({ method: 'GET', route: Routes.channelMessage(channel, message), signal });
      const { attachments: own, message_snapshots: forwarded = [] } = withFiles.parse(body);
      const all = [...own, ...forwarded.flatMap((each) => each.message.attachments)];
      return all.find(({ id }) => id === attachment)?.url;
    } catch (error) {
      if (!isRefused(error)) throw error;
      return undefined; // the message is gone, too
    }
  }
}
